"""The elementary functions, a row each: the declaration, and all that makes its primitive.

Each computes element by element on one operand. A row says what a function is called, how NumPy
evaluates it, what its derivative is, and which module of the compiler has its code; the primitive
is made when the function is first called, so that to read the declarations costs nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, Final

from oakum import lax
from oakum.abstract.elementwise import FLOATS, INEXACT, Elementwise, Groups, exact
from oakum.array import Array
from oakum.errors import NotEvaluatedError
from oakum.lax.options import AccuracyMode, Tolerance
from oakum.primitives.rules import numpy_evaluation
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.declarations import public
from oakum.values.facts import EdgeRole

Derivative = Callable[[Any, Any, Any], Any]
"""From a tangent, the result and the operand."""

AccurateDerivative = Callable[[Any, Any, Any, Any], Any]
"""From these and the accuracy that was asked for."""


class ElementaryFunction:
    """What is known of an elementary function, by its name among the primitives and in `lax`."""

    __slots__ = ("_primitive", "derivative", "edge", "evaluate", "kernel", "name", "poles", "rule")

    def __init__(
        self,
        name: str,
        accepts: Groups,
        derivative: Derivative | AccurateDerivative,
        kernel: str,
        evaluate: str | Callable[..., Any],
        edge: EdgeRole,
        poles: tuple[float, ...],
    ) -> None:
        self.name = name
        self.rule: Elementwise = exact(accepts).over("x").named(name)
        self.derivative = derivative
        self.kernel = kernel
        """The module of `compile/elementary` that writes it; "" where the machine has it."""
        self.evaluate = evaluate
        """The name of NumPy's function, or what computes it with NumPy."""
        self.edge: EdgeRole = edge
        self.poles = poles
        self._primitive: Primitive | None = None

    @property
    def primitive(self) -> Primitive:
        """The primitive, made when first asked for."""
        if self._primitive is None:
            from oakum.primitives.rules import batching, lowering  # not for the linter

            self._primitive = Primitive(
                self.name,
                abstract=self._abstract,
                evaluate=numpy_evaluation.by(self.evaluate),
                derivatives=(self.derivative,),
                batch=batching.elementwise,
                lower=lowering.Elementwise(self.name),
                exact=not self.kernel,
            )
        return self._primitive

    def _abstract(self, x: ShapedArray, *, accuracy: object = None) -> ShapedArray:
        if not isinstance(accuracy, _ACCURACIES):
            raise NotEvaluatedError(
                f"{self.name} with an accuracy of {accuracy!r} is not known to this version of "
                "oakum",
                hint="Give an AccuracyMode or a Tolerance of jax.lax, or leave it out.",
            )
        return self.rule.exact(x)


_ACCURACIES: Final = (type(None), AccuracyMode, Tolerance)
"""What elementary functions are asked for; they are as accurate as is asked for in any case."""


_FUNCTIONS: Final[dict[str, ElementaryFunction]] = {}

FUNCTIONS: Final[Mapping[str, ElementaryFunction]] = MappingProxyType(_FUNCTIONS)
"""The rows, by name."""


def _row(
    name: str,
    accepts: Groups,
    derivative: Derivative | AccurateDerivative,
    kernel: str,
    evaluate: str | Callable[..., Any],
    edge: EdgeRole,
    poles: tuple[float, ...],
) -> ElementaryFunction:
    row = ElementaryFunction(name, accepts, derivative, kernel, evaluate or name, edge, poles)
    _FUNCTIONS[name] = row
    return row


def _accurate(
    name: str,
    doc: str,
    kernel: str,
    derivative: AccurateDerivative,
    *,
    evaluate: str | Callable[..., Any] = "",
    accepts: Groups = INEXACT,
    edge: EdgeRole = "",
    poles: tuple[float, ...] = (),
):
    """Declares a function that may be asked for an accuracy."""
    row = _row(name, accepts, derivative, kernel, evaluate, edge, poles)

    def function(x: ArrayLike, *, accuracy: object = None) -> Array:
        return row.primitive.bind(x, accuracy=accuracy)

    _name(function, name, doc)
    return public(f"lax.{name}", row.rule, edge=edge, poles=poles)(function)


