"""Random keys that several uses share: each gets a part, as none can make the key another one."""

from textwrap import dedent, indent

import pytest
from fixing import HEAD, fix_text, fixed


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            i = jax.random.randint(part, (), 0, 3)
            return x[i] + jax.random.normal(part)
            """,
            """
            first_key, second_key = jax.random.split(part)
            i = jax.random.randint(first_key, (), 0, 3)
            return x[i] + jax.random.normal(second_key)
            """,
        ),
        (
            """
            i = jax.random.randint(part, (), 0, 3)
            y = x[i] + jax.random.normal(part)
            return y + jax.random.normal(jax.random.fold_in(part, 1))
            """,
            """
            keys = jax.random.split(part, 3)
            i = jax.random.randint(keys[0], (), 0, 3)
            y = x[i] + jax.random.normal(keys[1])
            return y + jax.random.normal(jax.random.fold_in(keys[2], 1))
            """,
        ),
        (
            """
            y = jax.random.normal(part)
            for _ in range(3):
                y += jax.random.normal(part)
            return y
            """,
            """
            y = jax.random.normal(part)
            for _ in range(3):
                y += jax.random.normal(part)
            return y
            """,
        ),
    ],
    ids=["two uses", "a third one", "one in a loop"],
)
def test_a_key_of_the_function_around_has_a_part_for_each_use(body: str, after: str) -> None:
    """It was not split: to assign it would make another variable of it."""
    head = "def f(key, x=jnp.ones(3)):\n    part = jax.random.fold_in(key, 2)\n\n    def inner():\n"
    end = "\n\n    return inner()"
    bodies = (indent(dedent(each).strip(), "        ") for each in (body, after))
    before, expected = (head + each + end for each in bodies)
    assert fixed(before, "f(jax.random.key(0))") == expected


@pytest.mark.parametrize(
    ("head", "call", "body", "after"),
    [
        (
            "KEY = jax.random.key(0)\n\n\ndef f():\n",
            "f()",
            """
            x = jax.random.normal(KEY, (3,))
            if x[0] > 0:
                print(jax.random.uniform(KEY))
            return x
            """,
            """
            first_key, second_key = jax.random.split(KEY)
            x = jax.random.normal(first_key, (3,))
            if x[0] > 0:
                print(jax.random.uniform(second_key))
            return x
            """,
        ),
        (
            "def f(state):\n",
            "f(state)",
            """
            x = jax.random.normal(state.rng, (3,))
            return x + jax.random.uniform(state.rng, (3,))
            """,
            """
            first_key, second_key = jax.random.split(state.rng)
            x = jax.random.normal(first_key, (3,))
            return x + jax.random.uniform(second_key, (3,))
            """,
        ),
        (
            "def f(key):\n",
            "f(jax.random.key(0))",
            """
            keys = jax.random.split(key, 3)
            x = jax.random.normal(keys[0], (3,)) + jax.random.normal(keys[2], (3,))
            return x + jax.random.uniform(keys[2], (3,)) + jax.random.gumbel(keys[1], (3,))
            """,
            """
            keys = jax.random.split(key, 4)
            x = jax.random.normal(keys[0], (3,)) + jax.random.normal(keys[2], (3,))
            return x + jax.random.uniform(keys[3], (3,)) + jax.random.gumbel(keys[1], (3,))
            """,
        ),
        (
            "def f(key):\n",
            "f(jax.random.key(0))",
            """
            keys = jax.random.split(key, 5)
            x = jax.random.normal(keys[0], (3,)) + jax.random.normal(keys[2], (3,))
            y = jax.random.uniform(keys[2], (3,)) + jax.random.gumbel(keys[0], (3,))
            return x * y
            """,
            """
            keys = jax.random.split(key, 5)
            x = jax.random.normal(keys[0], (3,)) + jax.random.normal(keys[2], (3,))
            y = jax.random.uniform(keys[1], (3,)) + jax.random.gumbel(keys[3], (3,))
            return x * y
            """,
        ),
        (
            "def f(key, n):\n",
            "f(jax.random.key(0), 3)",
            """
            x, keys = 0.0, jax.random.split(key, n)
            for i in range(n):
                x += jax.random.normal(keys[i])
                x += jax.random.uniform(keys[i])
            return x
            """,
            """
            x, keys = 0.0, jax.random.split(key, n)
            for i in range(n):
                first_key, second_key = jax.random.split(keys[i])
                x += jax.random.normal(first_key)
                x += jax.random.uniform(second_key)
            return x
            """,
        ),
        (
            "KEY = jax.random.key(0)\n\n\ndef f():\n",
            "f()",
            """
            total = 0.0
            for _ in range(3):
                total += jax.random.normal(KEY)
                total += jax.random.uniform(KEY)
            return total
            """,
            """
            total = 0.0
            for _ in range(3):
                total += jax.random.normal(KEY)
                total += jax.random.uniform(KEY)
            return total
            """,
        ),
    ],
    ids=[
        "of the module",
        "of an object",
        "by its number",
        "beside unused ones",
        "of an iteration",
        "in a loop",
    ],
)
def test_a_key_that_cannot_be_assigned_has_a_part_for_each_use(
    head: str, call: str, body: str, after: str
) -> None:
    """Those of larger repositories were not split: constants, items, fields of a state."""
    before, expected = (head + indent(dedent(text).strip(), "    ") for text in (body, after))
    assert fixed(before, call) == expected


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            def value(w, scale):
                return scale * jnp.sum(w * jax.random.normal(key, w.shape))

            first = value(x, 1.0)
            return first - value(x, 2.0)
            """,
            """
            def value(w, scale, key):
                return scale * jnp.sum(w * jax.random.normal(key, w.shape))

            first_key, second_key = jax.random.split(key)
            first = value(x, 1.0, first_key)
            return first - value(x, 2.0, second_key)
            """,
        ),
        (
            """
            def loss(w):
                return jnp.sum((w - jax.random.normal(key, w.shape)) ** 2)

            for _ in range(3):
                x -= jax.grad(loss)(x)
            return x
            """,
            """
            def loss(w, key):
                return jnp.sum((w - jax.random.normal(key, w.shape)) ** 2)

            for _ in range(3):
                key, subkey = jax.random.split(key)
                x -= jax.grad(loss)(x, subkey)
            return x
            """,
        ),
        (
            """
            def actor(w):
                return jnp.sum(w * jax.random.normal(key, w.shape))

            slope = jax.grad(actor)(x)

            def critic(w):
                return jnp.sum(w * jax.random.uniform(key, w.shape))

            return slope, jax.grad(critic)(x)
            """,
            """
            first_key, second_key = jax.random.split(key)

            def actor(w):
                return jnp.sum(w * jax.random.normal(first_key, w.shape))

            slope = jax.grad(actor)(x)

            def critic(w):
                return jnp.sum(w * jax.random.uniform(second_key, w.shape))

            return slope, jax.grad(critic)(x)
            """,
        ),
        (
            """
            def step(y, _):
                return y + jax.random.normal(key, y.shape), None

            return jax.lax.scan(step, x, None, length=4)
            """,
            """
            def step(y, key):
                return y + jax.random.normal(key, y.shape), None

            return jax.lax.scan(step, x, jax.random.split(key, 4))
            """,
        ),
        (
            """
            def step(y, x):
                return y + x * jax.random.normal(key, y.shape), None

            return jax.lax.scan(step, x, x)
            """,
            """
            def step(y, x):
                return y + x * jax.random.normal(key, y.shape), None

            return jax.lax.scan(step, x, x)
            """,
        ),
        (
            """
            def value(w, scale=1.0):
                return scale * jnp.sum(w * jax.random.normal(key, w.shape))

            return value(x) - value(x, scale=2.0)
            """,
            """
            def value(w, scale=1.0, *, key):
                return scale * jnp.sum(w * jax.random.normal(key, w.shape))

            first_key, second_key = jax.random.split(key)
            return value(x, key=first_key) - value(x, scale=2.0, key=second_key)
            """,
        ),
        (
            """
            a, b = [(1,), (2,)], [3, 4]
            return [d(key, m) + n for m, n in zip(a, b)]
            """,
            """
            a, b = [(1,), (2,)], [3, 4]
            return [d(subkey, m) + n for m, n, subkey in zip(a, b, jax.random.split(key, len(a)))]
            """,
        ),
        (
            """
            def parts(n):
                return {"w": jax.random.normal(key, (n,)), "n": n}

            w = parts(3)["w"]
            return w, parts(3)["n"]
            """,
            """
            def parts(n):
                return {"w": jax.random.normal(key, (n,)), "n": n}

            w = parts(3)["w"]
            return w, parts(3)["n"]
            """,
        ),
        (
            """
            def value(w):
                return jnp.sum(w * jax.random.normal(key, w.shape))

            first = value(x)
            return first - value(x), jax.tree.map(value, [x])
            """,
            """
            def value(w):
                return jnp.sum(w * jax.random.normal(key, w.shape))

            first = value(x)
            return first - value(x), jax.tree.map(value, [x])
            """,
        ),
        (
            """
            def value(w, b):
                return jnp.sum(w * b * jax.random.normal(key, w.shape))

            return jax.grad(value)(x, x), jax.grad(value, -1)(x, x)
            """,
            """
            def value(w, b):
                return jnp.sum(w * b * jax.random.normal(key, w.shape))

            return jax.grad(value)(x, x), jax.grad(value, -1)(x, x)
            """,
        ),
        (
            """
            a = ((n,) for n in (1, 2))
            return [d(key, m) + n for m, n in zip(a, [3, 4])]
            """,
            """
            a = ((n,) for n in (1, 2))
            return [d(key, m) + n for m, n in zip(a, [3, 4])]
            """,
        ),
        (
            """
            a = iter([1, 2])
            return [d(key, (n,)) for n in a]
            """,
            """
            a = iter([1, 2])
            return [d(key, (n,)) for n in a]
            """,
        ),
    ],
    ids=[
        "called twice",
        "in a loop",
        "two functions",
        "scan over nothing",
        "scan over rows",
        "passed by name",
        "comprehension over two sequences",
        "two parts of one call",
        "passed on, too",
        "by its last argument",
        "a generator has no length",
        "an iterator has none",
    ],
)
def test_a_function_takes_the_key_that_it_reads(body: str, after: str) -> None:
    """The key stands in no call, so that none was split."""
    before, expected = (
        "def f(key, x):\n" + indent(dedent(each).strip(), "    ") for each in (body, after)
    )
    draw = "d = jax.random.normal\n\n\n"
    assert fixed(draw + before, "f(jax.random.key(0), jnp.ones(3))") == draw + expected


