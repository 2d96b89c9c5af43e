# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Mutable references: what is read is what was written last, wherever it was written.

Each function of references is compared with one that passes and returns arrays, evaluated, under
`jit`, in loops and branches, differentiated and mapped.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import errors, lax

JITTED = pytest.mark.parametrize("jit", [False, True])


def compiled(function: Callable[..., Any], jit: bool) -> Callable[..., Any]:
    return jax.jit(function) if jit else function


@JITTED
def test_a_reference_is_changed_as_an_argument_and_from_outside(jit: bool) -> None:
    ref = jax.new_ref(jnp.zeros(3))
    before = ref[...]

    def change(x: Any) -> None:
        x[...] += 1.0
        x[0] += 1.0
        x[jnp.array([1, 2])] = jnp.array([7.0, 8.0])

    compiled(change, jit)(ref)
    np.testing.assert_array_equal(ref[...], [2.0, 7.0, 8.0])
    closed = compiled(lambda: change(ref), jit)
    closed()
    closed()
    np.testing.assert_array_equal(ref[...], [6.0, 7.0, 8.0])
    np.testing.assert_array_equal(before, [0.0, 0.0, 0.0])


def test_a_compiled_function_is_traced_once_for_references_of_one_type() -> None:
    traces: list[int] = []

    @jax.jit
    def add(ref: Any, x: Any) -> Any:
        traces.append(1)
        ref[...] += x
        return ref[...] * 2

    first, second = jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.ones(2))
    np.testing.assert_array_equal(add(first, 1.0), [2.0, 2.0])
    np.testing.assert_array_equal(add(second, 1.0), [4.0, 4.0])
    np.testing.assert_array_equal(add(first, 1.0), [4.0, 4.0])
    assert len(traces) == 1
    add(jax.new_ref(jnp.zeros(3)), 1.0)
    assert len(traces) == 2


def test_a_function_reads_the_reference_that_it_is_passed() -> None:
    """A reference and an array of one type are different arguments."""
    double = jax.jit(lambda x: x[...] * 2)
    ref = jax.new_ref(jnp.arange(2))
    np.testing.assert_array_equal(double(jnp.ones(2, jnp.int32)), [2, 2])
    np.testing.assert_array_equal(double(ref), [0, 2])
    ref[...] = jnp.array([5, 6])
    np.testing.assert_array_equal(double(ref), [10, 12])


@JITTED
def test_loops_and_branches_write_to_references(jit: bool) -> None:
    total, rows = jax.new_ref(0), jax.new_ref(np.arange(4))

    def run(n: Any) -> tuple[Any, Any]:
        def step(_: Any, each: Any) -> tuple[Any, Any]:
            i, row = each
            total[...] += i
            row[...] += total[...]
            return (), row[...] * 2

        _, doubled = lax.scan(step, (), (jnp.arange(4), rows))
        lax.cond(n > 2, lambda: total.addupdate(jnp.int32(100)), lambda: None)
        count = lax.while_loop(
            lambda i: i < n, lambda i: (total.addupdate(i), i + 1)[1], jnp.int32(0)
        )
        return doubled, count

    doubled, count = compiled(run, jit)(jnp.int32(3))
    np.testing.assert_array_equal(doubled, [0, 4, 10, 18])
    assert int(count) == 3
    assert int(total[...]) == 6 + 100 + 3
    np.testing.assert_array_equal(rows[...], [0, 2, 5, 9])


def test_branches_share_the_references_that_each_of_them_uses() -> None:
    left, right = jax.new_ref(1.0), jax.new_ref(2.0)

    @jax.jit
    def choose(index: Any) -> Any:
        def write_left() -> Any:
            left[...] = right[...] * 10
            return left[...]

        def write_right(by: Any) -> Any:
            right[...] += by
            return right[...]

        return lax.switch(index, [write_left, lambda: 0.0, lambda: write_right(5.0)])

    assert [float(choose(i)) for i in (1, 2, 0)] == [0.0, 7.0, 70.0]
    assert (float(left[...]), float(right[...])) == (70.0, 7.0)


