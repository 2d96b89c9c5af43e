"""What the linter knows of a program's text: its syntax in compact form, in units, on demand."""
