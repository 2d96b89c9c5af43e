"""Forms that fixes meet: what is written for each, and where nothing is."""

from textwrap import dedent

import pytest
from fixing import HEAD, fix_text, fixed, jitted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "y = (x if x > 0 else -x)\nreturn y",
            "y = jnp.where(x > 0, x, -x)\nreturn y",
            id="its own parentheses go",
        ),
        pytest.param(
            "return abs(x if x > 0 else 2 * x)",
            "return abs(jnp.where(x > 0, x, 2 * x))",
            id="those of a call stay",
        ),
        pytest.param(
            "return 1.0 if x > 2 else 0.5 if x > 1 else 0.0",
            "return jnp.where(x > 2, 1.0, jnp.where(x > 1, 0.5, 0.0))",
            id="nested",
        ),
        pytest.param(
            """
            if x > 0:  # up
                y = x
            else:
                y = -x  # down
            return y
            """,
            """
            # up
            y = jnp.where(x > 0, x, -x)  # down
            return y
            """,
            id="comments stay",
        ),
        pytest.param(
            """
            if x > 0:
                y = jnp.clip(
                    x,  # low
                    0.0, 1.0)
            else:
                y = -x  # down
            return y
            """,
            """
            y = jnp.where(x > 0, jnp.clip(
                    x,  # low
                    0.0, 1.0), -x)  # down
            return y
            """,
            id="a comment inside what is copied stays once",
        ),
        pytest.param(
            """
            y = 2 * x
            if x > 0:
                y += 1
            return y
            """,
            """
            y = 2 * x
            y = jnp.where(x > 0, y + 1, y)
            return y
            """,
            id="augmented",
        ),
        pytest.param(
            """
            y, z = 2 * x, 3 * x
            if x > 0 and jnp.abs(y - z) < 1.0:
                y = z - 1
                z = y * 2
            return y + z
            """,
            """
            y, z = 2 * x, 3 * x
            condition = (x > 0) & (jnp.abs(y - z) < 1.0)
            y = jnp.where(condition, z - 1, y)
            z = jnp.where(condition, y * 2, z)
            return y + z
            """,
            id="several names",
        ),
        pytest.param(
            """
            if x > 1:
                return 2 * x
            elif x > 0:
                return x
            else:
                return -x
            """,
            "return jnp.where(x > 1, 2 * x, jnp.where(x > 0, x, -x))",
            id="a chain",
        ),
        pytest.param(
            "if x > 0:\n    return (x, x)\nreturn (x, -x)",
            "return x, jnp.where(x > 0, x, -x)",
            id="tuples",
        ),
        pytest.param(
            "a, b = x, 2 * x\nif a > b:\n    a, b = b, a\nreturn a - b",
            "a, b = x, 2 * x\na, b = jnp.where(a > b, b, a), jnp.where(a > b, a, b)\nreturn a - b",
            id="in turn",
        ),
        pytest.param(
            "y = x\nif x > 0:\n    pass\nelse:\n    y = -x\nreturn y",
            "y = x\ny = jnp.where(x > 0, y, -x)\nreturn y",
            id="nothing on one side",
        ),
        pytest.param(
            "if x < 0:\n    return 0.0\n# the root\ny = jnp.sqrt(x)\nreturn y + 1",
            "# the root\ny = jnp.sqrt(x)\nreturn jnp.where(x < 0, 0.0, y + 1)",
            id="a guard",
        ),
        pytest.param(
            "if x < 0:\n    return 0.0\nif x > 3:\n    return 9.0\ny = x * x\nreturn y",
            "y = x * x\nreturn jnp.where(x < 0, 0.0, jnp.where(x > 3, 9.0, y))",
            id="two guards",
        ),
    ],
)
def test_a_branch_that_chooses_a_value_selects_it(before: str, after: str) -> None:
    assert jitted(before) == dedent(after).strip("\n")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if x > 0:\n    print(1)\nreturn x", id="an effect"),
        pytest.param("if x > 0:\n    y = x\n    return y\nreturn x", id="more than a value"),
        pytest.param("if x > 0:\n    return 'up'\nreturn 'down'", id="texts"),
        pytest.param("y = None\nif x > 0:\n    y = x\nreturn y", id="a name without a number"),
        pytest.param("if x > 0:\n    y = x\nreturn y", id="a name without a value"),
        pytest.param("if x > 0:\n    return (x, x)\nreturn (x, -x, x)", id="tuples"),
        pytest.param("if x > 0:\n    return x\nx = x + 1\nreturn x", id="what is bound again"),
        pytest.param("if x > 0:\n    return x\nprint()\nreturn -x", id="an effect behind"),
        pytest.param("if x > 0:\n    raise ValueError\nreturn x", id="an error"),
        pytest.param("f = jnp.sin if x > 0 else jnp.cos\nreturn f(x)", id="functions"),
    ],
)
def test_a_branch_that_does_more_is_left_alone(body: str) -> None:
    """`jnp.where` computes both sides, and both have to be arrays."""
    assert jitted(body) == body


