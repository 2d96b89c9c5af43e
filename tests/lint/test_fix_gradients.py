"""Fixes of gradients that are NaN: the values stay what they were, for whoever calls the code."""

import pytest
from fixing import HEAD, fix_text, in_one_line


@pytest.mark.parametrize(
    ("body", "gradient", "values"),
    [
        ("jnp.linalg.norm(x) ** 2", "jnp.zeros(3)", "jnp.array([1j, 2.0])"),
        ("jnp.linalg.norm(x) ** 2", "jnp.zeros(3)", "jnp.array([1, 2])"),
    ],
)
def test_the_square_of_a_length_is_not_safe(body: str, gradient: str, values: str) -> None:
    """That of `[1j, 2]` is 5 and became 3; of integers it is a float."""
    program = f"{HEAD}def f(x):\n    return {body}\n\n\njax.grad(f)({gradient})\nf({values})\n"
    assert fix_text(program, unsafe=False).text == program
    assert "jnp.sum(x**2)" in fix_text(program).text


@pytest.mark.parametrize(
    ("power", "base"), [("jnp.power(x, p)", "x"), ("jnp.abs(x) ** p", "jnp.abs(x)")]
)
def test_a_power_of_integers_stays_one(power: str, base: str) -> None:
    """`1.0` in the guard made floats of them."""
    program = f"{HEAD}def f(x, p):\n    return jnp.where(x > 0, {power}, 0).sum()\n\n\n"
    program += "jax.grad(f)(jnp.array([4.0, 0.0]), 0.5)\nf(jnp.array([4, 0]), 2)\n"
    guarded = power.replace(base, f"jnp.where(x > 0, {base}, 1)", 1)
    assert fix_text(program, unsafe=False).text == program.replace(power, guarded)


@pytest.mark.parametrize("body", ["return {}", "y = {}; return y"])
def test_a_function_of_one_line_stays_one(body: str) -> None:
    """The line that it got stood above its `def`, where its parameter means nothing."""
    root, rest = "jnp.sqrt(jnp.sum(x * x))", "\n\n\njax.grad(f)(jnp.zeros(3))\n"
    program = f"{HEAD}def f(x): {body.format(root)}{rest}"
    guarded = "jnp.where(square == 0, 0.0, jnp.sqrt(jnp.where(square == 0, 1, square)))"
    line = f"square = jnp.sum(x * x); {body.format(guarded)}"
    assert fix_text(program, unsafe=False).text == f"{HEAD}def f(x): {line}{rest}"


@pytest.mark.parametrize(
    ("root", "small"),
    [
        ("jnp.sqrt(jnp.sum(x * x))", "(size + 1e-8)"),
        ("jnp.linalg.norm(x)", "jnp.maximum(size, 1e-8)"),
    ],
)
def test_a_length_under_a_name_is_guarded_where_it_is_taken(root: str, small: str) -> None:
    """Optimizers add their epsilon a line below."""
    program = f"{HEAD}def f(x):\n    size = {root}\n    return jnp.sum(x / {small})\n"
    text = fix_text(f"{program}\n\njax.grad(f)(jnp.zeros(3))\n").text
    guarded = "jnp.where(square == 0, 0.0, jnp.sqrt(jnp.where(square == 0, 1, square)))"
    assert f"    size = {guarded}\n    return jnp.sum(x / {small})\n" in text


@pytest.mark.parametrize(
    ("body", "bounded"),
    [
        ("jnp.arccos(jnp.clip(x, -1.0, 1.0))", "jnp.arccos(jnp.clip(x, -1.0 + 1e-6, 1.0 - 1e-6))"),
        ("jnp.arcsin((2 * x).clip(max=1))", "jnp.arcsin((2 * x).clip(max=1 - 1e-6))"),
        ("jnp.arctanh(jnp.minimum(1.0, x))", "jnp.arctanh(jnp.minimum(1.0 - 1e-6, x))"),
        (
            "jnp.arccos(jnp.minimum(1.0, jnp.maximum(-1.0, x)))",
            "jnp.arccos(jnp.minimum(1.0 - 1e-6, jnp.maximum(-1.0 + 1e-6, x)))",
        ),
        ("(1 - jnp.minimum(x, 1.0)) ** 0.5", "(1 - jnp.minimum(x, 1.0)) ** 0.5"),
    ],
)
def test_a_bound_stands_off_the_edge(body: str, bounded: str) -> None:
    program = f"{HEAD}def f(x):\n    return {{}}\n\n\njax.grad(f)(1.0)\n"
    outcome = fix_text(program.format(body))
    assert (outcome.text, outcome.after) == (program.format(bounded), [])
    assert fix_text(program.format(body), unsafe=False).text == program.format(body)