def test_a_test_that_compares_two_functions_passes_them_one_key() -> None:
    """Both had got a part of the key each, with the rest of its uses, and the test failed."""
    uses = ["a = {}(k, (3,))", "assert_equal({}(k), {}(k))", "return a, {}(k, (2,))"]
    body = "\n".join(f"    {each.replace('{}', 'jax.random.normal')}" for each in uses)
    end = "def assert_equal(x, y):\n    assert x == y\n\n\nf()\n"
    text = f"{HEAD}k = jax.random.key(0)\n\n\ndef f():\n{body}\n\n\n{end}"
    assert fix_text(text).text == text


def test_a_draw_that_nobody_reads_gets_a_part_with_the_rest() -> None:
    """It is to go, but a split for many uses is right beside it."""
    draws = ["a = {}(k, (3,))", "unused = {}(k, (2,))", "b = {}(k, (3,))", "return a, b, {}(k)"]
    body = "\n".join(f"    {each.format('jax.random.normal')}" for each in draws)
    text = f"k = jax.random.key(0)\n\n\ndef f():\n{body}"
    outcome = fix_text(f"{HEAD}{text}\n\n\nf()\n")
    assert [f.fix and f.fix.title for f in outcome.before] == ["Split the key for its 4 uses"] * 3


def test_an_object_that_is_made_of_nothing_makes_its_keys() -> None:
    """Its attribute was a property, which gave another key each time."""
    text = dedent("""
        import keys

        def f(n):
            rng = keys.Generator()
            x = jax.random.normal(rng.key, (n,))
            return x + jax.random.uniform(rng.key, (n,))
        """).strip()
    assert fixed(text, "f(3)") == text
    split = "first_key, second_key = jax.random.split(rng.key)"
    assert split in fixed(text.replace("Generator()", "Generator(n)"), "f(3)")


