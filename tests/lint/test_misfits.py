"""Shapes and dtypes that do not fit: where it is certain, where it is not, and what is expected."""

import pytest
from small_programs import assert_reported, findings_of, only

from oakum_lint.text.finding import Confidence

SILENT = {
    "expected by a test": """
        import unittest
        import pytest
        from pytest import raises as expects

        def fails():
            return jnp.ones(3) @ jnp.ones(4)

        class Misfits(unittest.TestCase):
            def test_it(self):
                def fails_too():
                    return jnp.ones(3) @ jnp.ones(4)

                self.assertRaises(TypeError, fails)
                self.assertRaises(TypeError, jax.vmap, fails_too)
                self.assertRaisesRegex(TypeError, "sizes", jax.jit(fails))
                with pytest.raises(TypeError):
                    fails()
                with expects(TypeError):
                    fails()
                try:
                    fails()
                except ValueError:
                    pass

        @unittest.expectedFailure
        def test_known_bug():
            jnp.ones(3) @ jnp.ones(4)
    """,
    "number by its name behind a map": """
        from elsewhere import bodies

        def move(place, rate, count=3):
            return place + rate * count

        step = jax.jit(jax.vmap(move, (0, 0, 0)))
        step(*bodies())
    """,
    "first round of a loop": """
        def changes(frames):
            before = jnp.zeros(0)
            for number, frame in enumerate(frames):
                if number == 0:
                    before = jnp.ones(3)
                    continue
                before - jnp.ones(3)

        changes(jnp.ones((40, 3)))
    """,
    "global that a function binds": """
        WEIGHTS = jnp.zeros(0)

        def load():
            global WEIGHTS
            WEIGHTS = jnp.ones(3)

        @jax.jit
        def predict(x):
            return x + WEIGHTS + jnp.ones(3)
    """,
    "variable that is bound again": """
        def outer(run):
            size = jnp.ones(3)

            def inner():
                return size + jnp.ones(4)

            size = jnp.ones(4)
            return run(inner)
    """,
    "test that asks about the operand": """
        def pick(key):
            table = jnp.ones((3, 4)) if key else jnp.ones(3)
            if table.shape == key:
                return table[0, 0, 0]
            return table + jnp.ones(4)[:, None] if table.ndim == key else table
    """,
    "decorator that is not known": """
        from somewhere import batched

        @batched
        def double(x):
            return x @ jnp.ones(4)

        double(jnp.ones(3))
    """,
    "NumPy array that is reshaped in place": """
        table = np.zeros((3, 4))
        table.shape = (12,)
        jnp.asarray(table) + jnp.ones(12)
    """,
    "part of an argument": """
        mesh = jax.make_mesh((2,), ("i",))

        @jax.shard_map(mesh=mesh, in_specs=jax.P("i"), out_specs=jax.P("i"))
        def scaled(x):
            return x + jnp.ones(3)

        scaled(jnp.ones(6))
    """,
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_of_what_may_be_right(name: str) -> None:
    """A false finding costs more trust than a true one gains."""
    assert findings_of(SILENT[name]) == []


def test_a_function_beside_a_test_of_errors_is_not_meant_to_fail() -> None:
    """A wrong helper of a file of tests is found, though one of the tests expects an error."""
    finding = only(
        findings_of("""
            def helper():
                return jnp.ones(3) @ jnp.ones(4)

            def test_it():
                with pytest.raises(ValueError):
                    int("one")
                print(helper)
        """)
    )
    assert finding.code == "OAK501"


def test_a_failure_behind_an_undecided_test_is_likely() -> None:
    """Whether the branch is ever taken is not known."""
    finding = only(
        findings_of("""
            @functools.partial(jax.jit, static_argnames="smooth")
            def loss(logits, smooth):
                target = jnp.ones((8, 10))
                if smooth:
                    target = jnp.stack([target, jnp.ones(9)])
                return logits - target
        """)
    )
    assert (finding.code, finding.confidence) == ("OAK501", Confidence.LIKELY)


def test_a_failure_by_a_default_value_is_likely() -> None:
    """A call may give another value, which fails in another way: it is traced."""
    found = findings_of("""
        @jax.jit
        def project(x, width=4):
            return x + jnp.ones((3, width)) @ jnp.ones(5)
    """)
    assert {finding.code for finding in found} == {"OAK501", "OAK211"}
    assert all(finding.confidence is Confidence.LIKELY for finding in found)


def test_a_name_that_is_not_resolved_makes_a_misfit_likely_only() -> None:
    """What is called as a test of errors is called hides nothing; the project's own decorator says
    in its body what it does.
    """
    found = assert_reported("""
        from somewhere import mark, raises

        def skip(function):
            return function

        @mark.xfail
        def test_known_bug():
            jnp.ones(3) @ jnp.ones(4)  #! OAK501

        @skip
        def test_twice():
            jnp.ones(3) @ jnp.ones(4)  #! OAK501

        def test_errors():
            with raises(TypeError):
                jnp.ones(3) @ jnp.ones(4)  #! OAK501
            raises(TypeError, lambda: jnp.ones(3) @ jnp.ones(4))  #! OAK501
    """)
    likely, proved = Confidence.LIKELY, Confidence.PROVED
    assert [finding.confidence for finding in found] == [likely, proved, likely, likely]
    assert "`raises(TypeError)`" in found[2].notes[-1]


def test_shapes_are_followed_through_calls_and_loops() -> None:
    """The mistake is seldom on the line that makes the array."""
    finding = only(
        assert_reported("""
            def layers(sizes):
                return [jnp.zeros(pair) for pair in zip(sizes[:-1], sizes[1:])]

            def forward(params, x):
                for w in params:
                    x = jnp.tanh(x @ w)
                return x

            def loss(params, x, y):
                return jnp.mean((forward(params, x) - y) ** 2)  #! OAK501

            jax.grad(loss)(layers([4, 8, 2]), jnp.ones((5, 4)), jnp.ones((5, 3)))
        """)
    )
    assert finding.confidence is Confidence.PROVED
    assert "`forward(params, x)` is f32[5,2]" in finding.notes[0]
    assert "`y` is f32[5,3]" in finding.notes[0]


def test_what_stands_in_the_function_fails_for_every_caller() -> None:
    """The width of a rebound variable may be another one, the two tables next to it may not."""
    finding = only(
        assert_reported("""
            from somewhere import batched

            def make(width, frames):
                width = width + 1

                @batched
                @jax.jit
                def project(x):
                    weights = jnp.ones((3, 4))
                    bias = jnp.ones((width, 5))
                    pair = [jnp.ones(3)]
                    pair.append(x)
                    _ = jnp.stack(pair)
                    return x @ bias + weights @ jnp.ones((5, 6))  #! OAK501

                return project
        """)
    )
    assert finding.confidence is Confidence.PROVED


def test_arrays_of_unknown_shape_are_told_apart_by_their_number_of_dimensions() -> None:
    """What has one dimension more than an array cannot stand beside it, whatever the array is."""
    assert_reported("""
        @jax.jit
        def f(x):
            rows = jnp.exp(x)
            _ = jnp.stack([rows, rows[None]])  #! OAK501
            _ = jnp.concatenate([rows[0], rows + 1])  #! OAK501
            chosen = jnp.where(0 < rows, rows, 0)
            _ = jnp.stack([rows, jnp.expand_dims(chosen, -1)])  #! OAK501
            _ = jnp.stack([jnp.stack([rows, chosen]), rows])  #! OAK501
    """)


def test_what_fails_for_every_value_of_a_variable_fails_for_every_caller() -> None:
    """Nothing is known of the variable but that both operands are made of it."""
    finding = only(
        assert_reported("""
            from somewhere import batched

            def make(scale, keep=None):
                scale = scale * 2

                @batched
                @jax.jit
                def project(x, y):
                    rows = jnp.exp(x) * scale
                    other = rows if keep is None else y
                    _ = jnp.stack([rows, other[None]])
                    return jnp.stack([rows, rows[None]])  #! OAK501

                return project
        """)
    )
    assert finding.confidence is Confidence.PROVED


def test_nothing_is_said_of_arrays_whose_ranks_may_be_equal() -> None:
    """Names of ranks mean one array: not another round, call, branch or shape."""
    assert_reported("""
        def halved(x):
            y = jnp.sin(x)
            return y / 2

        @jax.jit
        def f(x, weights):
            rows, other = jnp.exp(x), jnp.exp(weights)
            _ = jnp.stack([rows, chosen := jnp.log(rows), other[None]])
            _ = jnp.stack([halved(x), halved(weights)[None]])
            for _ in range(3):
                before = rows
                rows = jnp.dot(rows, weights)
                _ = jnp.stack([before, rows[None]])
            if weights is None:
                other = jnp.cos(rows)
            kept = jnp.cos(rows)
            _ = jnp.stack([other, kept[None]])
            flat = kept.reshape(-1, 2)
            _ = jnp.stack([flat[None], kept, kept.sum(0)[None], jnp.squeeze(kept)[None], kept.T])
            _ = jnp.stack([jax.vmap(jnp.sum)(kept)[None], jax.vmap(lambda row: row)(kept)])
            _ = jnp.stack([kept[jnp.argmax(kept)], kept[None][0][0], kept[jnp.ones(3, int)][None]])
    """)


def test_whatever_numpy_pickles_is_saved() -> None:
    assert_reported("""
        jnp.save("rates.npy", {"rate": 0.1}, allow_pickle=True)
        jnp.savez("rates.npz", ["a", "b"], names=["a"], rates=jnp.ones(3))

        @jax.jit
        def step(x):
            jnp.save("state.npy", x)  #! OAK208
            return x

        step(1.0)
    """)