@pytest.mark.parametrize(
    ("lines", "guarded"),
    [
        (
            "y = jnp.log(x)\nreturn jnp.where(x > 0, y, 0.0)",
            "y = jnp.log(jnp.where(x > 0, x, 1))\nreturn jnp.where(x > 0, y, 0.0)",
        ),
        (
            "n = jnp.abs(x)\nscale = 2 / n\nreturn jnp.where(n > 2, scale * x, x)",
            "n = jnp.abs(x)\nscale = 2 / jnp.where(n > 2, n, 1)\n"
            "return jnp.where(n > 2, scale * x, x)",
        ),
        (
            "y = jnp.log(x)\nmask = x > 0\nreturn jnp.where(mask, y, 0.0)",
            "mask = x > 0\nreturn jnp.where(mask, jnp.log(jnp.where(mask, x, 1)), 0.0)",
        ),
        (
            "y = jnp.log(x)\nmask = x > 0\nreturn jnp.where(mask, 2 * y, 0.0)",
            "y = jnp.log(x)\nmask = x > 0\nreturn jnp.where(mask, 2 * y, 0.0)",
        ),
    ],
    ids=["where it is made", "through two names", "the test is made behind", "and not alone"],
)
def test_the_argument_is_guarded_where_its_function_is_called(lines: str, guarded: str) -> None:
    before, after = (
        f"{HEAD}def f(x):\n    {text.replace(chr(10), chr(10) + '    ')}\n\n\njax.grad(f)(1.0)\n"
        for text in (lines, guarded)
    )
    assert fix_text(before, unsafe=False).text == after


@pytest.mark.parametrize("mean", ["jnp.mean(2 / n)", "(2 / n) @ n"])
def test_what_is_summed_behind_a_guard_is_not_safe(mean: str) -> None:
    """The sum has another value where some elements are not selected."""
    program = f"{HEAD}def f(n):\n    return jnp.where(n > 2, {mean}, 0.0).sum()\n\n\n"
    program += "jax.grad(f)(jnp.ones(3))\n"
    assert fix_text(program, unsafe=False).text == program
    assert "2 / jnp.where(n > 2, n, 1)" in fix_text(program).text


@pytest.mark.parametrize(
    ("head", "ratio", "is_safe"),
    [
        ("", "y / x", False),
        ("", "jnp.abs(y) / x", True),
        ("", "jnp.size(y) / x", False),
        ("", "jnp.shape(y)[0] / x", False),
        ("@jax.jit\n", "y / x", True),
    ],
)
def test_a_ratio_of_arrays_of_numpy_keeps_its_digits(head: str, ratio: str, is_safe: bool) -> None:
    """NumPy divides with 64 bits; behind the guard JAX does, with 32."""
    program = f"{HEAD}{head}def f(x, y):\n    return jnp.where(x > 0, {ratio}, 0.0).sum()\n"
    program += "\n\njax.grad(f)(jnp.ones(3), jnp.ones(3))\n"
    assert (fix_text(program, unsafe=False).text != program) is is_safe
    assert "/ jnp.where(x > 0, x, 1)" in fix_text(program).text


@pytest.mark.parametrize(
    ("value", "fixed"),
    [
        ("x / 3.0 + 1 / x", "x / 3.0 + 1 / jnp.where(x > 0, x, 1)"),
        ("x**2 + x**-1.5", "x**2 + jnp.where(x > 0, x, 1)**-1.5"),
    ],
)
def test_what_has_no_pole_is_not_guarded(value: str, fixed: str) -> None:
    """The first division was: by a number, which left the finding where it was, without a fix."""
    program = f"{HEAD}def f(x):\n    return jnp.where(x > 0, {value}, 0.0).sum()\n"
    program += "\n\njax.grad(f)(jnp.ones(3))\n"
    assert f"(x > 0, {fixed}, 0.0)" in fix_text(program).text


@pytest.mark.parametrize(
    ("test", "is_safe"),
    [("(n > 2).all()", True), ("jnp.all(n > 2)", True), ("(n > 2).all(1)", False)],
)
def test_a_test_of_each_row_is_none_of_all_elements(test: str, is_safe: bool) -> None:
    """What a method is passed is an axis: of a square matrix columns were guarded for rows."""
    program = (
        f"{HEAD}def f(n):\n    return jnp.where({test}, jnp.sum(jnp.log(n), axis=1), 0.0).sum()\n"
    )
    program += "\n\njax.grad(f)(jnp.ones((3, 3)))\n"
    assert (fix_text(program, unsafe=False).text != program) is is_safe


