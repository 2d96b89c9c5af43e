"""What applies rewriting rules: patterns, rules as data, matching, and a program being written."""
