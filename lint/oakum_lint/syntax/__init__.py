"""The linter's syntax tree, and how a module becomes one, unit by unit, on demand."""
