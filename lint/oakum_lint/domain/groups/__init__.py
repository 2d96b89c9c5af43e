"""Work in groups, each of which starts where the bodies of modules have ended."""
