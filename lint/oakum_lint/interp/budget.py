"""What an analysis may cost before it is cut short, and what it has cost."""

from collections import Counter, defaultdict

from oakum.records import dataclass, field

MAX_DEPTH = 24
"""Calls deeper than this give Unknown."""
MAX_ACTIVATIONS = 60
"""How often one function may be entered from one root before its calls give Unknown."""
MAX_STEPS = 400_000
"""Expressions evaluated from one root before everything gives Unknown."""


@dataclass(slots=True)
class Statistics:
    """What an analysis did, and where a bound cut it short."""

    roots: int = 0
    calls: int = 0
    steps: int = 0
    remembered: int = 0
    cut: Counter[str] = field(default_factory=Counter[str])


class Budget:
    """What one root may still cost."""

    __slots__ = ("activations", "steps")

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.activations: defaultdict[int, int] = defaultdict(int)
