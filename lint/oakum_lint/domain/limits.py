"""What an analysis may cost unless the settings say otherwise; read at every start, so alone."""

SECONDS_PER_ROOT = 20.0
"""What the analysis of one function may take by default, in seconds of processor time: a backstop.
The limit on steps, the same on all machines, comes first: after 2.3 to 2.9 seconds in simple loops,
after 4 to 10 where a step costs what it does in jax-md on a busy machine (27 to 65 microseconds).
At 4 seconds the machine decided which of the two it was."""
GC_THRESHOLD = 4_000_000
"""So many more objects before the collector looks. On flax and optax it took 0.4 of 11 seconds at
200,000, and its one look at 2,000,000 took 0.8 of 12.7; without it a run ended at 147 MB instead of
142."""
