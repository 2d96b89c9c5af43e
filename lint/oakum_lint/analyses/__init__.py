"""Properties that findings are about, each in its own place: leaks, donation, timing, ..."""
