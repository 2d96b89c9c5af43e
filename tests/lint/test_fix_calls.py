"""Calls that fixes meet: prints, assertions, and functions with another name in JAX."""

from textwrap import dedent

import pytest
from fixing import HEAD, fix_text, fixed, jitted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return sqrt(x)", "return jnp.sqrt(x)"),
        ("return math.log(x, 2)", "return math.log(x, 2)"),
        ("return math.fsum([x, x])", "return math.fsum([x, x])"),
        ("y = jnp.zeros(1)\nnp.add(x, 1, out=y)", "y = jnp.zeros(1)\nnp.add(x, 1, out=y)"),
    ],
)
def test_functions_are_called_with_arguments_that_they_take(before: str, after: str) -> None:
    head = f"import math\nfrom math import sqrt\n\n{HEAD}@jax.jit\ndef f(x):\n"
    lines, expected = (text.replace("\n", "\n    ") for text in (before, after))
    assert (
        fix_text(f"{head}    {lines}\n\n\nf(1.0)\n").text == f"{head}    {expected}\n\n\nf(1.0)\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("print()\nprint('x', x)", 'print()\njax.debug.print("x {}", x)', id="plain"),
        pytest.param(
            "print('{x}', f'{x!r}')", "print('{x}', f'{x!r}')", id="a conversion has no template"
        ),
        pytest.param(
            "print(f'{{x}} {x:>8.2f}|', 'a\"b')",
            'jax.debug.print(\'{} {:>8.2f}| a"b\', "{x}", x)',
            id="braces and quotes",
        ),
        pytest.param(
            "print(x, '{x}', sep='')", 'jax.debug.print("{}{{x}}", x)', id="braces behind a field"
        ),
        pytest.param(
            "print(x, 1e-8, None)", 'jax.debug.print("{} 1e-08 None", x)', id="what has one text"
        ),
        pytest.param("print(x, end='')", "print(x, end='')", id="options"),
        pytest.param(
            "print('a', x, f'{x=}', sep=', ')", 'jax.debug.print("a, {}, x={}", x, x)', id="sep"
        ),
        pytest.param("print(x, flush=True)", 'jax.debug.print("{}", x)', id="flush"),
        pytest.param(
            "print('%s: %5.2f%%' % ('a', x) + str(x))",
            'jax.debug.print("a: {:5.2f}%{}", x, x)',
            id="a word",
        ),
        pytest.param(
            "print('%d: %5.2f%%' % (x, x) + str(x))",
            'jax.debug.print("{}: {:5.2f}%{}", x, x, x)',
            id="percent",
        ),
        pytest.param(
            "print('{} {:.1e}'.format(x, x.item()))",
            'jax.debug.print("{} {:.1e}", x, x)',
            id="format",
        ),
        pytest.param("print(f'{float(x):.3f}')", 'jax.debug.print("{:.3f}", x)', id="numbers"),
        pytest.param("print('a', repr(x))", None, id="a text made while tracing stays one"),
    ],
)
def test_prints_become_those_of_jax(before: str, after: str | None) -> None:
    assert jitted(f"{before}\nreturn x") == f"{after or before}\nreturn x"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "assert x.sum() > 1  # once",
            'checkify.debug_check(x.sum() > 1, "x.sum() > 1")  # once',
            id="its test is the message",
        ),
        pytest.param(
            'assert x.sum() > 1 and {0: x.min()}[0] < 2, "no"',
            'checkify.debug_check(jnp.all((x.sum() > 1) & ({0: x.min()}[0] < 2)), "no")',
            id="of both",
        ),
        pytest.param(
            'assert x[:1], (\n    "a"\n    "b"\n)',
            'checkify.debug_check(jnp.all(x[:1]), (\n    "a"\n    "b"\n))',
            id="of a number, in lines",
        ),
        pytest.param('assert x.min() > 0, f"{x}"', 'assert x.min() > 0, f"{x}"', id="of values"),
        pytest.param('assert x[0] > 0, "{x}"', 'assert x[0] > 0, "{x}"', id="no template"),
        pytest.param('assert x[0] in [1], "a"', 'assert x[0] in [1], "a"', id="membership"),
    ],
)
def test_assertions_become_checks(before: str, after: str) -> None:
    """The check takes one truth value, and its message is a template."""
    lines = "".join(f"    {line}\n" for line in before.splitlines())
    text = f"{HEAD}@jax.jit\ndef f(x):\n{lines}    return x\n\n\nf(jnp.ones(2))\n"
    fixed = fix_text(text).text
    assert dedent(fixed.partition("def f(x):\n")[2].partition("    return x")[0]) == f"{after}\n"
    assert ("\nfrom jax.experimental import checkify\nimport numpy" in fixed) == (before != after)


