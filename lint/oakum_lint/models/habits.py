"""What programmers call things, and what that says of what they mean: evidence, not proof.

A name keeps no finding back: what matches the first two lists is reported as likely. They are the
defaults of `trace-counters` and `call-counters` in `[tool.oakum]`. The other lists are about what
code does, as far as its text says.
"""

import re
from typing import Final

TRACE_COUNTERS: Final = (
    "*trac*",
    "*compil*",
    "*cache*",
    "*seen*",
    "*debug*",
    "*shape*",
    "*dtype*",
    "*ndim*",
    "*type(*",
    "*log",
)
"""Names of what is meant to be changed by tracing, and what is printed then on purpose."""
CALL_COUNTERS: Final = (
    "*depth*",
    "*level*",
    "*nest*",
    "*indent*",
    "*scope*",
    "*stack*",
    "*uid*",
    "*_id*",
    "*name*",
)
"""Names of what is set back when a call returns, or numbers what is made."""

MAY_DRAW: Final = re.compile(r"Dropout|dropout|make_rng")
"""What is written in flax modules some of which draw random numbers."""
DRAWING: Final = re.compile(r"(?:is_)?train(?:ing)?|enable_dropout|use_dropout", re.IGNORECASE)
"""Flags that have a module draw."""
STILL: Final = re.compile(
    r"deterministic|(?:is_)?eval(?:uate|uation)?|inference|(?:is_)?test(?:ing)?"
)
"""Flags that have it draw nothing."""
DRAW_RATE: Final = re.compile(r"(?:\w+_)?dropout(?:_\w+)?|(?:drop_?)?(?:rate|prob)|noise")
"""Rates: with zero, nothing is drawn."""

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