TWO_MODELS = """
def model(key, n):
    return jax.random.normal(key, (n,))


def bench_models(key):
    made = []
    net = model(key, 3)
    {}
    assert net.shape == (3,)
    net = model(key, 4)
    {}
    assert net.shape == (4,)
    return made
"""


@pytest.mark.parametrize(
    ("made", "is_split"),
    [("print(len(net))", True), ("made.append(net)", False), ("assert net[0] > 0.1", False)],
    ids=["apart", "in one list", "asserted"],
)
def test_a_test_that_keeps_two_results_apart_does_not_compare_them(
    made: str, is_split: bool
) -> None:
    """It calls one function twice with its key, and asks for the shapes of what comes of that."""
    text = TWO_MODELS.replace("{}", made).strip()
    after = fixed(text, "bench_models(jax.random.key(0))")
    assert (after != text) == is_split


@pytest.mark.parametrize("maker", ["jax.random.key", "jax.random.PRNGKey"])
def test_a_key_that_is_made_twice_is_made_of_another_seed(maker: str) -> None:
    """Of one that is taken elsewhere in the function it would be made twice again."""
    text = dedent(f"""
        def f():
            x = jax.random.normal({maker}(0), (3,))
            y = jax.random.normal({maker}(1), (3,))
            return x * y + jax.random.normal({maker}(0), (3,))
        """).strip()
    assert fixed(text, "f()") == text.replace(
        f"+ jax.random.normal({maker}(0)", f"+ jax.random.normal({maker}(2)"
    )