@JITTED
def test_derivatives_pass_through_references_of_a_function(jit: bool) -> None:
    def function(x: Any) -> Any:
        ref = jax.new_ref(x)

        def step(_: Any, factor: Any) -> tuple[Any, Any]:
            ref[...] = jnp.sin(ref[...]) * factor
            return None, None

        @jax.jit
        def square() -> None:
            ref[...] = ref[...] ** 2

        lax.scan(step, None, jnp.array([2.0, 3.0]))
        square()
        return jax.freeze(ref)

    def expected(x: Any) -> Any:
        return (jnp.sin(jnp.sin(x) * 2.0) * 3.0) ** 2

    for transform in (jax.grad, lambda f: jax.grad(jax.grad(f)), jax.jacfwd):
        found = compiled(transform(function), jit)(0.7)
        np.testing.assert_allclose(found, transform(expected)(0.7), rtol=1e-5)
        np.testing.assert_allclose(transform(compiled(function, jit))(0.7), found, rtol=1e-5)


def test_elements_are_mapped_with_references() -> None:
    rows, shared = jax.new_ref(jnp.zeros((2, 3))), jax.new_ref(10.0)

    def change(ref: Any, x: Any) -> Any:
        ref[...] += x + shared[...]
        own = jax.new_ref(0.0)
        own[...] = ref[...] * 2
        return own[...]

    over_rows = jax.vmap(change, in_axes=(0, None))
    found = jax.vmap(over_rows, in_axes=(1, 0))(rows, jnp.arange(3.0))
    np.testing.assert_array_equal(rows[...], [[10.0, 11.0, 12.0]] * 2)
    np.testing.assert_array_equal(found, [[20.0, 20.0], [22.0, 22.0], [24.0, 24.0]])


def test_a_backward_rule_writes_gradients_to_a_reference() -> None:
    @jax.custom_vjp
    def keep(ref: Any, x: Any) -> Any:
        return x

    def forward(ref: Any, x: Any) -> tuple[Any, Any]:
        return x, ref

    def backward(ref: Any, gradient: Any) -> tuple[None, Any]:
        ref[...] = gradient
        return None, gradient

    keep.defvjp(forward, backward)
    for jit in (False, True):
        kept = jax.new_ref(jnp.float32(0.0))
        gradient = compiled(jax.grad(lambda r, x: jnp.sin(keep(r, jnp.sin(x))), 1), jit)
        gradient(kept, jnp.float32(1.0))
        np.testing.assert_allclose(kept[...], np.cos(np.sin(1.0)), rtol=1e-6)


@JITTED
def test_recomputed_functions_write_once(jit: bool) -> None:
    count = jax.new_ref(1.0, kind="no_grad_no_remat")

    @jax.remat
    def function(x: Any) -> Any:
        out = x * count[...]
        count[...] += out
        return out

    assert float(compiled(jax.grad(function), jit)(2.0)) == 1.0
    assert float(count[...]) == 3.0


def test_gradients_are_added_to_references() -> None:
    _, pull = jax.vjp(lambda x, y: (x * y).sum(), jnp.arange(3.0), jnp.ones(3))
    total = jax.new_ref(jnp.ones(3))
    accumulate = pull.with_refs(total, jax.ad.GradValue())
    accumulate(1.0)
    added, gradient = accumulate(1.0)
    assert added == jax.ad.GradRef()
    assert pull.with_refs(jax.ad.DontWant(), total)(0.0)[0] == jax.ad.DidntWant()
    np.testing.assert_array_equal(total[...], [3.0, 3.0, 3.0])
    np.testing.assert_array_equal(gradient, [0.0, 1.0, 2.0])


def test_what_was_read_stays_where_a_reference_is_donated() -> None:
    double = jax.jit(lambda ref: jax.ref.set(ref, ..., ref[...] * 2), donate_argnums=0)
    ref = jax.new_ref(jnp.ones(1000))
    read = [ref[...]]
    for _ in range(12):
        double(ref)
        read.append(ref[...])
    assert [float(each[999]) for each in read] == [2.0**n for n in range(13)]


def test_keys_and_narrow_dtypes_are_held() -> None:
    key = jax.new_ref(jax.random.key(0))
    first = jax.random.key_data(key[...])
    key[...] = jax.random.fold_in(key[...], 1)
    assert not np.array_equal(first, jax.random.key_data(key[...]))
    narrow = jax.new_ref(jnp.bfloat16(1.0))
    narrow[...] += 1.0
    assert narrow.dtype == jnp.bfloat16
    assert float(narrow[...]) == 2.0


