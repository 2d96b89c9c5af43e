"""Lets `python -m oakum_lint` stand for the command `oakum`."""

from oakum_lint.app.cli import command

command()