@pytest.mark.parametrize(
    ("mapped", "is_fixed"),
    [
        ("lambda x: x + jax.random.normal(key, x.shape), tree", True),
        ("lambda x: x + jax.random.normal(key) * jax.random.uniform(key), tree", False),
        ("lambda x: x + jax.random.normal(key, x.shape), dict(tree)", False),
        ("lambda x: x + jax.random.normal(key, x.shape), tree, is_leaf=None", False),
    ],
    ids=["a draw", "two draws", "a tree that is made there", "leaves of its own"],
)
def test_each_leaf_of_a_tree_gets_a_key(mapped: str, is_fixed: bool) -> None:
    """All leaves of one shape got the same noise."""
    before = f"def f(key, tree):\n    return jax.tree.map({mapped})"
    after = (
        "def f(key, tree):\n"
        "    structure = jax.tree_util.tree_structure(tree)\n"
        "    keys = jax.tree_util.tree_unflatten("
        "structure, jax.random.split(key, structure.num_leaves))\n"
        "    return jax.tree.map("
        "lambda x, subkey: x + jax.random.normal(subkey, x.shape), tree, keys)"
    )
    call = "f(jax.random.key(0), {'a': jnp.ones(3), 'b': jnp.ones(3)})"
    assert fixed(before, call) == (after if is_fixed else before)


