"""What programmers call things, and what that tells of what they mean: evidence, not proof.

A finding that is kept back for one of these is kept back for a name. Each list says what it is
taken for.
"""

import re
from typing import Final

COUNTS_TRACES: Final = re.compile(r"trac|compil|cache|seen|debug|shape|log$", re.IGNORECASE)
"""Names of what is meant to be changed by tracing."""
FOLLOWS_CALLS: Final = re.compile(
    r"depth|level|nest|indent|scope|stack|uid|_id|name", re.IGNORECASE
)
"""Names of what is set back when a call returns, or numbers what is made."""
TELLS_OF_TRACING: Final = re.compile(r"trac|compil|shape|dtype|ndim|type\(", re.IGNORECASE)
"""What is printed under tracing on purpose."""

MAY_DRAW: Final = re.compile(r"Dropout|dropout|make_rng")
"""What the code of flax modules says of which some draw random numbers."""
DRAWING: Final = re.compile(r"(?:is_)?train(?:ing)?|enable_dropout|use_dropout", re.IGNORECASE)
"""Flags that have a module draw."""
STILL: Final = re.compile(
    r"deterministic|(?:is_)?eval(?:uate|uation)?|inference|(?:is_)?test(?:ing)?"
)
"""Flags that have it draw nothing."""
DRAW_RATE: Final = re.compile(r"(?:\w+_)?dropout(?:_\w+)?|(?:drop_?)?(?:rate|prob)|noise")
"""Rates: with zero, nothing is drawn."""

CHOOSING: Final = re.compile(r"where|cond|select|clip|minimum|maximum|mask|pad|%")
"""What code says that may take care of indices beyond the end."""
SELECTION: Final = re.compile(r"\b(?:where|select|cond|switch|piecewise)\b")
"""What code says that may leave out the numbers at which a derivative is infinite."""
ENABLES_X64: Final = re.compile(r"enable_x64(?!\W*\b(?:False|0)\b)", re.IGNORECASE)
"""What a program that enables x64 says somewhere: `jax_enable_x64`, `JAX_ENABLE_X64`, ...; not what
turns it off.
"""
EXPECTS_ERRORS: Final = re.compile(r"\b(assertRaises|raises)\w*\(")
"""What a test says that expects errors."""
ARRAY_ANNOTATION: Final = re.compile(
    r"^(jax\.Array|Array|jnp\.ndarray|jnp\.array|chex\.Array|ArrayLike)$"
)
"""Annotations, as they are usually spelled, that say that a parameter is an array."""
