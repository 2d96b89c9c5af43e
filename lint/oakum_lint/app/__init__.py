"""The application: the command line, configuration, runs over files, reports, fixing."""