def test_a_leak_check_finds_none() -> None:
    ref = jax.new_ref(jnp.zeros(2))

    @jax.jit
    def run(x: Any) -> Any:
        lax.fori_loop(0, 3, lambda i, c: (ref.addupdate(c), c)[1], x)
        return ref[...]

    with jax.checking_leaks():
        np.testing.assert_array_equal(run(jnp.ones(2)), [3.0, 3.0])


REF = jax.new_ref(jnp.zeros(3))
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "an index out of bounds": (lambda: REF[3], "Out of bound indexer: index 3 of axis 0"),
    "another shape": (lambda: jax.ref.set(REF, ..., 1.0), "Invalid shape for `swap`"),
    "another dtype": (lambda: jax.ref.set(REF, ..., jnp.arange(3)), "Invalid dtype for `swap`"),
    "a reference in it": (lambda: jax.ref.set(REF, ..., REF), "cannot be stored in another"),
    "no reference": (lambda: jax.ref.get(jnp.ones(2)), "Can only call `ref_get` on a `Ref`"),
    "used as an array": (lambda: jnp.asarray(REF), "used as an array"),
    "returned": (lambda: jax.jit(lambda x: x)(REF), "references cannot be returned"),
    "returned by a loop": (
        lambda: lax.scan(lambda c, x: (c, REF), 0.0, jnp.ones(2)),
        "traced for scan returned a mutable array reference",
    ),
    "passed twice": (lambda: jax.jit(lambda a, b: a[0])(REF, REF), "appeared at both a and b"),
    "passed and closed over": (
        lambda: jax.jit(lambda a: a[0] + REF[0])(REF),
        "both closed over and passed as the argument a",
    ),
    "written in a mapped function": (
        lambda: jax.vmap(lambda x: jax.ref.set(REF, 0, x) or x)(jnp.ones(2)),
        "vmapped value on an unbatched",
    ),
    "written in a differentiated function": (
        lambda: jax.grad(lambda x: jax.ref.set(REF, 0, x) or x)(1.0),
        "differentiated value on a non-differentiated",
    ),
    "written by a condition": (
        lambda: lax.while_loop(
            lambda i: (REF.addupdate(jnp.ones(3)), i < 3)[1], lambda i: i + 1, 0
        ),
        "cond_fun writes to a reference",
    ),
    "used after its end": (
        lambda: jax.jit(lambda x: (lambda r: (jax.freeze(r), r[...])[1])(jax.new_ref(x)))(1.0),
        "is used after `freeze`",
    ),
    "an unknown kind": (lambda: jax.new_ref(1.0, kind="fast"), "new_ref takes kind="),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_right_is_refused_and_changes_nothing(what: str) -> None:
    call, message = REFUSED[what]
    with pytest.raises(errors.OakumError) as caught:
        call()
    assert message in str(caught.value)
    np.testing.assert_array_equal(REF[...], [0.0, 0.0, 0.0])


def test_a_reference_that_escapes_a_trace_is_refused() -> None:
    kept: list[Any] = []

    @jax.jit
    def run(x: Any) -> Any:
        kept.append(jax.new_ref(x))
        return x

    run(1.0)
    with pytest.raises(errors.UnexpectedTracerError):
        kept[0][...]
    with pytest.raises(errors.UnexpectedTracerError):
        jax.jit(lambda: kept[0][...])()


def test_a_derivative_of_a_whole_program_says_where_to_differentiate() -> None:
    """A backward rule that writes to a reference runs where the derivative is taken."""
    kept = jax.new_ref(0.0)

    @jax.custom_vjp
    def keep(x: Any) -> Any:
        return x

    def backward(_: None, gradient: Any) -> tuple[Any]:
        kept[...] = gradient
        return (gradient,)

    keep.defvjp(lambda x: (x, None), backward)
    with pytest.raises(errors.OakumError, match="is used in the derivative of"):
        jax.grad(jax.jit(lambda x: keep(x) * 3.0))(1.0)
    jax.jit(jax.grad(lambda x: keep(x) * 3.0))(1.0)
    assert float(kept[...]) == 3.0
