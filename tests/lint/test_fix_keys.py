"""Random keys that fixes meet: where they are split, and where nobody can tell."""

from textwrap import dedent, indent

import pytest
from fixing import fixed, in_one_line


def assert_fixed(head: str, body: str, after: str, end: str = "") -> None:
    """Checks what becomes of the body of a function that is called with a key."""
    before, expected = (head + indent(dedent(text).strip(), "    ") + end for text in (body, after))
    assert fixed(before, "f(jax.random.key(0))") == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "[jax.random.normal(key) for _ in range(3)]",
            "[jax.random.normal(subkey) for subkey in jax.random.split(key, 3)]",
        ),
        (
            "[i * jax.random.normal(key) for i in range(3)]",
            "[i * jax.random.normal(subkey) for i, subkey in enumerate(jax.random.split(key, 3))]",
        ),
        (
            "[jax.random.normal(key, (a, b)) for a, b in sizes]",
            "[jax.random.normal(subkey, (a, b)) "
            "for (a, b), subkey in zip(sizes, jax.random.split(key, len(sizes)))]",
        ),
        (
            "[jax.random.normal(key, s) for s in sizes if s]",
            "[jax.random.normal(key, s) for s in sizes if s]",
        ),
        (
            "jax.lax.fori_loop(0, 3, lambda i, c: c + jax.random.normal(key), 0.0)",
            "jax.lax.fori_loop(0, 3, lambda i, c: c + "
            "jax.random.normal(jax.random.fold_in(key, i)), 0.0)",
        ),
    ],
    ids=["iterations", "with a counter", "over a sequence", "with a test", "a loop of JAX"],
)
def test_each_round_gets_a_key(before: str, after: str) -> None:
    head = "def f(key, sizes=((1, 2), (2, 1))):\n    return "
    made = fixed(head + before, "f(jax.random.key(0))")
    assert in_one_line(made) == in_one_line(head + after)


@pytest.mark.parametrize(
    ("header", "is_fixed"),
    [
        ("class Sampler:", True),
        ("@jax.tree_util.register_static\nclass Sampler:", False),
        ("class Sampler(Base):", False),
        ("class Sampler(Base):\n    def count(self):\n        self.n = 1\n", True),
        ("class Sampler(Base):\n    def setup(self):\n        self.n = 1\n", False),
        ("class Sampler(Base):\n    def count(self):\n        self.n[0] = 1\n", False),
    ],
)
def test_an_object_keeps_a_new_key(header: str, is_fixed: bool) -> None:
    """One of a class that is made elsewhere may be frozen, unless a method changes it."""
    text = f"class Base:\n    pass\n\n\n{header}" + dedent("""
        def __init__(self):
            self.key = jax.random.key(0)

        def sample(self):
            a = jax.random.normal(self.key)
            return a - jax.random.normal(self.key)
        """).replace("\n", "\n    ")
    after = fixed(text.rstrip(), "Sampler().sample()")
    assert ("self.key, subkey = jax.random.split(self.key)\n" in after) == is_fixed


def test_the_key_of_a_call_is_the_one_for_its_streams() -> None:
    """What is passed as `rngs`, as to modules, is split, and no other argument."""
    body = """
        def layer(x, rngs):
            return x + jax.random.normal(rngs)

        def loss(x, key):
            for _ in range(3):
                x = layer(x, rngs=key)
            return x
        """
    after = fixed(body, "loss(1.0, jax.random.key(0))")
    assert "x = layer(x, rngs=subkey)" in after
    assert "key, subkey = jax.random.split(key)" in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a, b = jax.random.split(key, num=4)", "a, b = jax.random.split(key, num=2)"),
        ("a, b, c = jax.random.split(key)", "a, b, c = jax.random.split(key, 3)"),
        ("a, (b, c) = jax.random.split(key, 4)", "a, (b, c) = jax.random.split(key, 2)"),
        ("a, *b, c, d = jax.random.split(key)", "a, *b, c, d = jax.random.split(key)"),
        ("a, b = jax.random.normal(key, (3,))", "a, b = jax.random.normal(key, (3,))"),
    ],
    ids=["fewer", "more", "nested", "a star", "no keys"],
)
def test_a_key_is_split_for_each_name(before: str, after: str) -> None:
    head = "def f(key):\n    "
    assert fixed(head + before, "f(jax.random.key(0))") == head + after