def test_a_long_test_is_not_repeated_for_each_item() -> None:
    """An expression has no line before it for a name of the test."""
    body = "return (x, -x) if x > 0 and jnp.abs(x - 2 * x) < 1.0 else (-x, x)"
    assert jitted(body) == body


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("return -(x and y)", "return -jnp.where(x, y, x)", id="a value"),
        pytest.param(
            "return (x > 0 or y > 0) * 2.0", "return ((x > 0) | (y > 0)) * 2.0", id="beside *"
        ),
        pytest.param(
            "return not (x > 0 and not y > 0)", "return ~((x > 0) & ~(y > 0))", id="nested"
        ),
        pytest.param(
            "return x not in [1, 2,]", "return ~jnp.isin(x, jnp.array([1, 2]))", id="membership"
        ),
        pytest.param(
            "return max(x, y, 0.0)", "return jnp.maximum(jnp.maximum(x, y), 0.0)", id="three"
        ),
        pytest.param(
            "return max(x + y, key=abs)", "return max(x + y, key=abs)", id="a key function"
        ),
    ],
)
def test_truth_values_become_those_of_arrays(before: str, after: str) -> None:
    assert jitted(before, "x, y", "1.0, 2.0") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "x[0] = (x[1] +\n        x[2])\nreturn x",
            f"x = x.at[0].set(x[1] +\n{16 * ' '}x[2])\nreturn x",
            id="parentheses are those of the call",
        ),
        pytest.param(
            "x[0] //= 2\nreturn x", "x = x.at[0].set(x[0] // 2)\nreturn x", id="another operator"
        ),
        pytest.param("x[0] -= 1 + x[1]\nreturn x", "x = x.at[0].subtract(1 + x[1])\nreturn x"),
        pytest.param("x[0] = 1, 2\nreturn x", "x = x.at[0].set((1, 2))\nreturn x", id="a tuple"),
        pytest.param("x[0] = 1.0\nreturn 0", "x[0] = 1.0\nreturn 0", id="nobody reads it"),
        pytest.param(
            "x[0], x[1] = x[1], x[0]\nreturn x",
            "x = x.at[0].set(x[1]).at[1].set(x[0])\nreturn x",
            id="two at once",
        ),
        pytest.param("x[0] = x[1] = 1\nreturn x", "x[0] = x[1] = 1\nreturn x", id="two targets"),
        pytest.param(
            "def g():\n    x[0] = 1.0\ng()\nreturn x",
            "def g():\n    x[0] = 1.0\ng()\nreturn x",
            id="of another function",
        ),
    ],
)
def test_items_are_assigned_through_at(before: str, after: str) -> None:
    assert jitted(before, values="jnp.ones(3)") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "kept = x[x > 0]\nreturn kept.sum() / jnp.sum(kept)",
            "return x.sum(where=x > 0) / jnp.sum(x, where=x > 0)",
            id="a name that is only reduced",
        ),
        pytest.param(
            "kept = x[x > 0]\nreturn kept.sum(), kept",
            "kept = x[x > 0]\nreturn kept.sum(), kept",
            id="a name that is also returned",
        ),
        pytest.param(
            "return jnp.mean((x[x > 0] - 1) ** 2 / x[x > 0])",
            "return jnp.mean((x - 1) ** 2 / x, where=x > 0)",
            id="what is computed of each element",
        ),
        pytest.param(
            "y = 2 * x[x > 0]\nreturn jnp.sum(y * x[x > 0])",
            "y = 2 * x[x > 0]\nreturn jnp.sum(y * x[x > 0])",
            id="what has as many elements already",
        ),
        pytest.param(
            "return jnp.sum(x[x > 0] * 2, axis=0)",
            "return jnp.sum(x[x > 0] * 2, axis=0)",
            id="along an axis",
        ),
        pytest.param("x[x > 0] = 2.0\nreturn x", "x = jnp.where(x > 0, 2.0, x)\nreturn x"),
        pytest.param(
            "x[x > 0] -= x[x > 0] / 2  # half\nreturn x",
            "x = jnp.where(x > 0, x - (x / 2), x)  # half\nreturn x",
            id="an update in place",
        ),
        pytest.param(
            "return x[x > 0].max()", "return x[x > 0].max()", id="the greatest of none is nothing"
        ),
        pytest.param(
            "return x.at[x > 0].set(x[x > 0] * 2)",
            "return jnp.where(x > 0, x * 2, x)",
            id="what is set by the mask has its size",
        ),
    ],
)
def test_masks_become_selections(before: str, after: str) -> None:
    assert jitted(before, values="jnp.ones(3)") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "return x[:, i : 2 + i]",
            "return jax.lax.dynamic_slice_in_dim(x, i, 2, axis=1)",
            id="of the second axis",
        ),
        pytest.param("return x[i:]", "return x[i:]", id="of no known length"),
        pytest.param("return x[i : i + 2 : 2]", "return x[i : i + 2 : 2]", id="with a step"),
        pytest.param(
            "return x[i : i + 2, 0]",
            "return jax.lax.dynamic_slice_in_dim(x, i, 2)[:, 0]",
            id="before an index",
        ),
        pytest.param(
            "return x[i : i + 2, i]",
            "return jax.lax.dynamic_slice_in_dim(x, i, 2)[:, i]",
            id="before an index by its name",
        ),
        pytest.param(
            "return x[-1, i : i + 2]",
            "return jax.lax.dynamic_slice_in_dim(x, i, 2, axis=1)[-1]",
            id="behind an index",
        ),
        pytest.param(
            "return x.at[i : i + 2, 0].set(1.0)",
            "return x.at[i : i + 2, 0].set(1.0)",
            id="where an array is updated",
        ),
        pytest.param(
            "return x.T[i : i + 2, 0]",
            "return jax.lax.dynamic_slice_in_dim(x.T, i, 2)[:, 0]",
            id="of an attribute",
        ),
        pytest.param(
            "return x[i * 2 : (i + 1) * 2]",
            "return jax.lax.dynamic_slice_in_dim(x, i * 2, 2)",
            id="a batch",
        ),
        pytest.param(
            "return x[2 * i + 1 : 2 * i + 3]",
            "return jax.lax.dynamic_slice_in_dim(x, 2 * i + 1, 2)",
            id="of two sums",
        ),
        pytest.param("return x[i * 2 : (i + 2) * 2]", "return x[i * 2 : (i + 2) * 2]", id="of two"),
        pytest.param(
            "return x[i : i + 2, i - 1 : i]",
            "return jax.lax.dynamic_slice(x, (i, i - 1), (2, 1))",
            id="of both axes",
        ),
        pytest.param(
            "x = x.reshape(2, 2, 4)\nreturn x[i : i + 1, :]",
            "x = x.reshape(2, 2, 4)\nreturn jax.lax.dynamic_slice_in_dim(x, i, 1)",
            id="of one of three",
        ),
        pytest.param(
            "x = x.reshape(2, 2, 4)\nreturn x[i : i + 1, i : i + 2]",
            "x = x.reshape(2, 2, 4)\n"
            "return jax.lax.dynamic_slice(x, (i, i, 0), (1, 2, x.shape[2]))",
            id="of two of three",
        ),
    ],
)
def test_slices_of_known_length_become_dynamic(before: str, after: str) -> None:
    assert jitted(before, "x, i", "jnp.ones((4, 4)), 1") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("m[:n].mean()", "m.mean(where=(COUNT < n)[:, None])", id="of the first axis"),
        pytest.param(
            "jnp.sum(m[:, n:] ** 2, 1)", "jnp.sum(m ** 2, 1, where=LAST >= n)", id="of the last"
        ),
        pytest.param(
            "m[..., : n + 1].any(axis=0)",
            "m.any(axis=0, where=LAST < n + 1)",
            id="of the last, which has no number",
        ),
        pytest.param(
            "v[-n:].mean()",
            "v.mean(where=jnp.arange(v.shape[0]) >= v.shape[0] - n)",
            id="of so many at the end",
        ),
        pytest.param(
            "jnp.sum(v[:n] * w[:n] / 2)",
            "jnp.sum(v * w / 2, where=jnp.arange(v.shape[0]) < n)",
            id="of two arrays",
        ),
        pytest.param(
            "m[n:].max(axis=0)",
            "jnp.where((COUNT >= n)[:, None], m, m[n]).max(axis=0)",
            id="a maximum is filled with what is within",
        ),
        pytest.param("m.at[:, :n].add(1)", "jnp.where(LAST < n, m + 1, m)", id="an update"),
        pytest.param("m.at[n : n + 2].set(0)", "m.at[n + jnp.arange(2)].set(0)", id="of two rows"),
        pytest.param("jnp.sum(v[:n] * w[n:])", None, id="of two slices"),
        pytest.param("jnp.sum(v[:n] - jnp.sort(v[:n]))", None, id="of what hangs on the size"),
        pytest.param("jnp.argmax(v[n:])", None, id="a place counts from the start"),
        pytest.param("v[:n].sum(where=w > 0)", None, id="masked already"),
        pytest.param("jnp.sort(v)[:n].sum()", None, id="of no name"),
        pytest.param("jax.vmap(lambda r: r[n : n * n].sum())(m)", None, id="no line before"),
    ],
)
def test_slices_of_any_length_become_masks(before: str, after: str | None) -> None:
    """Each mask is for the axis that is sliced, also where there are as many rows as columns."""
    expected = (after or before).replace("COUNT", "jnp.arange(m.shape[0])")
    expected = expected.replace("LAST", f"jnp.arange(m.shape[{-1 if '...' in before else 1}])")
    arguments = "jnp.ones((4, 4)), jnp.ones(4), jnp.ones(4), 2"
    assert jitted(f"return {before}", "m, v, w, n", arguments) == f"return {expected}"


