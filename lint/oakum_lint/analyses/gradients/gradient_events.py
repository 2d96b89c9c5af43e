"""Events about derivatives that are zero everywhere, or NaN."""

from oakum.values.records import dataclass
from oakum_lint.domain.events import Event


@dataclass(frozen=True, slots=True)
class ZeroGradient(Event):
    """The whole result of a differentiated function passes an operation whose derivative is zero.
    `function` is differentiated by `transform`; the operand is the operation. Or nothing depends on
    the arguments by which it is, which are `independent`, and the operand is the call.
    """

    transform: str
    function: str
    independent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NanGradient(Event):
    """A derivative that may be infinite meets a factor of zero: `where` selects around `function`
    by its own argument, or, with no `names`, `function` is differentiated at zero (`partly`: where
    each element is subtracted from itself; `corner`: where both arguments are zero; `equal`: where
    all elements are equal; `bounded`: at a bound that stands for what is beyond it; `number`: at
    that number, where the derivative is infinite, or, where it is `beyond` the domain, NaN), or
    `hidden` takes the NaN out of its result.
    """

    function: str
    names: tuple[str, ...] = ()
    partly: bool = False
    corner: bool = False
    equal: bool = False
    bounded: bool = False
    hidden: str = ""
    number: float | None = None
    beyond: bool = False