def test_a_loop_draws_by_the_part_that_it_does_not_carry_on() -> None:
    """The next iteration splits what this one has carried on."""
    text = dedent("""
        def walk(key, steps):
            place = 0.0
            for _ in range(steps):
                key, part = jax.random.split(key)
                place = place + jax.random.normal({})
            return place
        """).strip()
    assert fixed(text.format("key"), "walk(jax.random.key(0), 3)") == text.format("part")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "_, part = jax.random.split(state.rng)\n"
            "return state.replace(x=jax.random.normal(part)), part",
            "new_key, part = jax.random.split(state.rng)\n"
            "return state.replace(x=jax.random.normal(part), rng=new_key), part",
        ),
        (
            "key, part = jax.random.split(state.rng)\n"
            "following = state._replace(x=jax.random.normal(part))\nreturn following",
            "key, part = jax.random.split(state.rng)\n"
            "following = state._replace(x=jax.random.normal(part), rng=key)\nreturn following",
        ),
        (
            "noise = jax.random.normal(state.rng)\nreturn state.replace(x=state.x + noise)",
            "rng, subkey = jax.random.split(state.rng)\n"
            "noise = jax.random.normal(subkey)\nreturn state.replace(x=state.x + noise, rng=rng)",
        ),
        (
            "noise = jax.random.normal(state.rng)\nreturn state, noise",
            "noise = jax.random.normal(state.rng)\nreturn state, noise",
        ),
        (
            "if state.x.ndim:\n    state.seen(jax.random.normal(state.rng))\n"
            "return state.replace(x=0.0)",
            "if state.x.ndim:\n    state.seen(jax.random.normal(state.rng))\n"
            "return state.replace(x=0.0)",
        ),
    ],
    ids=["a dropped part", "an unused part", "no split", "the object itself", "in a branch"],
)
def test_what_is_handed_back_holds_a_new_key(before: str, after: str) -> None:
    """Where the fix is wrong, each step that goes on with the state draws the same numbers."""
    head = "def step(state):\n"
    texts = [head + indent(text, "    ") for text in (before, after)]
    assert fixed(texts[0], "print(step)") == texts[1]


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            _, part = jax.random.split(key)
            return jax.random.normal(part) + jax.random.normal(key)
            """,
            """
            key, part = jax.random.split(key)
            return jax.random.normal(part) + jax.random.normal(key)
            """,
        ),
        (
            """
            _, part = jax.random.split(key)
            a = jax.random.normal(part) + jax.random.normal(key)
            return a + jax.random.normal(_)
            """,
            """
            key, _, part = jax.random.split(key, 3)
            a = jax.random.normal(part) + jax.random.normal(key)
            return a + jax.random.normal(_)
            """,
        ),
        (
            """
            total = 0.0
            for _ in range(3):
                _, part = jax.random.split(key)
                total += jax.random.normal(part)
            return total
            """,
            """
            total = 0.0
            for _ in range(3):
                key, part = jax.random.split(key)
                total += jax.random.normal(part)
            return total
            """,
        ),
    ],
    ids=["nobody reads it", "it is read", "in a loop that counts with it"],
)
def test_the_part_that_a_split_drops_is_kept_unless_it_is_read(body: str, after: str) -> None:
    """Where `_` is read, it would have no value any more, or an older one."""
    assert_fixed("def f(key):\n", body, after)


def test_the_part_that_a_module_drops_is_not_kept_where_it_is_read() -> None:
    text = dedent("""
        key = jax.random.key(0)
        _, part = jax.random.split(key)
        a = jax.random.normal(part) + jax.random.normal(key)
        b = jax.random.normal(_)
        """).strip()
    assert "\nkey, _, part = jax.random.split(key, 3)\n" in fixed(text, "print(a, b)")


def test_a_benchmark_that_calls_one_function_twice_keeps_its_key() -> None:
    """Two policies are compared in the same episodes: with a key for each the test says less."""
    body = """
        def reward(policy, key):
            return policy * jax.random.uniform(key)

        def bench_training(key):
            before = reward(1.0, key=key)
            after = reward(2.0, key=key)
            return before < after
        """
    text = dedent(body).strip()
    assert fixed(text, "bench_training(jax.random.key(0))") == text


def test_an_object_with_a_key_is_not_split_in_a_loop() -> None:
    body = """
        from typing import NamedTuple

        class Walker(NamedTuple):
            place: jax.Array
            key: jax.Array

        def step(walker):
            return walker.place + jax.random.normal(walker.key)

        def walk(place, key):
            walker, places = Walker(place, key), []
            for _ in range(3):
                places.append(step(walker))
            return places
        """
    text = dedent(body).strip()
    assert fixed(text, "walk(jnp.zeros(()), jax.random.key(0))") == text


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            for x in xs:
                key, noise = jax.random.split(key, num=2)
                x = x + jax.random.normal(noise)
                total += jax.random.normal(key) + x
            """,
            """
            for x in xs:
                key, noise, subkey = jax.random.split(key, num=3)
                x = x + jax.random.normal(noise)
                total += jax.random.normal(subkey) + x
            """,
        ),
        (
            """
            for x in xs:
                key, = jax.random.split(key, num=1)
                total += jax.random.normal(key) + x
            """,
            """
            for x in xs:
                key, subkey = jax.random.split(key, num=2)
                total += jax.random.normal(subkey) + x
            """,
        ),
        (
            """
            for x in xs:
                key, noise = jax.random.split(key)
                total += jax.random.normal(noise)
                for _ in range(2):
                    total += jax.random.normal(key) + x
            """,
            """
            for x in xs:
                key, noise = jax.random.split(key)
                total += jax.random.normal(noise)
                for _ in range(2):
                    key, subkey = jax.random.split(key)
                    total += jax.random.normal(subkey) + x
            """,
        ),
    ],
    ids=["two parts", "one part", "in a loop below it"],
)
def test_the_split_of_an_iteration_makes_a_part_for_what_draws_by_its_key(
    body: str, after: str
) -> None:
    """A second split a few lines further down is what a maintainer would not merge."""
    head = "def f(key, xs=(1.0, 2.0)):\n    total = 0.0\n"
    assert_fixed(head, body, after, "\n    return total")


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            y = jax.random.normal(key) if x > 0 else jax.random.uniform(key)
            return y + jax.random.normal(key)
            """,
            """
            key, subkey = jax.random.split(key)
            y = jax.random.normal(subkey) if x > 0 else jax.random.uniform(subkey)
            return y + jax.random.normal(key)
            """,
        ),
        (
            """
            for kind in ("normal", "uniform"):
                if kind == "normal":
                    x += jax.random.normal(key)
                elif kind == "gumbel":
                    x += jax.random.gumbel(key)
                else:
                    x += jax.random.uniform(key)
            return x
            """,
            """
            for kind in ("normal", "uniform"):
                key, subkey = jax.random.split(key)
                if kind == "normal":
                    x += jax.random.normal(subkey)
                elif kind == "gumbel":
                    x += jax.random.gumbel(subkey)
                else:
                    x += jax.random.uniform(subkey)
            return x
            """,
        ),
        (
            """
            if jax.random.uniform(key) > x:
                x += jax.random.normal(key)
            return x
            """,
            """
            key, subkey = jax.random.split(key)
            if jax.random.uniform(subkey) > x:
                x += jax.random.normal(key)
            return x
            """,
        ),
    ],
    ids=["an expression", "branches in a loop", "what decides"],
)
def test_all_arms_of_a_choice_get_the_part(body: str, after: str) -> None:
    """An arm that keeps the key draws what the line below draws."""
    assert_fixed("def f(key, x=1.0):\n", body, after)


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            key, rng = jax.random.split(rng)
            a = jax.random.normal(key)
            b = jax.random.normal(key)
            return a, b, jax.random.uniform(key)
            """,
            """
            key, rng, subkey, normal_key = jax.random.split(rng, 4)
            a = jax.random.normal(subkey)
            b = jax.random.normal(normal_key)
            return a, b, jax.random.uniform(key)
            """,
        ),
        (
            """
            key, _ = jax.random.split(rng)
            return jax.random.normal(key), jax.random.uniform(key)
            """,
            """
            key, subkey = jax.random.split(rng)
            return jax.random.normal(subkey), jax.random.uniform(key)
            """,
        ),
        (
            """
            keys = jax.random.split(rng, 3)
            return jax.random.normal(rng)
            """,
            """
            keys = jax.random.split(rng, 3)
            return jax.random.normal(rng)
            """,
        ),
    ],
    ids=["parts of another key", "a dropped part", "nobody reads the first"],
)
def test_the_split_that_makes_a_key_makes_the_part(body: str, after: str) -> None:
    """What nobody reads is to go: with a key of its own it would stay."""
    assert_fixed("def f(rng):\n", body, after)


