"""Names of modules: those that never change, and those that are imported with `*`."""
