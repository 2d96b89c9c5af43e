"""Tracing: traces, tracers and `bind`, the typed programs that tracing makes, and their errors."""