def test_a_test_that_expects_an_error_keeps_its_key() -> None:
    body = """
        import pytest

        def test_shapes(key):
            a = jax.random.normal(key, (2,))
            b = jax.random.normal(key, (3,))
            with pytest.raises(ValueError):
                a + b
        """
    text = dedent(body).strip()
    assert fixed(text, "test_shapes(jax.random.key(0))") == text


@pytest.mark.parametrize(
    "body",
    [
        """
        def test_losses(key):
            got = float(loss(2.0, key))
            want = float(norm(2.0, key))
            assert got == approx(want)
        """,
        """
        def report(key):
            ours, _ = loss(2.0, key), 0
            theirs = norm(2.0, key)
            difference = abs(theirs)
            compare_structs(ours, difference)
        """,
        """
        def test_gap(key):
            ours = loss(2.0, key)
            theirs = norm(2.0, key)
            gap = abs(float(ours) - float(theirs))
            assert gap < 1e-6
        """,
        """
        def test_jit(key):
            eager = loss(2.0, key)
            assert_allclose(eager, jax.jit(loss)(2.0, key))
        """,
        """
        def test_compiled(key):
            eager = loss(2.0, key)
            check_close(eager, jax.jit(loss)(2.0, key))
        """,
        """
        def test_both(key):
            ours = loss(2.0, key)
            theirs = norm(2.0, key)
            verify(ours, theirs)
        """,
        """
        def test_restored(key):
            assert_allclose(loss(2.0, key=key), norm(2.0, key=key))
        """,
        """
        def test_cold(key):
            default = loss(2.0, key)
            explicit = norm(2.0, key)
            assert default == explicit
            cold = loss(0.0, key)
            assert cold == 0.0
        """,
        """
        def same(key):
            ours = jnp.atleast_1d(loss(2.0, key))
            theirs = jnp.atleast_1d(norm(2.0, key))
            return bool((ours == theirs).all())
        """,
        """
        def check(key):
            ours = loss(2.0, key)
            difference = abs(ours - norm(2.0, key))
            if difference > 1e-6:
                raise RuntimeError(f"off by {difference}")
        """,
        """
        def check_all(key):
            outs = {}
            outs["a"] = loss(2.0, key)
            outs["b"] = norm(2.0, key)
            leaves = jax.tree.leaves(outs)
            assert all(jnp.allclose(leaf, leaves[0]) for leaf in leaves)
        """,
        '''
        def report(key):
            """Prints both losses under identical RNG."""
            print(loss(2.0, key))
            print(norm(2.0, key))
        ''',
    ],
    ids=[
        "asserted",
        "passed to what compares",
        "by a difference",
        "where it draws",
        "checked",
        "verified together",
        "at once",
        "before",
        "by `==`",
        "by a test that raises",
        "in one container",
        "in a docstring",
    ],
)
def test_results_that_are_compared_keep_their_key(body: str) -> None:
    """A maintainer took back each: the numbers are to be alike."""
    head = "def loss(x, key):\n    return x * jax.random.uniform(key)\n\n\nnorm = loss\n\n\n"
    text = head + dedent(body).strip()
    assert fixed(text, "report(jax.random.key(0))") == text