@pytest.mark.parametrize(
    ("length", "rooted"),
    [
        ("x / (jnp.linalg.norm(x) + 1e-6)", "x / jnp.sqrt(jnp.sum(x**2) + 1e-12)"),
        (
            "x / (jnp.linalg.norm(x, ord=2, axis=-1) + 1e-6)",
            "x / jnp.sqrt(jnp.sum(x**2, axis=-1) + 1e-12)",
        ),
        (
            "x / (jnp.linalg.norm(x, 2, axis=0) + 1e-6)",
            "x / jnp.sqrt(jnp.sum(x**2, axis=0) + 1e-12)",
        ),
        ("x / jnp.linalg.norm(x).clip(1e-6)", "x / jnp.sqrt(jnp.sum(x**2).clip(1e-12))"),
        ("x / jnp.clip(jnp.linalg.norm(x), 1e-6)", "x / jnp.sqrt(jnp.clip(jnp.sum(x**2), 1e-12))"),
        (
            "x / (jnp.linalg.norm(x, ord=1, axis=-1) + 1e-6)",
            "x / (jnp.linalg.norm(x, ord=1, axis=-1) + 1e-6)",
        ),
        ("x / (1e-4 + jnp.linalg.norm(2 * x))", "x / jnp.sqrt(1e-8 + jnp.sum((2 * x) ** 2))"),
        (
            "x / jnp.maximum(jnp.linalg.norm(x, axis=-1), EPS)",
            "x / jnp.sqrt(jnp.maximum(jnp.sum(x**2, axis=-1), EPS**2))",
        ),
        (
            "(lambda y: y / (jnp.linalg.norm(y) + EPS))(x)",
            "(lambda y: y / jnp.sqrt(jnp.sum(y**2) + EPS**2))(x)",
        ),
    ],
)
def test_an_epsilon_is_put_under_the_root(length: str, rooted: str) -> None:
    program = f"{HEAD}EPS = 1e-8\n\n\ndef f(x):\n    return jnp.sum({{}})\n\n\n"
    program += "jax.grad(f)(jnp.ones(3))\n"
    outcome = fix_text(program.format(length))
    assert (outcome.text, outcome.after) == (program.format(rooted), [])
    assert fix_text(program.format(length), unsafe=False).text == program.format(length)


def test_what_is_too_small_for_its_square_stays() -> None:
    """In single precision the square is zero."""
    program = f"{HEAD}def f(x):\n    return jnp.sum(x / (jnp.linalg.norm(x) + 1e-30))\n\n\n"
    assert "1e-30" in fix_text(f"{program}jax.grad(f)(jnp.ones(3))\n").text


@pytest.mark.parametrize(
    ("logarithm", "both"),
    [
        ("jnp.log(jax.nn.softmax(x, axis=-1))", "jax.nn.log_softmax(x, axis=-1)"),
        ("jnp.log(jax.nn.sigmoid(x))", "jax.nn.log_sigmoid(x)"),
        ("jnp.log(1 - jax.nn.sigmoid(x + 1))", "jax.nn.log_sigmoid(-(x + 1))"),
        ("jnp.log(x + jax.nn.softmax(x))", "jnp.log(x + jax.nn.softmax(x))"),
    ],
)
def test_the_logarithm_of_what_is_rounded_has_a_function_of_its_own(
    logarithm: str, both: str
) -> None:
    """Far from zero the gradient was NaN, and the fix was for the author to write."""
    program = f"{HEAD}def f(x):\n    return jnp.sum({{}})\n\n\njax.grad(f)(jnp.ones(3))\n"
    assert fix_text(program.format(logarithm)).text == program.format(both)


def test_an_exponential_is_guarded_within() -> None:
    """Its derivative is infinite where it overflows, whatever its value is replaced by."""
    soft = "return jnp.where(x < -9.0, jnp.log1p({}), jax.nn.softplus(x)).sum()"
    program = f"{HEAD}def f(x):\n    {soft}\n\n\njax.grad(f)(jnp.array([100.0, -100.0]))\n"
    guarded = program.format("jnp.exp(jnp.where(x < -9.0, x, 0))")
    assert in_one_line(fix_text(program.format("jnp.exp(x)")).text) == in_one_line(guarded)


@pytest.mark.parametrize(
    ("formula", "guarded"),
    [
        ("jnp.log(jnp.exp(x) - 1.0)", "jnp.log(jnp.exp(jnp.where(x > 9.0, 1, x)) - 1.0)"),
        ("jnp.log(jnp.expm1(x))", "jnp.log(jnp.expm1(jnp.where(x > 9.0, 1, x)))"),
        ("jnp.log(1 - jnp.exp(-x))", "jnp.log(1 - jnp.exp(jnp.where(x > 9.0, -1, -x)))"),
        (
            "jnp.log(jnp.exp(x) - jnp.exp(-x))",
            "jnp.log(jnp.where(x > 9.0, 1, jnp.exp(jnp.where(x > 9.0, 0, x))"
            " - jnp.exp(jnp.where(x > 9.0, 0, -x))))",
        ),
        (
            "jnp.sqrt(x - jnp.exp(-x))",
            "jnp.sqrt(jnp.where(x > 9.0, 1, x - jnp.exp(jnp.where(x > 9.0, 0, -x))))",
        ),
        (
            "jnp.log(x * jnp.exp(2.0))",
            "jnp.log(jnp.where(x > 9.0, 1, x * jnp.exp(2.0)))",
        ),
    ],
)
def test_what_has_an_exponential_is_guarded_within(formula: str, guarded: str) -> None:
    """A guard around a difference alone: zero times its infinite derivative was NaN. One in the
    exponential alone: what else stands beside it still had a pole.
    """
    program = (
        f"{HEAD}def f(x):\n    return jnp.where(x > 9.0, x, {{}}).sum()\n\n\n"
        "jax.grad(f)(jnp.array([100.0, 1.0]))\n"
    )
    fixed = fix_text(program.format(formula)).text
    assert in_one_line(fixed) == in_one_line(program.format(guarded))