@pytest.mark.parametrize(
    "change",
    ["advance(state)", 'state.update(rng=jax.random.fold_in(state["rng"], 1))'],
    ids=["a function", "a method"],
)
def test_a_key_that_a_call_between_its_uses_changes_is_not_split_for_them(change: str) -> None:
    """What came behind the call drew of the old key, and the new one was lost."""
    text = dedent(f"""
        def advance(state):
            state["rng"] = jax.random.fold_in(state["rng"], 1)


        def f(state):
            a = jax.random.normal(state["rng"])
            b = jax.random.uniform(state["rng"])
            {change}
            return a, b, jax.random.normal(state["rng"])
        """).strip()
    assert fixed(text, 'f({"rng": jax.random.key(0)})') == text


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            keys = jax.random.split(key, 3)
            x = jax.vmap(jax.random.normal)(keys)
            return x + jax.vmap(jax.random.uniform)(keys)
            """,
            """
            keys, more_keys = jax.random.split(key, (2, 3))
            x = jax.vmap(jax.random.normal)(keys)
            return x + jax.vmap(jax.random.uniform)(more_keys)
            """,
        ),
        (
            """
            key, part = jax.random.split(key)
            part = jax.random.split(part, num=n)
            x = jax.vmap(jax.random.normal)(part)
            y = jax.vmap(jax.random.uniform)(part)
            return x + y + jax.vmap(lambda k: jax.random.normal(k))(part)
            """,
            """
            key, part = jax.random.split(key)
            part = jax.random.split(part, num=(3, n))
            x = jax.vmap(jax.random.normal)(part[0])
            y = jax.vmap(jax.random.uniform)(part[1])
            return x + y + jax.vmap(lambda k: jax.random.normal(k))(part[2])
            """,
        ),
        (
            """
            keys = jax.random.split(key, 3)
            x = jax.vmap(jax.random.normal)(keys)
            return x + jax.vmap(jax.random.uniform)(keys) + jax.random.normal(keys[0])
            """,
            """
            keys = jax.random.split(key, 3)
            x = jax.vmap(jax.random.normal)(keys)
            return x + jax.vmap(jax.random.uniform)(keys) + jax.random.normal(keys[0])
            """,
        ),
    ],
    ids=["two uses", "three", "one of them is used too"],
)
def test_several_keys_are_split_into_as_many_arrays_as_are_used(body: str, after: str) -> None:
    head = "def f(key, n=3):\n"
    bodies = (indent(dedent(each).strip(), "    ") for each in (body, after))
    before, expected = (head + each for each in bodies)
    assert fixed(before, "f(jax.random.key(0))") == expected


def test_a_key_that_a_function_within_reads_has_a_part_for_each_use() -> None:
    """To assign it would give that function another key."""
    body = """
        def f(key):
            show = lambda: print(key)
            show()
            return jax.random.normal({}) + jax.random.uniform({})
        """
    after = fixed(body.format("key", "key"), "f(jax.random.key(0))")
    assert "    first_key, second_key = jax.random.split(key)\n" in after
    assert "return jax.random.normal(first_key) + jax.random.uniform(second_key)\n" in after


def test_a_key_that_decorators_draw_by_is_split_where_it_is_made() -> None:
    """They run once, with the module; blank lines stand above their functions."""
    body = """
        import pytest

        KEY = jax.random.key(0){}


        @pytest.mark.parametrize("x", [jax.random.normal({}), jax.random.uniform({})])
        def test_one(x):
            assert x.shape == ()


        @pytest.mark.parametrize("x", [jax.random.normal({}, (2,))])
        def test_two(x):
            assert x.shape == (2,)
        """
    before = dedent(body.format("", "KEY", "KEY", "KEY"))
    split = "\n        keys = jax.random.split(KEY, 3)"
    after = dedent(body.format(split, "keys[0]", "keys[1]", "keys[2]"))
    assert fixed(before, "") == after


def test_keys_that_are_put_together_are_not_split_as_one() -> None:
    """They are mapped over: `split` takes one key."""
    text = dedent("""
        class Env:
            def reset(self, rng):
                return jax.random.normal(rng)

            def step(self, rng, x):
                return x + jax.random.normal(rng)

        def test_batched():
            rng = jax.random.PRNGKey(0)
            rngs = jnp.concatenate([rng, rng, rng]).reshape(3, -1)
            env = Env()
            env.reset = jax.vmap(env.reset)
            env.step = jax.vmap(env.step)
            x = env.reset(rngs)
            x = env.step(rngs, x)
            assert x.shape == (3,)
        """).strip()
    assert fixed(text, "test_batched()") == text
