# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Functions with derivative rules of their own: below transformations, and when they are wrong."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same

import oakum as jax
import oakum.numpy as jnp
from oakum import custom_derivatives, errors, lax

np: Any = pytest.importorskip("numpy")

X = np.array([0.3, -0.8, 0.5], np.float32)


def forward(j: Any) -> Any:
    """sin with a forward rule that is three times the derivative, so that its use shows."""

    @j.custom_jvp
    def f(x: Any, y: Any) -> Any:
        return j.numpy.sin(x) * y

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x, y), (dx, dy) = primals, tangents
        return f(x, y), 3.0 * j.numpy.cos(x) * y * dx + j.numpy.sin(x) * dy

    return f


def reverse(j: Any) -> Any:
    """The same with a reverse rule."""

    @j.custom_vjp
    def f(x: Any, y: Any) -> Any:
        return j.numpy.sin(x) * y

    def fwd(x: Any, y: Any) -> Any:
        return f(x, y), {"x": x, "y": y}

    def bwd(kept: Any, ct: Any) -> Any:
        x, y = kept["x"], kept["y"]
        return 3.0 * j.numpy.cos(x) * y * ct, j.numpy.sin(x) * ct

    f.defvjp(fwd, bwd)
    return f


def summed(j: Any, f: Any) -> Any:
    return lambda x, y: j.numpy.sum(j.numpy.sin(f(x, y)))


def scanned(j: Any, f: Any) -> Any:
    def run(x: Any, y: Any) -> Any:
        return j.numpy.sum(j.lax.scan(lambda c, e: (f(c, e), c), x, j.numpy.stack([y, x]))[0])

    return run


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "value": lambda j, f: f,
    "grad": lambda j, f: j.grad(summed(j, f), (0, 1)),
    "jit of grad": lambda j, f: j.jit(j.grad(summed(j, f), (0, 1))),
    "grad of jit": lambda j, f: j.grad(j.jit(summed(j, f)), (0, 1)),
    "vmap of grad": lambda j, f: j.vmap(j.grad(f, (0, 1))),
    "grad of vmap": lambda j, f: j.grad(summed(j, j.vmap(f, (0, None), 0)), (0, 1)),
    "grad of scan": lambda j, f: j.grad(scanned(j, f), (0, 1)),
    "checkpoint": lambda j, f: j.grad(j.checkpoint(summed(j, f))),
    "cond": lambda j, f: j.grad(
        summed(j, lambda x, y: j.lax.cond(x[0] > 0, f, lambda x, y: x, x, y))
    ),
}


@pytest.mark.parametrize("rule", [forward, reverse])
@pytest.mark.parametrize("way", WAYS)
def test_rules_are_used_below_every_transformation(rule: Callable[[Any], Any], way: str) -> None:
    """A stable derivative that a user wrote would be replaced by the unstable one."""
    y = np.array([1.5, 0.5, -2.0], np.float32)
    assert_same(lambda j, x, y: WAYS[way](j, rule(j))(x, y), X, y)


def test_forward_rules_in_forward_mode_and_twice() -> None:
    """Hessians of functions with rules would be those of the functions without."""
    y = np.float32(1.5)
    assert_same(lambda j, x: j.jvp(forward(j), (x, y), (x, y)), X[0])
    assert_same(lambda j, x: j.hessian(lambda x: forward(j)(x, y))(x), X[0])
    assert_same(lambda j, x: j.grad(j.grad(lambda x: reverse(j)(x, y)))(x), X[0])
    assert_same(lambda j, x: j.vmap(lambda x: j.jvp(forward(j), (x, x), (x, 1.0)))(x), X)


def test_a_reverse_rule_alone_is_refused_in_forward_mode() -> None:
    """A forward derivative through it would be that of the function without rule."""
    with pytest.raises(TypeError, match="custom_vjp function: f has a reverse rule only"):
        jax.jvp(reverse(jax), (1.0, 2.0), (1.0, 1.0))


