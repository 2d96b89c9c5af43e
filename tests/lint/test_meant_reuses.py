"""Reuses of a key that may be meant: a target network that begins as a copy of another one."""

import pytest
from small_programs import findings_of

MAKE = """
class Model:
    def __init__(self, weights, rate):
        self.weights, self.rate = weights, rate

    @classmethod
    def create(cls, size, key, rate=None):
        return cls(jax.random.normal(key, (size, size)), rate)

def init_params(key, size):
    return {"w": jax.random.normal(key, (size, size))}

def noise(key, size):
    return jax.random.normal(key, (size,))

def run(key):
    first = FIRST
    second = SECOND
    return first, second

run(jax.random.key(int(input())))
"""


def reused(first: tuple[str, str], second: tuple[str, str]) -> list[str]:
    """What is said against the reuse in a program with these names and calls."""
    program = MAKE.replace("first", first[0]).replace("second", second[0])
    program = program.replace("FIRST", first[1]).replace("SECOND", second[1])
    (finding,) = findings_of(program)
    assert finding.code == "OAK401"
    return [weak.message for weak in finding.weak]


COPIES = {
    "a target network": (
        ("critic", "Model.create(4, key, 0.1)"),
        ("critic_target", "Model.create(4, key)"),
    ),
    "parameters": (("params", "init_params(key, 4)"), ("target_params", "init_params(key, 4)")),
    "a name of its own": (("params", "init_params(key, 4)"), ("target", "init_params(key, 4)")),
    "a function of any name": (("q", "noise(key, 4)"), ("target_q", "noise(key, 4)")),
    "the copy first": (("ema_params", "init_params(key, 4)"), ("params", "init_params(key, 4)")),
}
DRAWS = {
    "other arguments": (
        ("critic", "Model.create(4, key)"),
        ("critic_target", "Model.create(5, key)"),
    ),
    "two layers": (("hidden", "init_params(key, 4)"), ("output", "init_params(key, 4)")),
    "another function": (("params", "init_params(key, 4)"), ("target_params", "noise(key, 4)")),
    "a label": (("features", "noise(key, 4)"), ("target", "noise(key, 4)")),
    "a draw": (("x", "jax.random.normal(key, (4,))"), ("x_target", "jax.random.normal(key, (4,))")),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_target_network_made_by_the_same_call_is_likely(name: str) -> None:
    """A maintainer whose target network is to begin as a copy would see a proved error."""
    assert "the code around it says that the reuse may be meant" in reused(*COPIES[name])


@pytest.mark.parametrize("name", DRAWS)
def test_draws_that_are_no_copy_are_proved(name: str) -> None:
    """Two layers with the same weights, or labels that are the features, would be likely only."""
    assert reused(*DRAWS[name]) == []


INITIALISE = """
import flax.linen as nn

class Sampler:
    def init(self, key, position):
        return {"position": position, "noise": jax.random.normal(key, (3,))}

def init_walk(key, start):
    return start + jax.random.normal(key, start.shape)

def init_params(rng, model, x):
    count = x.shape[0]
    return model.init(rng, x), count

def init_table(key, x):
    return jax.random.normal(key, x.shape)

def main(sampler, model):
    key = jax.random.key(int(input()))
    x = jax.random.normal(key, (3,))
    return CALL

main(Sampler(), nn.Dense(3))
"""
EXAMPLES = {
    "init_params(key, model, x)": True,
    "init_table(key, x)": True,
    "init_walk(key, x)": False,
    "sampler.init(key, x)": False,
    "Sampler().init(key, x)": False,
    "init_table(key, x=x)": False,
}


@pytest.mark.parametrize("call", EXAMPLES)
def test_an_example_is_what_the_function_asks_the_form_of(call: str) -> None:
    """The state of a sampler begins at the point that it gets: one key for both was hidden."""
    found = findings_of(INITIALISE.replace("CALL", call))
    reuses = {finding.severity for finding in found if finding.code == "OAK401"}
    assert reuses == {"information" if EXAMPLES[call] else "warning"}


@pytest.mark.parametrize("call", ["init", "apply"])
def test_a_key_that_is_its_own_example_is_used_once(call: str) -> None:
    """`init` makes parameters: what the model draws while it runs for that is thrown away."""
    program = f"""
        import elsewhere

        def make(key, model):
            return model.{call}(key, jnp.zeros(3), key)

        make(jax.random.key(int(input())), elsewhere.Model())
        """
    assert [finding.code for finding in findings_of(program)] == ["OAK401"] * (call == "apply")