def _plain(
    name: str,
    doc: str,
    kernel: str,
    derivative: Derivative,
    *,
    evaluate: str = "",
    edge: EdgeRole = "",
    poles: tuple[float, ...] = (),
):
    """Declares a function that takes its operand alone."""
    row = _row(name, INEXACT, derivative, kernel, evaluate, edge, poles)

    def function(x: ArrayLike) -> Array:
        return row.primitive.bind(x)

    _name(function, name, doc)
    return public(f"lax.{name}", row.rule, edge=edge, poles=poles)(function)


def _name(function: Callable[..., Any], name: str, doc: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc


def _number(x: ArrayLike, value: float) -> Any:
    """Returns a number of the dtype and the weak type of an operand."""
    # The linter reads the declarations here; arrays with data are none of its business.
    from oakum.primitives.rules.arguments import number_like

    return number_like(x, value)


def _plus_one(x: ArrayLike) -> Any:
    return lax.add(x, _number(x, 1))


def _one_plus_square(x: ArrayLike) -> Any:
    return lax.add(_number(x, 1), lax.square(x))


def _exp2(xp: ModuleType, x: host.Array, **params: object) -> Any:
    if x.dtype.kind == "c":
        return xp.exp(x * xp.array(xp.log(2.0), x.dtype))
    return xp.exp2(x)


def _expm1(xp: ModuleType, x: host.Array, **params: object) -> Any:
    return numpy_evaluation.expm1(xp, x) if x.dtype.kind == "c" else xp.expm1(x)


def _expm1_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    if accuracy is AccuracyMode.HIGHEST:
        return lax.mul(g, lax.exp(x, accuracy=accuracy))
    return lax.mul(g, _plus_one(out))


def _log1p(xp: ModuleType, x: host.Array, **params: object) -> Any:
    """Returns the logarithm of 1 + x, whose modulus is near 1 for small complex x."""
    if x.dtype.kind != "c":
        return xp.log1p(x)
    z: Any = x
    a, b = z.real, z.imag
    near = (xp.abs(a) < 0.5) & (xp.abs(b) < 0.5)
    excess = xp.where(near, a * (2 + a) + b * b, 0)
    far = xp.log(1 + z).real  # Which finds the logarithm of a modulus that overflows.
    modulus = xp.where(near, 0.5 * xp.log1p(excess), far)
    return numpy_evaluation.joined(xp, modulus, xp.arctan2(b, 1 + a), x.dtype)


def _tanh_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    if accuracy is AccuracyMode.HIGHEST:
        up = lax.logistic(lax.mul(_number(x, 2), x), accuracy=accuracy)
        down = lax.logistic(lax.mul(_number(x, -2), x), accuracy=accuracy)
        return lax.mul(g, lax.mul(_number(x, 4), lax.mul(up, down)))
    return lax.mul(lax.add(g, lax.mul(g, out)), lax.sub(_number(x, 1), out))


def _reciprocal(xp: ModuleType, x: host.Array) -> Any:
    one = xp.ones_like(x)
    return numpy_evaluation.divide(xp, one, x) if x.dtype.kind == "c" else one / x


def _logistic(xp: ModuleType, x: host.Array, **params: object) -> Any:
    if x.dtype.kind == "c":
        return _reciprocal(xp, xp.array(1, x.dtype) + xp.exp(-x))
    # The exponential does not overflow, where the result is small but not zero.
    wide = x.astype(xp.float32) if x.dtype == xp.float16 else x
    small = xp.exp(-xp.abs(wide))
    return (xp.where(wide < 0, small, 1) / (1 + small)).astype(x.dtype)


def _logistic_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    if accuracy is AccuracyMode.HIGHEST:
        return lax.mul(g, lax.mul(out, lax.logistic(lax.neg(x))))
    return lax.mul(g, lax.mul(out, lax.sub(_number(out, 1), out)))


def _rsqrt(xp: ModuleType, x: host.Array, **params: object) -> Any:
    return _reciprocal(xp, xp.sqrt(x))


def _cos_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, accuracy: object) -> Any:
    return lax.neg(lax.mul(g, lax.sin(x, accuracy=accuracy)))


def _cosh_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    return lax.mul(g, lax.sinh(x))