def test_rules_by_argument() -> None:
    """An argument without a rule would get the derivative of another one."""

    def f(j: Any, x: Any) -> Any:
        g = j.custom_jvp(lambda x, y: x * y)
        g.defjvps(lambda t, out, x, y: 5.0 * t * y, None)
        return j.grad(g, (0, 1))(x, 2.0)

    assert_same(f, X[0])


@pytest.mark.parametrize("form", [{"nondiff_argnums": (0, 2)}, {"nondiff_argnames": ("g", "n")}])
def test_arguments_that_are_not_differentiated_reach_the_rules_first(form: Any) -> None:
    """A rule would be called with its arguments in another order."""

    def run(j: Any, x: Any) -> Any:
        @functools.partial(j.custom_jvp, **form)
        def one(g: Any, x: Any, n: int) -> Any:
            return g(x) * n

        one.defjvp(lambda g, n, primals, tangents: (g(primals[0]) * n, tangents[0] * n * 7.0))

        @functools.partial(j.custom_vjp, **form)
        def two(g: Any, x: Any, n: int) -> Any:
            return g(x) * n

        two.defvjp(lambda g, x, n: (g(x) * n, x), lambda g, n, x, ct: (ct * n * g(x),))
        sin = j.numpy.sin
        return j.grad(one, 1)(sin, x, 3), j.grad(lambda x: two(sin, x, n=3))(x)

    assert_same(run, X[0])


def test_array_for_an_argument_that_is_not_differentiated() -> None:
    """The rule would get a tracer of a trace that has ended."""
    f: Any = jax.custom_vjp(lambda x, n: x * n, nondiff_argnums=(1,))
    f.defvjp(lambda x, n: (x * n, None), lambda n, _, ct: (ct * n,))
    assert float(jax.grad(f)(2.0, 3.0)) == 3.0
    with pytest.raises(errors.UnexpectedTracerError, match="nondiff_argnums") as raised:
        jax.jit(lambda x, n: jax.grad(f)(x, n))(2.0, 3.0)
    assert raised.value.code.code == "OAK302"
    assert "test_custom_rules.py" in str(raised.value)


def test_symbolic_zeros_tell_rules_what_is_not_differentiated() -> None:
    """A rule could not save the work for arguments that are constant."""
    seen: list[Any] = []
    f: Any = jax.custom_jvp(lambda x, y: x * y)

    def rule(primals: Any, tangents: Any) -> Any:
        seen.extend(type(t).__name__ for t in tangents)
        assert (tangents[1].shape, tangents[1].dtype) == ((), np.float32)
        return f(*primals), primals[1] * tangents[0]

    f.defjvp(rule, symbolic_zeros=True)
    assert float(jax.grad(f)(2.0, 3.0)) == 3.0
    assert seen[1] == "SymbolicZero"
    assert seen[0] != "SymbolicZero"

    perturbed: list[Any] = []
    cotangents: list[Any] = []
    g: Any = jax.custom_vjp(lambda x, y: (x * y, x))

    def fwd(x: Any, y: Any) -> Any:
        perturbed.append((x.perturbed, y.perturbed))
        x, y = custom_derivatives.custom_vjp_primal_tree_values((x, y))
        return (x * y, x), y

    def bwd(y: Any, cts: Any) -> Any:
        cotangents.extend(type(ct).__name__ for ct in cts)
        return cts[0] * y, None

    g.defvjp(fwd, bwd, symbolic_zeros=True)
    assert float(jax.grad(lambda x: g(x, 3.0)[0])(2.0)) == 3.0
    assert perturbed == [(True, False)]
    assert cotangents[1] == "SymbolicZero"


