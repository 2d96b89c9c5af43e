"""What an analysis may cost unless the settings say otherwise; read at every start, so alone."""

SECONDS_PER_ROOT = 4.0
"""What the analysis of one function may take by default, in seconds of processor time. The largest
of flax, optax and equinox takes 0.18; the limit on steps comes first, after 2.3 to 2.9."""
GC_THRESHOLD = 4_000_000
"""So many more objects before the collector looks. It took 0.4 of 11 seconds on flax and optax at
200,000, each look at what lives on; without it the run ended at 147 MB instead of 142."""
