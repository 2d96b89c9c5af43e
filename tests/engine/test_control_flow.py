# pyright: basic
# JAX's functions are typed too loosely for the strict mode.
"""Loops, branches and scans give what real JAX gives, and refuse what it refuses."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum

jax: Any = pytest.importorskip("jax")

Case = Callable[[Any, Any, Any], Any]
"""Takes the package, its numpy and its lax."""

XS = np.array([0.5, -1.0, 2.0, 0.25], np.float32)
MATRIX = np.array([[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [0.2, 0.1, 0.9]], np.float32)
VECTOR = np.array([0.3, -0.7, 1.1], np.float32)


def on(package: Any, case: Case) -> Any:
    return case(package, importlib.import_module(f"{package.__name__}.numpy"), package.lax)


def described(tree: Any) -> list[Any]:
    leaves = jax.tree_util.tree_leaves(tree, is_leaf=lambda x: hasattr(x, "aval"))
    return [(np.shape(x), np.dtype(getattr(x, "dtype", jax.numpy.result_type(x)))) for x in leaves]


def agree(case: Case) -> None:
    """Values, shapes, dtypes and structures are those of real JAX."""
    theirs, ours = on(jax, case), on(oakum, case)
    assert described(ours) == described(theirs)
    left, right = jax.tree_util.tree_leaves(theirs), oakum.tree_util.tree_leaves(ours)
    for one, two in zip(left, right, strict=True):
        np.testing.assert_allclose(np.asarray(two), np.asarray(one), rtol=2e-5, atol=2e-5)


def refused(case: Case, error: type[Exception], *words: str) -> str:
    """Both refuse with the class; our message has the words and the user's file."""
    with pytest.raises(error):
        on(jax, case)
    with pytest.raises(error) as raised:
        on(oakum, case)
    for word in words:
        assert word in str(raised.value)
    return str(raised.value)


def test_scan_of_trees_in_both_directions() -> None:
    """A scan would run in the wrong order, or give its results in another structure."""
    for reverse in (False, True):

        def case(j: Any, np: Any, lax: Any, reverse: bool = reverse) -> Any:
            def step(c: Any, x: Any) -> Any:
                return {"a": c["a"] * x["u"] + 1, "n": c["n"] + 1}, (c["a"], {"y": x["u"] - c["n"]})

            xs = {"u": XS, "v": (XS[:, None],)}
            return lax.scan(step, {"a": 0.5, "n": 0}, xs, reverse=reverse, unroll=3)

        agree(case)


def test_weakly_typed_state_takes_the_dtype_of_the_body() -> None:
    """`lax.scan(f, 0, xs)` with a body that gives floats would be refused."""
    agree(lambda j, np, lax: lax.scan(lambda c, x: (c + x, c), 0, XS))
    agree(lambda j, np, lax: lax.while_loop(lambda c: c < 9, lambda c: c * 1.5 + 1, 1))
    agree(lambda j, np, lax: lax.fori_loop(0, 3, lambda i, c: c * 0.5, 3))


@pytest.mark.parametrize("package", [jax, oakum], ids=["jax", "oakum"])
def test_scan_over_nothing_keeps_the_state(package: Any) -> None:
    """A scan of no steps would not give its initial state."""
    carry, ys = package.lax.scan(lambda c, x: (c + 1, c * x), 1.5, np.zeros((0, 3), np.float32))
    assert float(carry) == 1.5
    assert ys.shape == (0, 3)


