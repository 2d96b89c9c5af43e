"""What an analysis may cost unless the settings say otherwise; read at every start, so alone."""

SECONDS_PER_ROOT = 4.0
"""What the analysis of one function may take by default, in seconds of processor time. The largest
of flax, optax and equinox takes 0.18; the limit on steps comes first, after 2.3 to 2.9."""
GC_THRESHOLD = 4_000_000
"""So many more objects before the collector looks. On flax and optax it took 0.4 of 11 seconds at
200,000, and its one look at 2,000,000 took 0.8 of 12.7; without it a run ended at 147 MB instead of
142."""
