"""What the linter knows of libraries that are not the engine: NumPy, the builtins, frameworks."""