@pytest.mark.parametrize(
    ("shape", "after"),
    [
        ("(1,)", "int(count.item())"),
        ("(1, 1)", "int(count.item())"),
        ("(2,)", "int(count)"),
        ("(1, 2)", "int(count)"),
    ],
)
def test_the_only_element_becomes_a_number(shape: str, after: str) -> None:
    """`int` takes no array with axes, since NumPy 2; which of several is meant nobody knows."""
    head = f"{HEAD}count = jnp.ones({shape})\n"
    assert fix_text(f"{head}print(int(count))\n").text == f"{head}print({after})\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("max(both)", "jnp.max(jnp.array(both))", id="a list"),
        pytest.param("max(xs)", "jnp.max(xs)", id="an array"),
        pytest.param("max(d.values())", "jnp.max(jnp.array([*d.values()]))", id="a view"),
        pytest.param("max(views)", "jnp.max(jnp.array([*views]))", id="a view with a name"),
        pytest.param(
            "any(map(abs, both))", "jnp.any(jnp.array([*map(abs, both)]))", id="an iterator"
        ),
        pytest.param(
            "max(y * 2 for y in xs)", "jnp.max(jnp.array([y * 2 for y in xs]))", id="made"
        ),
        pytest.param("max(Own(x), Own(x + 1)).value", None, id="objects"),
        pytest.param("max([Own(x), Own(x + 1)]).value", None, id="a list of objects"),
    ],
)
def test_functions_of_arrays_get_arrays(before: str, after: str | None) -> None:
    """`jnp.max` takes no list, `jnp.array` no view and no generator, and neither takes objects."""
    head = (
        f"{HEAD}class Own:\n    def __init__(self, value):\n        self.value = value\n\n"
        "    def __gt__(self, other):\n        return self.value > other.value\n\n\n"
        "@jax.jit\ndef f(x, xs):\n    both = [x, xs[0]]\n    d = dict(a=x, b=xs[1])\n"
        "    views = d.values()\n    return both, views, "
    )
    end = "\n\n\nf(jnp.float32(1.0), jnp.ones(3))\n"
    assert fix_text(f"{head}{before}{end}").text == f"{head}{after or before}{end}"


@pytest.mark.parametrize(
    ("body", "is_fixed"),
    [
        ("return jnp.where((x > 0) & ~strict, x, 0.0)", False),
        ("return jnp.where((x > 0) | ~strict, x, 0.0)", True),
        ("return x if ~strict & ~False else 2 * x", True),
    ],
)
def test_a_flag_beside_and_stays_inverted(body: str, is_fixed: bool) -> None:
    """Its bits have the right truth there, and where another caller traces it `not` fails."""
    text = f"def f(x, strict=False):\n    {body}"
    assert ("not strict" in fixed(text, "f(jnp.ones(3))")) == is_fixed


def test_a_truth_that_all_asks_for_is_not_left_an_array() -> None:
    """`all` fails on the array as `bool` did."""
    text = "@jax.jit\ndef f(xs):\n    return all(bool(jnp.all(x > 0)) for x in xs)"
    assert fixed(text, "f([jnp.ones(3)])") == text


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            "return jnp.where(m, x / (1.0 - jnp.cos(x)), 1.0)",
            "return jnp.where(m, x / jnp.where(m, 1.0 - jnp.cos(x), 1), 1.0)",
        ),
        (
            "c = x / jnp.sin(x)\n    return jnp.where(m, c, 1.0)",
            "c = x / jnp.where(m, jnp.sin(x), 1)\n    return jnp.where(m, c, 1.0)",
        ),
        (
            "c = x / jnp.sin(x)\n    n = m\n    return jnp.where(n, c, 1.0)",
            "n = m\n    return jnp.where(n, x / jnp.where(n, jnp.sin(x), 1), 1.0)",
        ),
    ],
    ids=["parentheses", "in its statement", "a variable for this alone"],
)
def test_a_guarded_divisor_leaves_nothing_over(body: str, after: str) -> None:
    """Neither a second pair of parentheses nor a variable that nobody reads any more."""
    head = "@jax.grad\ndef f(x):\n    m = jnp.abs(x) > 1e-6\n    "
    assert fixed(head + body, "f(1.0)") == head + after


