"""What the parameters of public functions mean, by their names.

The table `parameter_meanings.txt` has a row for each name. One that means something else in a
package or a function has a row of its own there, under its prefix; the longest prefix counts.
"""

from __future__ import annotations

import functools
from pathlib import Path


@functools.cache
def meanings() -> dict[str, str]:
    """Returns the rows of the table."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    rows = (line.partition(": ") for line in text.splitlines())
    return {name: sentence for name, _, sentence in rows}


def meaning(function: str, parameter: str) -> str:
    """Returns what a parameter of a function means; "" where its name does not say it.

    >>> meaning("random.normal", "shape")
    'The shape of the draws; None takes that of the parameters.'
    >>> meaning("lax.foo", "unheard_of")
    ''
    """
    parts = function.split(".")
    for length in range(len(parts), -1, -1):
        found = meanings().get(".".join((*parts[:length], parameter)))
        if found is not None:
            return found
    return ""
