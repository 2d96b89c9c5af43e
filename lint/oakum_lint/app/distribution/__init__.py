"""One run in several processes, or on several machines."""
