"""What all fixes are made of: names, expressions, scopes, comments."""
