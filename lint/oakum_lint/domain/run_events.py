"""Events about how programs run: how often they are compiled, on which device, who waits for them.

They are about code outside every trace, or about what tracing costs; those about traced values are
in `events`.
"""

from oakum.values.records import dataclass
from oakum_lint.domain.events import Event


@dataclass(frozen=True, slots=True)
class JitInLoop(Event):
    """A compiled function is made of a new function object, and called, in each iteration of a
    loop."""


@dataclass(frozen=True, slots=True)
class Retracing(Event):
    """A loop calls a compiled function with something new to compile for in each iteration: another
    value of the static `parameter`, or with none an array of another shape.
    """

    function: str
    parameter: str


@dataclass(frozen=True, slots=True)
class UnrolledLoop(Event):
    """A Python loop of many iterations makes traced operations in each of them."""

    rounds: int


@dataclass(frozen=True, slots=True)
class UnawaitedTiming(Event):
    """The difference of two times is taken, between which a jitted function was called and nobody
    waited for its result. `function` is that function.
    """

    function: str


@dataclass(frozen=True, slots=True)
class DeviceMismatch(Event):
    """The operands of an operation, or the arguments of a jitted function, are arrays that were put
    on two devices; `devices` names them.
    """

    devices: tuple[str, str]