def test_what_is_made_of_both_results_compares_neither() -> None:
    body = """
        def f(key):
            a = jax.random.normal(key)
            b = jax.random.uniform(key)
            c = a + b
            assert c < 9.0
            return c
        """
    text = dedent(body).strip()
    assert "jax.random.split(key)" in fixed(text, "f(jax.random.key(0))")


def test_a_key_is_not_split_while_the_clock_runs() -> None:
    text = dedent("""
        import time
        step = jax.jit(jax.random.normal)
        key = jax.random.key(0)
        start = time.time()
        a = step(key).block_until_ready()
        print(time.time() - start)
        b = jax.random.uniform(key)
        """).strip()
    split = "key, subkey = jax.random.split(key)\nstart = time.time()\na = step(subkey)"
    assert split in fixed(text, "print(a, b)")


def test_draws_that_are_timed_beside_each_other_keep_their_key() -> None:
    """Two engines are compared over the same generations."""
    text = dedent("""
        import time
        step, other = jax.jit(jax.random.normal), jax.jit(jax.random.uniform)
        key = jax.random.key(0)
        start = time.time()
        a = step(key).block_until_ready()
        print(time.time() - start)
        start = time.time()
        b = other(key).block_until_ready()
        print(time.time() - start)
        """).strip()
    assert fixed(text, "print(a, b)").startswith(text)


