"""Native code of the host: compiled, linked, kept, and run by threads."""