@pytest.mark.parametrize(
    "body",
    [
        "r = 1 / x\n    x = 3 * x\n    return jnp.where(x > 0, r, 0.0)",
        "global r\n    r = 1 / x\n    return jnp.where(x > 0, r, 0.0)",
        "d = {'a': 2.0}\n    r = d['a'] / x\n    m = x > 0\n    d['a'] = 0.0\n"
        "    return jnp.where(m, r, 0.0)",
        "n = iter((2.0, 3.0))\n    r = next(n) / x\n    return jnp.where(x > next(n), r, 0.0)",
    ],
    ids=["bound again", "a global variable", "an item that changes", "an iterator"],
)
def test_a_value_is_not_computed_later_where_it_may_be_another(body: str) -> None:
    """The safe fix gave other numbers, or left a global variable as it was."""
    text = f"@jax.grad\ndef f(x):\n    {body}"
    assert fixed(text, "f(1.0)") == text


@pytest.mark.parametrize(
    ("parameter", "is_fixed"),
    [("scale=1.0", True), ("scale=None", False), ("scale: Optional[float] = None", False)],
)
def test_what_may_be_none_chooses_by_python(parameter: str, is_fixed: bool) -> None:
    """Who leaves it out would select by None, and divide by it."""
    head = f"from typing import Optional\n\n\n@jax.jit\ndef f(x, {parameter}):\n    return "
    text = f"{head}x / scale if scale else x"
    after = f"{head}jnp.where(scale, x / scale, x)" if is_fixed else text
    assert fixed(text, "f(jnp.ones(2), 3.0)") == after


@pytest.mark.parametrize(
    ("body", "is_fixed"),
    [
        ("return jnp.sum(xs)", True),
        ("return x + xs", True),
        ("return x[xs]", False),
    ],
)
def test_a_list_of_callers_indexes_no_array(body: str, is_fixed: bool) -> None:
    """Where another caller passes a slice, an array of it is an error."""
    text = f"def f(x, xs):\n    {body}"
    assert ("jnp.array(xs)" in fixed(text, "f(jnp.ones(2), [0, 1])")) == is_fixed
    tuples = fixed(text, "f(jnp.ones(2), (0.0, 1.0))")
    assert "jnp.array(xs)" not in tuples


@pytest.mark.parametrize(
    ("elements", "is_fixed"),
    [
        ("[State(1.0), State(2.0)]", False),
        ("[State(x) for x in range(3)]", False),
        ("[[1.0], [2.0]]", True),
    ],
)
def test_a_list_of_objects_is_put_into_no_array(elements: str, is_fixed: bool) -> None:
    head = "class State:\n    def __init__(self, x):\n        self.x = x\n\n\n"
    text = f"{head}states = {elements}\n\n\n@jax.jit\ndef f(i):\n    return states[i]"
    assert ("jnp.array(states)" in fixed(text, "f(0)")) == is_fixed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x.mean(where=n)", "x.mean(where=n != 0)"),
        ("jnp.sum(x, where=1 - n)", "jnp.sum(x, where=(1 - n) != 0)"),
        ("jnp.where(-(x > 0), x, 0)", "jnp.where(~(x > 0), x, 0)"),
    ],
)
def test_what_has_to_be_boolean_becomes_so(before: str, after: str) -> None:
    line = "n = jnp.arange(3)\nreturn {}"
    assert jitted(line.format(before), values="jnp.ones(3)") == line.format(after)


@pytest.mark.parametrize(
    ("other", "is_fixed"), [("x[keep]", False), ("x * keep", True)], ids=["an index", "a factor"]
)
def test_a_size_that_another_index_shares_is_not_fixed(other: str, is_fixed: bool) -> None:
    """The elements that the mask itself takes are fewer than the rows of a fixed size."""
    body = f"keep = x > 0\ny = {other}\ni = jnp.where(keep)[0]\nreturn y, i"
    sized = body.replace("where(keep)", "where(keep, size=keep.size)")
    assert (jitted(body, values="jnp.ones(3)") == sized) is is_fixed


@pytest.mark.parametrize(
    ("use", "filled"),
    [
        ("x.at[i].add(1.0)", "size=keep.size, fill_value=keep.size"),
        ("x.at[i].add(1.0, mode='clip')", ""),
        ("jnp.zeros(9).at[i].add(1.0)", ""),
        ("i[:2]", "size=keep.size"),
        ("i[:-1]", ""),
        ("i[::-1]", ""),
        ("x[i].sum()", ""),
        ("jnp.sum(i)", ""),
        ("x.at[i].get()", ""),
        ("(x.at[i].add(1.0), i)", ""),
    ],
)
def test_what_fills_the_rest_changes_nothing(use: str, filled: str) -> None:
    """Row 0 was summed, and changed, as often as indices were not found."""
    body = f"keep = x > 0\ni = jnp.where(keep)[0]\nreturn {use}"
    passed = f"keep, {filled}" if filled else "keep"
    assert jitted(body, values="jnp.arange(3.0)") == body.replace("where(keep)", f"where({passed})")