def test_the_part_that_is_not_taken_of_a_split_is_kept() -> None:
    """Two splits in a row are what a maintainer would not merge."""
    text = dedent("""
        key = jax.random.key(0)
        first = jax.random.split(key)[0]
        a = jax.random.normal(first)
        b = jax.random.uniform(key)
        """).strip()
    assert "\nfirst, key = jax.random.split(key)\n" in fixed(text, "print(a, b)")
    text = text.replace("(key)\n", "(key)\n").replace("uniform(key)", "uniform(first)")
    after = fixed(text, "print(a, b)")
    assert "\nfirst, subkey = jax.random.split(key)\na = jax.random.normal(subkey)\n" in after


def test_a_comment_is_about_all_draws_that_stand_together() -> None:
    """Of four draws of which one counts, the third and fourth had a key of their own."""
    text = dedent("""
        key = jax.random.key(0)

        # Use the same rng, as these exclude each other
        coal = jax.random.randint(
            key,
            shape=(),
            minval=1,
            maxval=4,
        )
        iron = jax.random.randint(
            key,
            shape=(),
            minval=1,
            maxval=3,
        )
        ruby = jax.random.randint(
            key,
            shape=(),
            minval=1,
            maxval=2,
        )
        """).strip()
    assert fixed(text, "print(coal, iron, ruby)").startswith(text)


def test_the_part_of_a_split_that_nobody_reads_is_used() -> None:
    """Also where it stands before the key that is carried on."""
    text = dedent("""
        key = jax.random.key(0)
        total = 0.0
        for _ in range(3):
            drawn, key = jax.random.split(key)
            total = total + jax.random.normal(key)
        """).strip()
    after = text.replace("normal(key)", "normal(drawn)")
    assert fixed(text, "print(total)") == after


@pytest.mark.parametrize(
    "call", ["draw(key)", "draw(key).block_until_ready()", "jax.block_until_ready(draw(key))"]
)
def test_a_call_that_only_compiles_keeps_its_key(call: str) -> None:
    text = dedent(f"""
        draw = jax.jit(lambda key: jax.random.normal(key, (3,)))
        key = jax.random.key(0)
        {call}
        x = draw(key)
        """).strip()
    assert fixed(text, "print(x)").startswith(text)


OPTIONAL_KEY = """
from typing import Optional

def drop(x, key):
    return x if key is None else x * jax.random.bernoulli(key, 0.5, x.shape)

def f({parameter}, x=jnp.ones(3), layers=(drop, drop)):
    {before}
    for layer in layers:
        x = layer(x, key=key)
    return x
"""