exp = _accurate(
    "exp",
    "Computes exponentials.",
    "exponentials",
    lambda g, out, x, accuracy: lax.mul(g, out),
)
exp2 = _accurate(
    "exp2",
    "Computes powers of two.",
    "exponentials",
    lambda g, out, x, accuracy: lax.mul(lax.log(_number(x, 2)), lax.mul(g, out)),
    evaluate=_exp2,
)
expm1 = _accurate(
    "expm1",
    "Computes exponentials minus one, accurately near zero.",
    "exponentials",
    _expm1_derivative,
    evaluate=_expm1,
)
log = _accurate(
    "log",
    "Computes natural logarithms.",
    "logarithms",
    lambda g, out, x, accuracy: lax.div(g, x),
    edge="singular",
    poles=(0.0,),
)
log1p = _accurate(
    "log1p",
    "Computes logarithms of one plus each element, accurately near zero.",
    "logarithms",
    lambda g, out, x, accuracy: lax.div(g, _plus_one(x)),
    evaluate=_log1p,
    edge="singular",
    poles=(-1.0,),
)
tanh = _accurate("tanh", "Computes hyperbolic tangents.", "exponentials", _tanh_derivative)
logistic = _accurate(
    "logistic",
    "Computes the logistic function.",
    "exponentials",
    _logistic_derivative,
    evaluate=_logistic,
)
sqrt = _accurate(
    "sqrt",
    "Computes square roots.",
    "",
    lambda g, out, x, accuracy: lax.mul(g, lax.div(_number(x, 0.5), out)),
    edge="root",
    poles=(0.0,),
)
rsqrt = _accurate(
    "rsqrt",
    "Computes reciprocals of square roots.",
    "powers",
    lambda g, out, x, accuracy: lax.mul(g, lax.mul(_number(x, -0.5), lax.div(out, x))),
    evaluate=_rsqrt,
    edge="singular",
    poles=(0.0,),
)
cbrt = _accurate(
    "cbrt",
    "Computes cube roots.",
    "powers",
    lambda g, out, x, accuracy: lax.mul(g, lax.mul(_number(x, 1 / 3), lax.integer_pow(out, -2))),
    accepts=FLOATS,
    edge="singular",
)
sin = _accurate(
    "sin",
    "Computes sines.",
    "circular",
    lambda g, out, x, accuracy: lax.mul(g, lax.cos(x, accuracy=accuracy)),
)
cos = _accurate(
    "cos",
    "Computes cosines.",
    "circular",
    _cos_derivative,
    edge="nonzero",
)
tan = _accurate(
    "tan",
    "Computes tangents.",
    "circular",
    lambda g, out, x, accuracy: lax.mul(g, _one_plus_square(out)),
)
asin = _plain(
    "asin",
    "Computes inverse sines.",
    "inverse_circular",
    lambda g, out, x: lax.mul(g, lax.rsqrt(lax.sub(_number(x, 1), lax.square(x)))),
    evaluate="arcsin",
    edge="arc",
    poles=(-1.0, 1.0),
)
acos = _plain(
    "acos",
    "Computes inverse cosines.",
    "inverse_circular",
    lambda g, out, x: lax.mul(g, lax.neg(lax.rsqrt(lax.sub(_number(x, 1), lax.square(x))))),
    evaluate="arccos",
    edge="arc",
    poles=(-1.0, 1.0),
)
atan = _plain(
    "atan",
    "Computes inverse tangents.",
    "inverse_circular",
    lambda g, out, x: lax.div(g, _one_plus_square(x)),
    evaluate="arctan",
)
sinh = _plain(
    "sinh",
    "Computes hyperbolic sines.",
    "hyperbolic",
    lambda g, out, x: lax.mul(g, lax.cosh(x)),
)
cosh = _plain(
    "cosh",
    "Computes hyperbolic cosines.",
    "hyperbolic",
    _cosh_derivative,
    edge="nonzero",
)
asinh = _plain(
    "asinh",
    "Computes inverse hyperbolic sines.",
    "hyperbolic",
    lambda g, out, x: lax.mul(g, lax.rsqrt(lax.add(lax.square(x), _number(x, 1)))),
    evaluate="arcsinh",
)
acosh = _plain(
    "acosh",
    "Computes inverse hyperbolic cosines.",
    "hyperbolic",
    lambda g, out, x: lax.mul(g, lax.rsqrt(lax.sub(lax.square(x), _number(x, 1)))),
    evaluate="arccosh",
    edge="singular",
    poles=(1.0,),
)
atanh = _plain(
    "atanh",
    "Computes inverse hyperbolic tangents.",
    "hyperbolic",
    lambda g, out, x: lax.mul(
        lax.integer_pow(lax.add(_number(x, 1), x), -1), lax.div(g, lax.sub(_number(x, 1), x))
    ),
    evaluate="arctanh",
    edge="singular",
    poles=(-1.0, 1.0),
)