def test_a_slice_between_two_bounds_has_its_positions_named() -> None:
    after = jitted("y = jnp.exp(x[i:-1]).sum()  # one\nreturn y", "x, i", "jnp.ones(4), 1")
    assert after.splitlines() == [
        "positions = jnp.arange(x.shape[0])",
        "y = jnp.exp(x).sum(where=(positions >= i) & (positions < x.shape[0] - 1))  # one",
        "return y",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("jnp.where(~flag, x, 0)", "jnp.where(not flag, x, 0)"),
        ("x * (~flag | ~(x.ndim == 1))", "x * ((not flag) | (not (x.ndim == 1)))"),
        ("x * ~ (flag or x.ndim > 1)", "x * (not (flag or x.ndim > 1))"),
    ],
)
def test_a_flag_is_negated(before: str, after: str) -> None:
    body = "flag = x.ndim == 0\nreturn "
    assert jitted(body + before, "x", "jnp.ones(3)") == body + after


def test_a_leak_is_returned_to_all_callers_in_the_file() -> None:
    program = """\
        seen = []


        @jax.jit
        def f(x):
            y = 2 * x
            seen.append(y + 1)
            return y, x


        def g(x):
            pair = f(x)
            return pair
        """
    after = fixed(program, "g(1.0)")
    assert "    return (y, x), y + 1\n" in after
    assert "    pair, recorded = f(x)\n    seen.append(recorded)\n    return pair\n" in after
    assert "seen.append(y + 1)" not in after


