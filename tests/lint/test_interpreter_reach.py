"""Reach: keys used up by helpers, attributes of objects nobody is seen to make, tests for tracers.

When one of these fails, a bug of a kind that was met in public code is missed, or its
correction is still reported.
"""

from small_programs import assert_reported, only

from oakum_lint.text.finding import Confidence


class TestKeysUsedUpByHelpers:
    def test_a_key_that_a_helper_uses_up_is_used_up_for_its_caller(self) -> None:
        assert_reported("""
            from jax import random

            def _seed(model, rng):
                first, second = random.split(rng)
                return model(first), model(second)

            def make(model):
                def update(state, rng):
                    draws = _seed(model, rng)
                    rng, = random.split(rng, 1)  #! OAK401
                    return draws, rng

                def fixed(state, rng):
                    rng, other = random.split(rng)
                    draws = _seed(model, other)
                    return draws, rng
                return update, fixed
            """)

    def test_a_traced_key_too(self) -> None:
        assert_reported("""
            def noise(key, shape):
                return jax.random.normal(key, shape)

            @jax.jit
            def step(key):
                return noise(key, (2,)) + noise(key, (2,))  #! OAK401

            @jax.jit
            def fine(key, flag):
                key, other = jax.random.split(key)
                return noise(key, (2,)) + noise(other, (2,))
            """)

    def test_a_parameter_that_a_helper_rebinds_is_its_own(self) -> None:
        assert_reported("""
            def noise(key, fold):
                key = fold(key)
                return jax.random.normal(key, (2,))

            def step(key, fold):
                return noise(key, fold) + noise(key, fold)
            """)


class TestObjectsNobodyMakes:
    def test_a_tracer_in_an_attribute_of_what_an_outer_object_holds_is_likely_a_leak(self) -> None:
        found = assert_reported("""
            class Wrapper:
                def __init__(self, env, axes):
                    self.env = env
                    self.axes = axes

                def with_system(self, system):
                    env = self.env
                    env.unwrapped.system = system  #! OAK103
                    return env

                def reset(self, systems, keys):
                    def reset_one(system, key):
                        return self.with_system(system).reset(key)
                    return jax.vmap(reset_one, in_axes=[self.axes, 0])(systems, keys)
            """)
        assert only(found).confidence is Confidence.LIKELY

    def test_what_was_kept_and_is_set_back_is_no_leak(self) -> None:
        assert_reported("""
            class Wrapper:
                def __init__(self, env):
                    self.env = env

                def reset(self, systems):
                    def reset_one(system):
                        env = self.env.unwrapped
                        before = env.system
                        env.system = system
                        try:
                            return env.reset()
                        finally:
                            env.system = before
                    return jax.vmap(reset_one)(systems)

            class Scale:
                value = 1.0
            scale = Scale()

            @jax.jit
            def scaled(x):
                before = scale.value
                scale.value = x
                y = x * scale.value
                scale.value = before
                return y
            """)

    def test_what_may_be_new_is_left_alone(self) -> None:
        assert_reported("""
            class Solver:
                @functools.partial(jax.jit, static_argnums=0)
                def solve(self, x, make):
                    state = self.initial(x)
                    state.value = x
                    other = make(x)
                    other.value = x
                    return state, other
            """)


class TestTestsForTracers:
    def test_what_is_computed_behind_one_is_staged_where_it_is_needed(self) -> None:
        """With a concrete value under jit the test is passed, and JAX stages the comparison."""
        found = assert_reported("""
            def not_jax_tracer(x):
                return not isinstance(x, jax.core.Tracer)

            def domain(bijector):
                scale = bijector.scale
                if not_jax_tracer(scale) and jnp.all(scale < 0):  #! OAK201
                    return "negative"
                return "positive"

            def fixed(bijector):
                scale = bijector.scale
                if not_jax_tracer(scale) and np.all(scale < 0):
                    return "negative"
                return "positive"
            """)
        assert only(found).confidence is Confidence.LIKELY
        assert "`not_jax_tracer(scale)`" in only(found).notes[-1]

    def test_a_test_for_every_class_of_tracer_is_one_and_for_arrays_too_is_none(self) -> None:
        """Who tests for tracers expects one; a concrete array that is ruled out is not computed."""
        assert_reported("""
            from jax.interpreters.partial_eval import DynamicJaxprTracer

            TRACERS = (jax.core.Tracer, DynamicJaxprTracer)

            def domain(bijector):
                scale = bijector.scale
                if not isinstance(scale, TRACERS) and jnp.all(scale < 0):  #! OAK201
                    return "negative"
                return "positive"

            def of_numbers(bijector):
                scale = bijector.scale
                if not isinstance(scale, (jax.core.Tracer, jax.Array)) and jnp.all(scale < 0):
                    return "negative"
                return "positive"
            """)

    def test_a_value_that_is_seen_to_be_passed_decides(self) -> None:
        assert_reported("""
            def check(x):
                if not isinstance(x, jax.core.Tracer) and jnp.any(x < 0):
                    raise ValueError("negative")
                return x

            check(jnp.ones(3))
            jax.jit(check)(jnp.ones(3))
            """)


class TestAnnotationsOfStaticArguments:
    def test_what_has_no_hash_cannot_be_static(self) -> None:
        found = assert_reported("""
            import dataclasses
            from typing import Optional

            class Kernel:
                pass

            @dataclasses.dataclass(frozen=True)
            class Exponential(Kernel):
                scale: "jax.Array"

            @dataclasses.dataclass(frozen=True)
            class Options:
                steps: int

            @dataclasses.dataclass(eq=False)
            class Table:
                values: jax.Array

            @functools.partial(jax.jit, static_argnums=(1,))  #! OAK304
            def pad(x, sizes: list[int]):
                return x

            @functools.partial(jax.jit, static_argnames="kernel")  #! OAK304
            def condition(x, kernel: Kernel):
                return x

            @functools.partial(jax.jit, static_argnums=(1, 2, 3, 4))
            def fine(x, options: Options, table: Table, sizes: tuple[int, ...], n: Optional[list]):
                return x
            """)
        assert {finding.confidence for finding in found} == {Confidence.LIKELY}


class TestFunctionsNobodyCalls:
    def test_what_a_bound_cut_off_is_looked_at_for_itself(self) -> None:
        """A chain of calls from a function that nobody calls ends somewhere, its functions not."""
        assert_reported("""
            class Attention:
                def __call__(self, x): return self.first(x)
                def first(self, x): return self.second(x)
                def second(self, x): return self.third(x)
                def third(self, x): return summed(x.shape)(x)

            def summed(shape):
                def forward(rows):
                    def body(kept, row):
                        if row.sum() > 0:  #! OAK201
                            return kept, row
                        return kept, -row

                    return lax.scan(body, jnp.zeros(shape), rows)

                return lambda rows: forward(rows)[1]
            """)

    def test_where_of_two_values_is_an_array_under_tracing(self) -> None:
        """With None for both it would give indices, whose number tracing cannot know."""
        assert_reported("""
            def sampler(distribution):
                def body(state):
                    key, current = state
                    current = jnp.where(current == 0, distribution(key), current)
                    if current.sum() > 0:  #! OAK201
                        return key, current
                    return key, -current

                def run(state):
                    return lax.while_loop(lambda state: True, body, state)

                return run
            """)
