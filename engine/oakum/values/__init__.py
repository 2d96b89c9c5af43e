"""The value model that the linter and the engine share: dtypes, shapes, codes, declarations."""