@pytest.mark.parametrize("use", ["print(f(1.0))", "h = f", "jax.grad(f)(1.0)"])
def test_a_leak_stays_where_the_function_is_used_otherwise(use: str) -> None:
    """A caller that is overlooked would get a pair."""
    program = "seen = []\n\n\n@jax.jit\ndef f(x):\n    seen.append(x)\n    return x\n"
    assert "    seen.append(x)\n    return x\n" in fixed(f"{program}\n\nf(2.0)\n{use}", "f(3.0)")


def test_no_module_is_imported_under_a_name_in_use() -> None:
    program = "def g(x):\n    jnp = 2\n    return np.log(x) * jnp\n"
    text = f"import jax\nimport numpy as np\n\n\n{program}\n\njax.jit(g)(1.0)\n"
    assert "return jax.numpy.log(x) * jnp" in fix_text(text).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("jnp.prod(jnp.array(x.shape, dtype=int))", "np.prod(np.array(x.shape, dtype=int))"),
        ("jnp.array(x.size, copy=False) // 1", "jnp.array(x.size, copy=False) // 1"),
    ],
)
def test_what_is_known_is_computed_with_numpy(before: str, after: str) -> None:
    """The import comes behind those of JAX, as the tools that sort them have it."""
    head, body = "import jax\nimport jax.numpy as jnp\n", "\n\n@jax.jit\ndef f(x):\n    n = {}\n"
    tail = "    return x.reshape(n)\n\n\nf(jnp.ones((2, 3)))\n"
    added = "import numpy as np\n" if after != before else ""
    expected = head + added + body.format(after) + tail
    assert fix_text(head + body.format(before) + tail).text == expected


