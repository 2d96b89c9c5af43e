"""The version of oakum, in one place: the build, `oakum --version` and the reports read it here."""

__version__ = "0.2.0"
