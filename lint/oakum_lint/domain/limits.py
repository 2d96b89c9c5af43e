"""What an analysis may cost unless the settings say otherwise; read at every start, so alone."""

SECONDS_PER_ROOT = 4.0
"""What the analysis of one function may take by default, in seconds of processor time. The largest
of flax, optax and equinox takes 0.18; the limit on steps comes first, after 2.3 to 2.9."""