def test_gradients_of_scans_in_all_nestings() -> None:
    """Training a recurrent network would give wrong gradients."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def loss(matrix: Any, c: Any, xs: Any) -> Any:
            def step(c: Any, x: Any) -> Any:
                c = np.tanh(np.dot(np.sin(matrix), c) * x)
                return c, (c * x, x)

            c, (ys, _) = lax.scan(step, c, xs)
            return c.sum() + (ys**2).sum()

        both = j.grad(loss, (0, 1, 2))
        return (
            both(MATRIX, VECTOR, XS),
            j.jit(both)(MATRIX, VECTOR, XS),
            j.vmap(both, (None, 0, None))(MATRIX, np.stack([VECTOR, 2 * VECTOR]), XS),
            j.vmap(j.jit(both), (0, None, 1))(
                np.stack([MATRIX, -MATRIX]), VECTOR, np.stack([XS, XS + 1], 1)
            ),
            j.jacfwd(j.grad(loss))(MATRIX, VECTOR, XS),
            j.jacrev(j.grad(loss, 1), 1)(MATRIX, VECTOR, XS),
            j.grad(lambda m: (j.grad(j.checkpoint(loss))(m, VECTOR, XS) ** 2).sum())(MATRIX),
        )

    agree(case)


def test_fori_loops_with_known_and_unknown_bounds() -> None:
    """A loop with Python bounds could not be differentiated in reverse, or would count wrongly."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def known(x: Any) -> Any:
            return lax.fori_loop(1, 5, lambda i, c: c * x + i, x)

        def unknown(n: Any, x: Any) -> Any:
            return lax.fori_loop(np.int32(0), n, lambda i, c: c * x + i, x)

        return (
            known(0.7),
            j.grad(known)(0.7),
            j.jit(j.grad(j.grad(known)))(0.7),
            j.jit(unknown)(4, 0.7),
            j.vmap(unknown)(np.arange(4), np.arange(4.0)),
            j.vmap(unknown, (0, None))(np.arange(4), 0.5),
            j.jvp(lambda x: unknown(np.array(3), x), (0.7,), (1.0,)),
            j.linearize(lambda x: j.jit(unknown)(4, x), 0.7)[1](2.0),
            lax.fori_loop(3, 1, lambda i, c: c + 1, 7),
        )

    agree(case)


def test_while_loops_mapped_and_in_forward_mode() -> None:
    """Elements that are done would go on changing while others run."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def run(x: Any, limit: Any) -> Any:
            def step(s: Any) -> Any:
                return s[0] * 1.5 + s[2], s[1] + 1, s[2]

            return lax.while_loop(lambda s: s[0] < limit, step, (x, 0, 0.1 * x))

        starts = np.array([1.0, 3.0, 20.0])
        return (
            run(1.0, 10.0),
            j.jit(run)(1.0, 10.0),
            j.vmap(run, (0, None))(starts, 10.0),
            j.vmap(run, (None, 0))(1.0, starts),
            j.vmap(j.vmap(run, (0, None)), (None, 0))(starts, starts),
            j.jvp(lambda x: run(x, 10.0)[0], (1.0,), (2.0,)),
            j.jacfwd(lambda x: run(x, 10.0)[0])(1.0),
        )

    agree(case)


def test_reverse_mode_of_a_while_loop_is_refused_with_the_way_out() -> None:
    """The user would not learn that a scan can be differentiated."""
    message = refused(
        lambda j, np, lax: j.grad(lambda x: lax.while_loop(lambda c: c < 3.0, lambda c: c * 2, x))(
            1.0
        ),
        ValueError,
        "Reverse-mode differentiation does not work for lax.while_loop",
    )
    assert "lax.scan" in message


def test_branches_mapped_differentiated_and_compiled() -> None:
    """A branch would be differentiated as the other one."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def choose(p: Any, x: Any, y: Any) -> Any:
            return lax.cond(p, lambda u: (np.sin(u) * y, u), lambda u: (u * u + x, u), x)[0]

        def pick(i: Any, x: Any) -> Any:
            return lax.switch(i, [lambda u: u, np.sin, lambda u: np.exp(u) * x], x)

        slope = j.grad(choose, (1, 2))
        flags = np.array([True, False])
        return (
            choose(True, 0.5, 2.0),
            choose(0, 0.5, 2.0),
            choose(np.float32(3), 0.5, 2.0),
            slope(True, 0.5, 2.0),
            j.jit(slope)(False, 0.5, 2.0),
            j.vmap(choose, (0, 0, None))(flags, np.array([0.5, 1.5]), 2.0),
            j.vmap(slope, (0, None, 0))(flags, 0.5, np.array([0.5, 1.5])),
            j.vmap(choose, (None, 0, None))(True, np.array([0.5, 1.5]), 2.0),
            pick(-3, 0.5),
            pick(9, 0.5),
            j.vmap(j.grad(pick, 1), (0, None))(np.arange(3), 0.5),
            j.jit(j.grad(j.grad(pick, 1), 1))(2, 0.5),
            lax.cond(True, lambda t: t[0], lambda t: t[1], operand=(1.0, 2.0)),
            lax.cond(False, 1.0, lambda x: x + 1, 5.0, lambda x: x * 2),
            lax.switch(0, [lambda x: x + 1], 3.0),
        )

    agree(case)