@pytest.mark.parametrize(
    ("parameter", "before", "is_split"),
    [
        ("key=None", "", False),
        ("key: Optional[jax.Array]", "", False),
        ("key: jax.Array | None", "", False),
        ("key", "", True),
        ("key=None", "key = jax.random.key(0) if key is None else key", True),
        ("key=None", "assert key is not None", True),
    ],
)
def test_a_key_that_may_be_none_is_not_split(parameter: str, before: str, is_split: bool) -> None:
    """A layer that is called without a key, as in evaluation, raised TypeError."""
    text = OPTIONAL_KEY.format(parameter=parameter, before=before).strip()
    assert ("split(key)" in fixed(text, "f(jax.random.key(0))")) == is_split


def test_a_function_within_may_have_a_key_of_that_name() -> None:
    body = """
        first = jax.random.normal(key)
        def step(carry, x):
            key, total = carry
            key, part = jax.random.split(key)
            return (key, total + jax.random.normal(part)), x
        (_, total), _ = jax.lax.scan(step, (key, first), jnp.ones(3))
        return total + jax.random.uniform(key)
        """
    head = "def f(key):\n"
    text = fixed(head + indent(dedent(body).strip(), "    "), "f(jax.random.key(0))")
    assert "jax.random.uniform(subkey)" not in text
    assert text.count("key, subkey = jax.random.split(key)") == 2


def test_a_part_that_nothing_uses_is_used_in_a_script() -> None:
    """One part more was made, of another cell of a notebook."""
    text = dedent("""
        key = jax.random.key(0)
        start_key, draw_key = jax.random.split(key)
        start = jax.random.normal(start_key)
        draws = jax.random.normal(key, (3,))
        """).strip()
    assert fixed(text, "print(start, draws)") == text.replace("normal(key", "normal(draw_key")


def test_a_part_that_nothing_uses_is_used_for_a_part_of_a_script() -> None:
    """The split made one part more, beside `model_key`."""
    text = dedent("""
        data_key, model_key = jax.random.split(jax.random.key(0))
        start = jax.random.normal(data_key)
        draws = jax.random.normal(data_key, (3,))
        """).strip()
    expected = text.replace(
        "start = jax.random.normal(data_key", "start = jax.random.normal(model_key"
    )
    assert fixed(text, "print(start, draws)") == expected


@pytest.mark.parametrize(
    ("below", "above", "used"),
    [
        ("key, _ = jax.random.split(key)", "key, subkey = jax.random.split(key)", "subkey"),
        ("key, part = jax.random.split(key)", "key, part = jax.random.split(key)", "part"),
        ("key = jax.random.split(key)[0]", "key, subkey = jax.random.split(key)", "subkey"),
        (
            "first, key = jax.random.split(key)\nx = x + jax.random.normal(first)",
            "first, key, subkey = jax.random.split(key, 3)",
            "subkey",
        ),
        (
            "a, b, c = jax.random.split(key, num=3)\nx = x + a[0] + b[0]\nkey = c",
            "a, b, c, subkey = jax.random.split(key, num=4)",
            "subkey",
        ),
    ],
)
def test_a_split_below_the_use_of_a_key_is_moved_above_it(
    below: str, above: str, used: str
) -> None:
    """Another split stood beside it."""
    head = "def f(key):\n    "
    rest = indent(below, "    ").lstrip()
    before = f"{head}x = jax.random.normal(key)\n    y = 2 * x\n    {rest}\n    return x, y, key"
    after = rest.partition("\n")[2]
    lines = f"{head}{above}\n    x = jax.random.normal({used})\n    y = 2 * x\n"
    assert (
        fixed(before, "f(jax.random.key(0))")
        == f"{lines}{after}{chr(10) * bool(after)}    return x, y, key"
    )


def test_a_split_stays_where_what_it_makes_is_known_between() -> None:
    body = """
        part = 1.0
        x = jax.random.normal(key)
        y = x + part
        key, part = jax.random.split(key)
        return x + y, jax.random.normal(part), key
        """
    head = "def f(key):\n"
    text = fixed(head + indent(dedent(body).strip(), "    "), "f(jax.random.key(0))")
    assert text.count("jax.random.split(key)") == 2