def test_imports_inside_functions_and_from_the_future_are_understood() -> None:
    program = (
        "from __future__ import annotations\n\nimport jax\n\n\n@jax.jit\ndef f(x):\n"
        "    import numpy as np\n\n    return np.log(x)\n\n\nf(1.0)\n"
    )
    after = fix_text(program).text
    assert "\nimport jax\nimport jax.numpy as jnp\n" in after
    assert "    return jnp.log(x)\n" in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@jax.jit", '@functools.partial(jax.jit, static_argnames=("n", "m"))'),
        (
            "@functools.partial(jax.jit, static_argnums=(3,))",
            "@functools.partial(jax.jit, static_argnums=(3, 1, 2))",
        ),
        (
            "@functools.partial(jax.jit, static_argnums=2)",
            "@functools.partial(jax.jit, static_argnums=(2, 1))",
        ),
        (
            '@functools.partial(jax.jit, static_argnames=["k"])',
            '@functools.partial(jax.jit, static_argnames=["k", "n", "m"])',
        ),
    ],
)
def test_parameters_become_static_in_the_way_in_which_others_are(before: str, after: str) -> None:
    """Of a shape of two parameters both: with one of them alone it would be found again."""
    head = f"import functools\n\n{HEAD}"
    program = "\ndef f(x, n, m, k):\n    return jnp.zeros((n, m)) + k * x\n\n\nf(1.0, 2, 3, 4)\n"
    assert fix_text(f"{head}{before}{program}").text == f"{head}{after}{program}"


def test_an_integer_that_is_a_size_is_a_static_one() -> None:
    before = "@jax.jit\ndef f(x, n):\n    return jnp.zeros(int(n)) + x"
    assert '@functools.partial(jax.jit, static_argnames=("n",))' in fixed(before, "f(1.0, 2)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return x.at[x > 0].max(2.0)", "return jnp.where(x > 0, jnp.maximum(x, 2.0), x)"),
        ("return x.at[x > 0].min(2.0)", "return jnp.where(x > 0, jnp.minimum(x, 2.0), x)"),
        ("return x.at[x > 0].add(x.sum())", "return jnp.where(x > 0, x + x.sum(), x)"),
        ("return x.at[x > 0].divide(2.0)", "return jnp.where(x > 0, x / 2.0, x)"),
        ("return x.at[x > 0].power(2)", "return jnp.where(x > 0, x ** 2, x)"),
        ("return x.at[x > 0].apply(jnp.sin)", "return x.at[x > 0].apply(jnp.sin)"),
        ("return x.at[-x > 0].set(x[-x > 0] * 2)", "return jnp.where(-x > 0, x * 2, x)"),
        ("return x.at[jnp.isnan(x)].set(0.0)", "return jnp.where(jnp.isnan(x), 0.0, x)"),
        ("y = x[0].item()\nreturn jnp.sin(y)", "y = x[0]\nreturn jnp.sin(y)"),
    ],
)
def test_updates_by_a_mask_select(before: str, after: str) -> None:
    """Each method of `.at[mask]` becomes the operation that it stands for, or stays."""
    assert jitted(before, values="jnp.ones(3)") == after