def test_gradient_of_a_mapped_branch_stays_finite() -> None:
    """The branch that is not taken would make the gradient NaN under vmap."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def safe(x: Any) -> Any:
            return lax.cond(x > 0, np.sqrt, lambda u: 0.0 * u, x)

        return j.vmap(j.grad(safe))(np.array([4.0, 0.0, -1.0]))

    agree(case)


def test_map_in_batches() -> None:
    """`lax.map(..., batch_size=)` would lose the elements that fill no whole batch."""
    for size in (None, 0, 1, 2, 5, 7):
        agree(
            lambda j, np, lax, size=size: lax.map(
                lambda x: (x * 2, x.sum()), np.arange(10.0).reshape(5, 2), batch_size=size
            )
        )


@pytest.mark.parametrize("size", [1, 2, 3, 8, 9])
def test_associative_scan_beside_an_empty_axis(size: int) -> None:
    """The result has another shape than the operand."""
    given = np.zeros((2, 0, size), np.float32)
    found = oakum.lax.associative_scan(oakum.numpy.add, given, axis=2)
    assert found.shape == given.shape


def test_associative_scan_of_all_lengths() -> None:
    """Partial sums of a number of elements that is no power of two would be wrong."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        sums = [
            lax.associative_scan(np.add, np.arange(1.0, n + 1), reverse=reverse)
            for n in (0, 1, 2, 3, 7, 12)
            for reverse in (False, True)
        ]
        matrices = np.stack([MATRIX, MATRIX.T, 2 * MATRIX])
        both = lax.associative_scan(
            lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (XS[None], XS[None] + 1), axis=-1
        )
        return (
            sums,
            lax.associative_scan(np.matmul, matrices),
            both,
            lax.associative_scan(np.logical_or, np.array([False, True, False])),
        )

    agree(case)


def test_custom_linear_solve_and_root_are_differentiated_through_their_equations() -> None:
    """Implicit derivatives would be those of the steps of the solver."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def iterate(matvec: Any, b: Any) -> Any:
            return lax.fori_loop(0, 120, lambda _, x: x + 0.3 * (b - matvec(x)), b)

        def solve(matrix: Any, b: Any) -> Any:
            return lax.custom_linear_solve(lambda x: np.dot(matrix, x), b, iterate, iterate)

        def norm(matrix: Any, b: Any) -> Any:
            return (solve(matrix, b) ** 2).sum()

        def root(a: Any) -> Any:
            def newton(f: Any, x: Any) -> Any:
                return lax.fori_loop(0, 9, lambda _, x: x - f(x) / (2 * x), x)

            return lax.custom_root(lambda x: x * x - a, 1.0, newton, lambda g, y: y / g(1.0))

        matrix = MATRIX + 2 * np.eye(3)
        both = np.stack([VECTOR, 2 * VECTOR])
        return (
            solve(matrix, VECTOR),
            j.grad(norm, (0, 1))(matrix, VECTOR),
            j.vmap(j.grad(norm, (0, 1)), (None, 0))(matrix, both),
            j.jit(j.vmap(solve, (0, None)))(np.stack([matrix, matrix.T]), VECTOR),
            j.jvp(solve, (matrix, VECTOR), (matrix, VECTOR)),
            root(2.0),
            j.grad(root)(2.0),
            j.jit(j.grad(j.grad(root)))(2.0),
            j.vmap(j.grad(root))(np.array([2.0, 3.0])),
        )

    agree(case)


def test_linear_transpose_of_a_loop_with_a_counter() -> None:
    """A linear function that loops could not be transposed."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def loop(x: Any) -> Any:
            return lax.fori_loop(0, 4, lambda i, c: c * 0.5 * i + x, x)

        value = np.float32(2.0)
        return [j.linear_transpose(f, value)(value) for f in (loop, j.jit(loop))]

    agree(case)


def test_composite_and_platform_dependent() -> None:
    """A named operation, or one written for several platforms, would not run."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        scaled = lax.composite(lambda x, *, k: x * k, "ours.scaled")

        def either(x: Any) -> Any:
            return lax.platform_dependent(x, cpu=lambda x: x * 2, default=lambda x: x * 3)

        return scaled(XS, k=2.0), j.jit(either)(XS), j.vmap(j.grad(either))(XS), either(XS)

    agree(case)


def test_python_loops_take_the_place_of_staged_ones_without_jit() -> None:
    """Under `disable_jit` a body could not be stepped through with a debugger."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        seen: list[float] = []

        def step(c: Any, x: Any) -> Any:
            seen.append(float(x))
            return c + x, c

        with j.disable_jit():
            result = lax.scan(step, 0.0, XS, reverse=True)
            result = result, lax.while_loop(lambda c: c < 4, lambda c: c + float(c), 1.0)
            result = result, lax.cond(True, lambda x: float(x), lambda x: 1 / 0, 2.0)
            result = result, lax.fori_loop(0, 3, lambda i, c: c + int(i), 0)
            result = result, lax.switch(1, [lambda: 1 / 0, lambda: 2.0])
        return np.array(seen), result

    agree(case)


