"""What an analysis may cost before it is cut short, and what it has cost.

Every limit here speaks: what is not analysed for it becomes an OAK003 (see `cuts`). The limits that
count come before the clock, so that the findings do not depend on how fast the machine is.
"""

from time import thread_time

from oakum.values.records import dataclass

MAX_DEPTH = 1_000
"""Calls deeper than this are not followed. Some 15 frames of Python each: they fit into the stack
that the analysis gets."""
MAX_ACTIVATIONS = 60
"""How often one function is entered from one root before its calls are followed for arguments of
which only the kinds are known: those are few."""
MAX_STEPS = 150_000
"""Expressions evaluated from one root before everything is Unknown: 2.3 seconds of a processor
in loops of additions, 2.9 in loops of calls (15 and 20 microseconds a step, on a busy machine). The
largest root of flax, optax and equinox takes 3,008."""
MAX_ITERATIONS = 512
"""So often, at most, loops around some code have it interpreted: a nest of three loops over eight
known items each. A loop that would have it done more often is interpreted once for all items."""
CLOCK_PERIOD = 256
"""The clock is read after so many steps. A reading takes 0.7 microseconds, a 25th of a step; so
many steps, 5 milliseconds."""


@dataclass(slots=True)
class Statistics:
    """The work of an analysis, in numbers."""

    roots: int = 0
    calls: int = 0
    steps: int = 0
    remembered: int = 0


class Running:
    """The activations that run now, counted by what runs: a call asks whether it is one of itself,
    and looking through all its callers made deep compositions take quadratic time.
    """

    __slots__ = ("_closures", "_definitions")

    def __init__(self) -> None:
        self._definitions: dict[int, int] = {}
        self._closures: dict[tuple[int, int], int] = {}

    def enter(self, definition: int, scope: int) -> None:
        """Notes that a function with a closure begins."""
        key = (definition, scope)
        self._definitions[definition] = self._definitions.get(definition, 0) + 1
        self._closures[key] = self._closures.get(key, 0) + 1

    def leave(self, definition: int, scope: int) -> None:
        """Notes that it has ended."""
        self._definitions[definition] -= 1
        self._closures[definition, scope] -= 1

    def of_definition(self, definition: int) -> int:
        """How many activations of a definition run, with any closure."""
        return self._definitions.get(definition, 0)

    def of_closure(self, definition: int, scope: int) -> int:
        """How many activations of a definition run with this closure."""
        return self._closures.get((definition, scope), 0)


class Budget:
    """The steps and the time that one root may still take."""

    __slots__ = ("_seconds", "_start", "activations", "check_at", "cuts", "steps")

    def __init__(self, seconds: float) -> None:
        self.steps = MAX_STEPS
        self.check_at = MAX_STEPS - CLOCK_PERIOD
        """With fewer steps than this, `runs_out` has something to say."""
        self.activations: dict[int, int] = {}
        """How often each function was entered, by the identity of its definition."""
        self.cuts: set[str] = set()
        """The causes of what was cut, each reported once."""
        self._seconds = seconds
        self._start: float | None = None
        """None before the first look at the clock, which most roots never take: to ask it for each
        of the 13,000 roots of flax and optax takes 0.5% of the time."""

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left: code that runs is then passed once, and nothing is entered."""
        return self.steps < 0

    @property
    def used(self) -> int:
        """How many steps were taken."""
        return MAX_STEPS - max(self.steps, 0)

    def runs_out(self) -> str:
        """Returns the limit that has just been used up, in words; "" while something is left, or
        where it was known already.
        """
        if "spent" in self.cuts:  # each expression that is left of the root asks
            return ""
        if self.steps < 0:
            return self._first(f"{MAX_STEPS:,} steps")
        self.check_at = max(self.steps - CLOCK_PERIOD, 0)
        now = thread_time()
        if self._start is None:
            self._start = now
        if now <= self._start + self._seconds:
            return ""
        self.steps, self.check_at = -1, 0
        return self._first(f"{self._seconds:g} seconds")

    def _first(self, limit: str) -> str:
        self.check_at = 0
        self.cuts.add("spent")
        return limit

    def enter(self, definition: int) -> None:
        """Counts an activation of a function."""
        self.activations[definition] = self.activations.get(definition, 0) + 1

    def begin_inner(self) -> "Budget":
        """A budget like this one for another root, which is analysed meanwhile."""
        inner = Budget(self._seconds)
        if self._start is not None:
            inner._start = thread_time()
        return inner

    def leave_out(self, inner: "Budget") -> None:
        """Leaves the time out that another root took that was analysed meanwhile."""
        if self._start is not None and inner._start is not None:
            self._start += thread_time() - inner._start