def test_custom_gradient_and_closure_convert() -> None:
    """Rules that close over values under differentiation would lose the derivative by them."""

    def f(j: Any, x: Any) -> Any:
        @j.custom_gradient
        def clipped(x: Any) -> Any:
            return x * x, lambda ct: (j.numpy.clip(ct * 2 * x, -0.5, 0.5),)

        def outer(x: Any) -> Any:
            converted, consts = j.closure_convert(lambda y: y * j.numpy.sin(x), 1.0)
            return converted(2.0, *consts)

        return j.grad(clipped)(x), j.jit(j.grad(clipped))(x), j.grad(outer)(x)

    assert_same(f, X[0])
    converted, consts = jax.closure_convert(lambda y: y * 2.0, 1.0)
    assert consts == []
    assert float(converted(3.0)) == 6.0


def test_integers_and_none_in_the_results_of_rules() -> None:
    """A rule of a function that takes an index could not be written."""
    f: Any = jax.custom_vjp(lambda x, i, tree: x[i] * tree["a"])
    f.defvjp(lambda x, i, tree: (f(x, i, tree), (x, i)), lambda r, ct: (ct * r[0], None, None))
    found = jax.grad(f, (0, 2))(jnp.asarray(X), 1, {"a": 2.0, "b": 1.0})
    np.testing.assert_array_equal(np.asarray(found[0]), X)
    assert {k: float(v) for k, v in found[1].items()} == {"a": 0.0, "b": 0.0}


def jvp_rule(rule: Callable[..., Any]) -> Any:
    def named(x: Any) -> Any:
        return x * 2.0

    f: Any = jax.custom_jvp(named)
    f.defjvp(rule)
    return f


def vjp_rule(fwd: Callable[..., Any], bwd: Callable[..., Any]) -> Any:
    def named(x: Any) -> Any:
        return x * 2.0

    f: Any = jax.custom_vjp(named)
    f.defvjp(fwd, bwd)
    return f


def keep(x: Any) -> Any:
    return x * 2.0, None


ONES = np.ones(2, np.float32)

WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "no pair": (lambda: jvp_rule(lambda p, t: 3.0), "JVP rule of named must produce a pair"),
    "structures": (
        lambda: jvp_rule(lambda p, t: (p[0], (t[0],))),
        r"JVP rule of named .*structures, but got PyTreeDef\(\*\) and PyTreeDef\(\(\*,\)\)",
    ),
    "tangent shape": (
        lambda: jvp_rule(lambda p, t: (p[0], ONES)),
        r"JVP rule of named .*Expected f32\[\].* but got f32\[2\]",
    ),
    "tangent dtype": (
        lambda: jvp_rule(lambda p, t: (p[0], jnp.int32(1))),
        r"JVP rule of named .*Expected f32\[\].* but got i32\[\]",
    ),
    "no residuals": (lambda: vjp_rule(lambda x: x, lambda r, ct: (ct,)), "fwd rule of named"),
    "no tuple": (lambda: vjp_rule(keep, lambda r, ct: ct), "bwd rule of named .*be a tuple"),
    "too many": (
        lambda: vjp_rule(keep, lambda r, ct: (ct, ct)),
        "bwd rule of named .*length equal to the number of arguments",
    ),
    "cotangent shape": (
        lambda: vjp_rule(keep, lambda r, ct: (ONES,)),
        r"bwd rule of named .*expected f32\[\] .*but got f32\[2\]",
    ),
    "cotangent dtype": (
        lambda: vjp_rule(keep, lambda r, ct: (jnp.int32(1),)),
        r"bwd rule of named .*expected f32\[\] .*but got i32\[\]",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_results_of_rules_say_what_and_whose(case: str) -> None:
    """A rule with a wrong result would give a wrong gradient, or fail far from the rule."""
    make, words = WRONG[case]
    for transform in (jax.grad, lambda f: jax.jit(jax.grad(f))):
        with pytest.raises(TypeError, match=words) as raised:
            transform(make())(jnp.float32(1.0))
        assert isinstance(raised.value, errors.OakumError)


@pytest.mark.parametrize("result", [ONES, np.int32(1), (np.float32(1.0),)])
def test_rules_give_the_result_of_the_function(result: Any) -> None:
    """A compiled function would go on with a value of another shape than it was compiled for."""
    tangent: Any = jax.tree.map(np.zeros_like, result)
    one = jvp_rule(lambda p, t: (result, tangent))
    two = vjp_rule(lambda x: (result, None), lambda r, ct: (ct,))
    for f, words in ((one, "JVP rule of named"), (two, "fwd rule of named")):
        with pytest.raises(TypeError, match=words) as raised:
            jax.grad(jax.jit(f))(jnp.float32(1.0))
        assert isinstance(raised.value, errors.OakumError)


@pytest.mark.parametrize("kind", [jax.custom_jvp, jax.custom_vjp])
def test_function_without_its_rule_says_so(kind: Callable[..., Any]) -> None:
    """A forgotten defjvp or defvjp would go unnoticed."""
    with pytest.raises(AttributeError, match=r"No [JV][VJ]P defined for .* function sin") as raised:
        kind(lax.sin)(1.0)
    assert isinstance(raised.value, errors.OakumError)
    assert raised.value.code.code == "OAK303"


_THREE = jnp.arange(3.0)


def _forward(function: Callable[..., Any], rule: Callable[..., Any]) -> Any:
    ruled = jax.custom_jvp(function)
    ruled.defjvp(rule)
    return ruled


def _unmapped_operand(z: Any) -> Any:
    return jax.vmap(lambda x: _forward(lambda y: x * y, lambda p, t: (x * p[0], x * t[0]))(z))(
        _THREE
    )


def _rule_alone(z: Any) -> Any:
    return jax.vmap(lambda x: _forward(lambda y: y, lambda p, t: (p[0], x * t[0]))(z))(_THREE)


def _mapped_operand(z: Any) -> Any:
    def f(x: Any, w: Any) -> Any:
        return _forward(lambda y: x * y, lambda p, t: (x * p[0], x * t[0]))(w * z)

    return jax.vmap(f)(_THREE, jnp.ones(3))


def _residuals(z: Any) -> Any:
    def f(x: Any) -> Any:
        ruled = jax.custom_vjp(lambda y: x * y)
        ruled.defvjp(lambda y: (x * y, x), lambda x, ct: (ct * x,))
        return ruled(z)

    return jax.vmap(f)(_THREE)


def _two_axes(z: Any) -> Any:
    def f(x: Any, v: Any) -> Any:
        return _forward(lambda y: x * y * v, lambda p, t: (x * p[0] * v, x * v * t[0]))(z)

    return jnp.diagonal(
        jax.vmap(lambda x: jax.vmap(lambda v: f(x, v))(_THREE))(_THREE)
    ) / jnp.array([1.0, 1.0, 2.0])


@pytest.mark.parametrize(
    "function", [_unmapped_operand, _rule_alone, _mapped_operand, _residuals, _two_axes]
)
def test_a_rule_may_close_over_an_element_of_the_axis_it_is_called_under(function: Any) -> None:
    ones = [1.0, 1.0, 1.0] if function is _rule_alone else [0.0, 1.0, 2.0]
    assert jax.jit(function)(1.0).tolist() == ones
    for jacobian in (jax.jacrev(function), jax.jit(jax.jacrev(function))):
        assert jacobian(1.0).tolist() == [0.0, 1.0, 2.0]
    if function is not _residuals:
        assert jax.jacfwd(function)(1.0).tolist() == [0.0, 1.0, 2.0]


def test_a_backward_rule_that_closes_over_an_element_names_the_line() -> None:
    def mapped(z: Any) -> Any:
        def f(x: Any) -> Any:
            ruled = jax.custom_vjp(lambda y: x * y)
            ruled.defvjp(lambda y: (x * y, None), lambda _, ct: (ct * x,))
            return ruled(z)

        return jnp.sum(jax.vmap(f)(_THREE))

    # The backward rule runs after `vmap` has ended, as in JAX.
    with pytest.raises(errors.UnexpectedTracerError, match="traced for vmap"):
        jax.grad(mapped)(1.0)
