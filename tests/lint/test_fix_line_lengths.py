"""Lines that fixes make: none is longer than those of the file, where brackets can be broken."""

from textwrap import dedent, indent

import pytest
from fixing import fixed

GUARD = "jnp.where({0} > 0.0, jnp.log({0}), 0.0)"
GUARDED = "jnp.where({0} > 0.0, jnp.log(jnp.where({0} > 0.0, {0}, 1)), 0.0)"
LONG = "a_long_name_for_a_value"
REST = "\n\n\n" + "\n".join(f"FIRST_{n} = {n}" for n in range(40))
"""A file of a few lines does not show how long they may be."""


@pytest.mark.parametrize(
    ("name", "end", "expected"),
    [
        (
            LONG,
            "",
            f"""
            return jnp.where(
                {LONG} > 0.0,
                jnp.log(jnp.where({LONG} > 0.0, {LONG}, 1)),
                0.0,
            )
            """,
        ),
        (LONG, " / 2.0", None),
        (LONG, "  # it stays", f"return {GUARDED.format(LONG)}  # it stays"),
        ("x", "", f"return {GUARDED.format('x')}"),
    ],
    ids=["longer than the file", "something behind it", "a comment", "as long as the file"],
)
def test_a_line_is_as_long_as_those_of_its_file(name: str, end: str, expected: str | None) -> None:
    head = f"def f({name}):\n    "
    after = fixed(f"{head}return {GUARD.format(name)}{end}{REST}", "jax.grad(f)(0.0)")
    assert fixed(after, "jax.grad(f)(0.0)") == after
    after = after.removesuffix(REST)
    if expected is None:
        assert after.endswith(f"\n    ){end}")
        assert all(len(line) <= 90 for line in after.splitlines())
    else:
        assert after == head + indent(dedent(expected).strip(), "    ").lstrip()


def test_a_line_that_was_long_before_stays_one() -> None:
    text = f"def f(x):\n    return {GUARD.format('x')} + {' + '.join(['x'] * 40)}{REST}"
    after = fixed(text, "jax.grad(f)(0.0)")
    assert GUARDED.format("x") in after
    assert len(after.removesuffix(REST).splitlines()) == 2