@pytest.mark.parametrize("package", [jax, oakum], ids=["jax", "oakum"])
def test_callbacks_in_loops_run_in_order(package: Any) -> None:
    """Prints of a loop would come out of order, or once for all steps."""
    seen: list[tuple[int, float]] = []

    def note(i: Any, x: Any) -> None:
        seen.append((int(i), float(x)))

    def run(x: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            package.debug.callback(note, c, x, ordered=True)

            def even() -> None:
                package.debug.callback(note, -c, x, ordered=True)

            package.lax.cond(c % 2 == 0, even, lambda: None)
            return c + 1, c * x

        return package.lax.scan(step, 0, x)[1].sum()

    value = package.jit(run)(XS[:3])
    package.effects_barrier()
    assert seen == [(0, 0.5), (0, 0.5), (1, -1.0), (2, 2.0), (-2, 2.0)]
    assert float(value) == 3.0


def test_a_body_is_traced_once_for_each_signature() -> None:
    """A loop that is called again and again would trace its body each time."""
    count = 0

    def step(c: Any, x: Any) -> Any:
        nonlocal count
        count += 1
        return c * 2, x

    for _ in range(3):
        oakum.lax.scan(step, np.float32(1), XS)
    assert count == 1
    oakum.lax.scan(step, np.float32(1), XS[:2])
    assert count == 1, "the number of steps is no part of the body's signature"
    oakum.lax.scan(step, np.int32(1), XS)
    assert count == 2


def test_what_all_steps_share_is_not_kept_for_each_step() -> None:
    """The backward pass of a long scan would keep a copy of the weights for each step."""
    import oakum.numpy as jnp

    def loss(matrix: Any) -> Any:
        def step(c: Any, x: Any) -> Any:
            return jnp.tanh(jnp.dot(jnp.exp(matrix), c) + x), None

        return oakum.lax.scan(step, VECTOR, XS)[0].sum()

    _, pullback = oakum.linearize(loss, MATRIX)
    shapes = [np.shape(x) for x in oakum.tree_util.tree_leaves(pullback._program.consts)]
    assert (3, 3) in shapes
    assert not [shape for shape in shapes if shape == (len(XS), 3, 3)]


def test_state_that_a_body_does_not_change_stays_unmapped() -> None:
    """A mapped loop would repeat its weights for each element of the batch."""

    def case(j: Any, np: Any, lax: Any) -> Any:
        def run(matrix: Any, x: Any) -> Any:
            def step(s: Any) -> Any:
                return s[0], np.dot(s[0], s[1]), s[2] + 1

            return lax.while_loop(lambda s: s[2] < x[0] * 3, step, (matrix, x, 0.0))[:2]

        starts = np.stack([VECTOR, -VECTOR, VECTOR * 4])
        return j.vmap(run, (None, 0), (None, 0))(MATRIX, starts)

    agree(case)


ERRORS: list[tuple[str, Case, type[Exception], tuple[str, ...]]] = [
    (
        "carry of another dtype",
        lambda j, np, lax: lax.scan(
            lambda c, x: ((c[0], c[1]["w"] > x), x), (1.0, {"w": np.float32(0)}), XS
        ),
        TypeError,
        ("the same pytree structure", "The input carry component c[1] is a <class 'dict'>"),
    ),
    (
        "carry of another type",
        lambda j, np, lax: lax.scan(
            lambda c, x: ({"w": np.ones((2, 2))}, x), {"w": np.int32(0)}, XS
        ),
        TypeError,
        (
            "scan body function carry input and carry output must have equal types",
            "The input carry component c['w'] has type int32[] but the corresponding output carry "
            "component has type float32[2,2], so the dtypes do not match, and the shapes do not",
        ),
    ),
    (
        "while carry",
        lambda j, np, lax: lax.while_loop(
            lambda c: True, lambda c: (c[0], c[0]), (np.int32(1), np.float32(0))
        ),
        TypeError,
        (
            "while_loop body function carry input and carry output",
            "component c[1] has type float32[]",
        ),
    ),
    (
        "fori carry",
        lambda j, np, lax: lax.fori_loop(
            0, 3, lambda i, value: value.astype("int32"), np.float32(0)
        ),
        TypeError,
        ("carry input and carry output must have equal types", "carry value has type float32[]"),
    ),
    (
        "no pair",
        lambda j, np, lax: lax.scan(lambda c, x: c, 0, XS),
        TypeError,
        ("must be a pair, got int32[]",),
    ),
    (
        "no array",
        lambda j, np, lax: lax.scan(lambda c, x: (c, {"name": "x"}), 0, XS),
        TypeError,
        ("returned a value of type <class 'str'> at output component [1]['name']",),
    ),
    (
        "sizes",
        lambda j, np, lax: lax.scan(lambda c, x: (c, x), 0, (XS, XS[1:])),
        ValueError,
        ("different leading axis sizes: 4, 3",),
    ),
    (
        "length",
        lambda j, np, lax: lax.scan(lambda c, x: (c, x), 0, XS, length=3),
        ValueError,
        ("`length` argument of 3", "[4]"),
    ),
    (
        "no length",
        lambda j, np, lax: lax.scan(lambda c, x: (c, x), 0),
        ValueError,
        ("no values to scan over and `length` not",),
    ),
    (
        "scalar",
        lambda j, np, lax: lax.scan(lambda c, x: (c, x), 0, 1.0),
        ValueError,
        ("no leading axis",),
    ),
    (
        "traced length",
        lambda j, np, lax: j.jit(lambda n: lax.scan(lambda c, x: (c, x), 0, length=n))(3),
        TypeError,
        ("`length` argument to `scan` expects a concrete",),
    ),
    (
        "condition",
        lambda j, np, lax: lax.while_loop(lambda c: c, lambda c: c, np.float32(1)),
        TypeError,
        ("must return a boolean scalar", "float32[]"),
    ),
    (
        "bounds",
        lambda j, np, lax: lax.fori_loop(np.int16(0), np.int32(3), lambda i, c: c, 0),
        TypeError,
        ("must have equal types, got int16 and int32",),
    ),
    (
        "predicate",
        lambda j, np, lax: lax.cond(np.array([True]), lambda: 1, lambda: 2),
        TypeError,
        ("Pred must be a scalar",),
    ),
    (
        "no predicate",
        lambda j, np, lax: lax.cond(None, lambda: 1, lambda: 2),
        TypeError,
        ("cond predicate is None",),
    ),
    (
        "branch types",
        lambda j, np, lax: lax.cond(True, lambda: {"a": np.zeros(2)}, lambda: {"a": np.zeros(3)}),
        TypeError,
        ("branches must have equal output types", "true_fun at path ['a'] has type float32[2]"),
    ),
    (
        "branch structures",
        lambda j, np, lax: lax.cond(True, lambda: {"a": 1.0}, lambda: {"a": (1.0, 2.0)}),
        TypeError,
        ("must have the same pytree structure", "at path ['a'] is a pytree leaf"),
    ),
    (
        "index",
        lambda j, np, lax: lax.switch(1.5, [lambda: 1, lambda: 2]),
        TypeError,
        ("Index type must be an integer",),
    ),
    ("no branches", lambda j, np, lax: lax.switch(0, []), ValueError, ("Empty branch sequence",)),
    ("function", lambda j, np, lax: lax.scan(3, 0, XS), TypeError, ("lax.scan", "callable")),
    (
        "composite",
        lambda j, np, lax: j.grad(lax.composite(lambda x: x * 2, "a.b"))(1.0),
        ValueError,
        ("JVP rule for composite",),
    ),
    (
        "no transpose",
        lambda j, np, lax: j.grad(
            lambda b: lax.custom_linear_solve(lambda x: x, b, lambda f, b: b).sum()
        )(XS),
        TypeError,
        ("transpose_solve required",),
    ),
]


@pytest.mark.parametrize(
    ("case", "error", "words"), [e[1:] for e in ERRORS], ids=[e[0] for e in ERRORS]
)
def test_errors_are_of_jaxs_classes_and_name_the_place(
    case: Case, error: type[Exception], words: tuple[str, ...]
) -> None:
    """The user would not learn which leaf of the state is wrong, or in which line."""
    message = refused(case, error, *words)
    assert "test_control_flow.py" in message or error is ValueError or "callable" in message