_LOOP = """
    def f(key, xs):
        def run():
            total = 0.0
            for {} in {}:
                total += jax.random.normal({})
            return total

        return run()
    """


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("_", "range(3)"), ("i", "range(3)", "jax.random.fold_in(key, i)")),
        (("n", "range(3)"), ("n", "range(3)", "jax.random.fold_in(key, n)")),
        (("n, x", "enumerate(xs)"), ("n, x", "enumerate(xs)", "jax.random.fold_in(key, n)")),
        (
            ("a, b", "zip(xs, xs)"),
            ("i, (a, b)", "enumerate(zip(xs, xs))", "jax.random.fold_in(key, i)"),
        ),
    ],
)
def test_a_loop_draws_by_its_counter_where_the_key_cannot_be_assigned(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """It is one of the function around; the counter gets a name where it had none."""
    text, call = dedent(_LOOP).rstrip(), "f(jax.random.key(0), [1.0, 2.0])"
    assert fixed(text.format(*before, "key"), call) == text.format(*after)


@pytest.mark.parametrize(
    "loops",
    [
        "for n in range(3):\n    total += jax.random.normal(key)\n"
        "for x in xs:\n    total += x * jax.random.normal(key)",
        "for x in xs:\n    for n in range(3):\n        total += x * jax.random.normal(key)",
    ],
    ids=["beside each other", "in each other"],
)
def test_counters_that_would_make_the_same_keys_are_none(loops: str) -> None:
    text = "\ndef f(key, xs):\n    def run():\n        total = 0.0\n"
    text += f"{indent(loops, ' ' * 8)}\n        return total\n\n    return run()"
    assert fixed(text, "f(jax.random.key(0), [1.0, 2.0])") == text


def test_a_carry_that_is_made_before_the_loop_gets_a_part() -> None:
    text = """
        def step(carry, _):
            key, x = carry
            key, part = jax.random.split(key)
            return (key, x + jax.random.normal(part)), x

        def f(key):
            {}
            _, xs = jax.lax.scan(step, start, None, length=3)
            {}return xs + jax.random.normal(sub)
        """
    before = "start = (key, 0.0)", "key, sub = jax.random.split(key)\n            "
    after = "key, sub, subkey = jax.random.split(key, 3)\n            start = (subkey, 0.0)", ""
    expected = dedent(text.format(*after)).rstrip()
    assert fixed(dedent(text.format(*before)).rstrip(), "f(jax.random.key(0))") == expected


def test_one_function_keeps_its_seed_for_other_arguments() -> None:
    """What it makes of the old parameters and of the new ones is shown side by side."""
    text = dedent("""
        def log(policy, old, new):
            before = policy.sample(old, jax.random.key(42))
            after = policy.sample(new, jax.random.key(42))
            print(before, after)
        """).strip()
    assert fixed(text, "") == text


@pytest.mark.parametrize(
    ("body", "after"),
    [
        (
            """
            x = jax.random.normal(key)
            for _ in range(3):
                x += jax.random.normal(key)
            return x
            """,
            """
            key, subkey = jax.random.split(key)
            x = jax.random.normal(subkey)
            for _ in range(3):
                key, subkey = jax.random.split(key)
                x += jax.random.normal(subkey)
            return x
            """,
        ),
        (
            """
            x = jax.random.normal(key)
            for _ in range(3):
                part, _ = jax.random.split(key)
                x += jax.random.normal(part)
            return x
            """,
            """
            key, subkey = jax.random.split(key)
            x = jax.random.normal(subkey)
            for _ in range(3):
                part, key = jax.random.split(key)
                x += jax.random.normal(part)
            return x
            """,
        ),
        (
            """
            x = jax.random.normal(key)
            for part in jax.random.split(key, 3):
                x += jax.random.normal(part)
            return x
            """,
            """
            key, subkey = jax.random.split(key)
            x = jax.random.normal(subkey)
            for part in jax.random.split(key, 3):
                x += jax.random.normal(part)
            return x
            """,
        ),
    ],
    ids=["a draw in the loop", "a split in it", "a split above it"],
)
def test_a_key_is_split_before_a_loop_and_in_it(body: str, after: str) -> None:
    """Split before the loop alone it was still the key of all iterations, and the fix refused."""
    assert_fixed("def f(key):\n", body, after)
