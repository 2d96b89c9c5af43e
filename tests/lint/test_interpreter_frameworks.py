"""What mapped containers, optax, Flax, enumerations, devices and arrays of NumPy hand on."""

import pytest
from small_programs import assert_reported, findings_of

from oakum_lint.text.finding import Confidence

PROGRAMS: dict[str, str] = {
    "mapped containers": """
@jax.jit
def f(x):
    made = jax.vmap(lambda t: t["a"] + t["b"], in_axes=({"a": 0, "b": None},))({"a": x, "b": 1.0})
    if made[0] > 0:  #! OAK201
        return 1
    return x

f(jnp.ones(3))

def g(x, n):
    if n > 2:
        return bool(x)  #! OAK204
    return x

jax.vmap(g, in_axes=(0, None))(jnp.ones(3), 3)
jax.vmap(g, in_axes=(0, None))(jnp.ones(3), 1)

def h(x, *, n):
    if n > 2:  #! OAK201
        return x
    return -x

jax.vmap(h)(jnp.ones(3), n=jnp.ones(3))

def k(pair):
    if pair[1] > 2:
        return pair[0]
    return bool(pair[0])  #! OAK204

jax.vmap(k, in_axes=((0, None),))((jnp.ones(3), 1.0))
jax.vmap(k, in_axes=([0, None],))([jnp.ones(3), 3.0])
""",
    "states of environments and graphs": """
import jraph
from brax.envs.base import PipelineEnv, State
from flax import struct
from gymnax.environments import environment
from jumanji.types import TimeStep
from mujoco_playground import State as PlaygroundState

class Reach(PipelineEnv):
    def step(self, state: State, action) -> State:
        if state.done:  #! OAK201
            return state
        if state.metrics is None or state.pipeline_state is None:
            return state.tree_replace({"pipeline_state.q": action})
        return state.replace(reward=state.reward + 1.0)

@struct.dataclass
class EnvState(environment.EnvState):
    position: float

@jax.jit
def advance(state: EnvState, limit: environment.EnvParams):
    if state.time > limit.max_steps_in_episode:  #! OAK201
        return state
    return EnvState(time=state.time + 1, position=state.position)

moved = advance(EnvState(time=0, position=0.0), environment.EnvParams())
if moved.time > 3 or EnvState(0, 0.0).time == 0:
    print(moved.position)

@jax.jit
def observed(timestep: TimeStep, state: PlaygroundState):
    if timestep.last():  #! OAK201
        return timestep.observation
    if state.done > 0:  #! OAK201
        return state.tree_replace({"data.qpos": timestep.reward}).obs
    return timestep.replace(reward=state.reward).reward

def pooled(graph: jraph.GraphsTuple):
    count = graph.n_node.shape[0]
    rows = jnp.repeat(jnp.arange(count), graph.n_node, total_repeat_length=8)
    for i in range(graph.n_edge):  #! OAK205
        rows = rows + i
    if graph.edges is None:
        return graph._replace(nodes=rows)
    return graph

counts = jnp.array([8]), jnp.array(0)
jax.jit(pooled)(jraph.GraphsTuple(jnp.ones(8), None, None, None, None, *counts))
""",
    "updates of optax": """
import optax

def schedule(step):
    if step > 3:  #! OAK201
        return 0.1
    return 0.01

transform = optax.scale_by_schedule(step_size_fn=schedule)

@jax.jit
def f(params, grads):
    state = transform.init(params)
    updates, state = transform.update(grads, state)
    return optax.apply_updates(params, updates)

f(jnp.ones(3), jnp.ones(3))

@jax.jit
def g(params, grads):
    chain = optax.chain(optax.clip(1.0), optax.adam(0.1))
    state = chain.init(params)
    updates, state = chain.update(grads, state, params)
    if updates[0] > 0:  #! OAK201
        return params
    return optax.apply_updates(params, updates)

g(jnp.ones(3), jnp.ones(3))

@jax.jit
def h(scores, labels):
    loss = optax.softmax_cross_entropy_with_integer_labels(scores, labels)
    if loss > 0:  #! OAK201
        return 1
    return loss.shape

h(jnp.ones(3), jnp.array(1))

@jax.jit
def k(scores, labels):
    loss = optax.l2_loss(scores, labels).mean()
    if optax.squared_error(1.0).ndim or loss.ndim:
        return bool(loss)
    return loss

k(jnp.ones(3), jnp.ones(3))
""",
    "a transformation of the project that nobody calls": """
import optax

def clip(limit):
    def update(updates, state, params=None):
        if optax.global_norm(updates) > limit:  #! OAK201
            updates = jax.tree.map(lambda u: u / 2, updates)
        return updates, state

    return optax.GradientTransformation(lambda params: optax.EmptyState(), update)
""",
    "a schedule of the project": """
import optax

def schedule(step):
    if step > 3:  #! OAK201
        return 0.1
    return 0.01

transform = optax.scale_by_schedule(schedule)

@jax.jit
def f(params, grads):
    state = transform.init(params)
    updates, state = transform.update(grads, state)
    return optax.apply_updates(params, updates)

f(jnp.ones(3), jnp.ones(3))
""",
    "enumerations": """
import enum

class Mode(enum.Enum):
    UP = "up"
    DOWN = "down"

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

class Empty(enum.Enum):
    def shown(self):
        return self.name

class Kind(Empty):
    FIRST = 1

@jax.jit
def f(x):
    if Mode.UP.value != "up" or Mode.UP.name != "UP" or Mode.UP is Mode.DOWN:
        return bool(x)
    if Kind.FIRST.value != 1 or Kind.FIRST.name != "FIRST":
        return bool(x)
    return x

f(1.0)

@jax.jit
def g(x):
    if Mode.UP == Mode.UP:
        return bool(x)  #! OAK204
    return x

g(1.0)

@jax.jit
def h(x, mode):
    return x

h(1.0, Mode.UP)  #! OAK305
""",
    "devices": """
first = jax.devices()[0]
second = jax.devices()[1]
cpu = jax.devices("cpu")[0]
a = jax.device_put(jnp.ones(3), first)
b = jax.device_put(jnp.ones(3), second)
c = a + b  #! OAK702
d = a + jax.device_put(jnp.ones(3), first)
e = jax.device_put(jnp.ones(3), jax.local_devices()[0]) + b
""",
    "methods of NumPy arrays": """
held = np.ones(3)
held.fill(2.0)
held.resize((2, 2))

@jax.jit
def f(x):
    part = np.zeros(3)
    if part.fill(1.0) is not None or part.sort() is not None:
        bool(x)
    part.resize((4,))
    np.copyto(part, 1.0)
    if part.size == 3:
        part[0] = x  #! OAK215
    return x + part

f(jnp.ones(4))

@jax.jit
def g(x):
    part = np.zeros(3)
    part[0] = x  #! OAK215
    return part

g(1.0)
""",
    "objects of Flax": """
import flax.linen as nn

class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        if x.sum() > 0:  #! OAK201
            return x
        return nn.Dense(3)(x)

    def scaled(self, x):
        return bool(x)  #! OAK204

model = Model()

@jax.jit
def f(params, x):
    return model.apply(params, x)

@jax.jit
def g(params, x):
    return model.apply(params, x, method="scaled")

@jax.jit
def h(params, x):
    return model.apply(params, x, method=Model.scaled)

f({}, jnp.ones(3))
g({}, 1.0)
h({}, 1.0)
""",
    "arguments that are no arrays by convention": """
from typing import Any, Callable
import flax.linen as nn

class Model(nn.Module):
    @nn.compact
    def __call__(self, x, size: int, act: "Callable", held: Any, names: tuple, deep=False):
        if size > 3 or held > 3 or names or deep:
            return x
        if act(x) is None:
            return x
        if x > 0:  #! OAK201
            return 1
        return x

class Other(nn.Module):
    @nn.compact
    def __call__(self, size: int, x: jax.Array):
        if size > 3:
            return x
        if x > 0:  #! OAK201
            return 1
        return x
""",
    "fields that an annotation makes static": """
import jax_dataclasses as jdc

@jdc.pytree_dataclass
class Factor:
    value: jax.Array
    size: jdc.Static[int]

def rows(factor):
    if factor.value.sum() > 0:  #! OAK201
        return jnp.arange(factor.size)
    return jnp.arange(factor.size) + factor.value

print(jax.vmap(rows)(Factor(jnp.ones((3, 1)), 2)))
""",
    "loops whose gradient solvers take": """
import jaxopt

def relax(x):
    return lax.while_loop(lambda y: jnp.sum(y**2) > 1.0, lambda y: 0.5 * y, x)  #! OAK604

def far(x):
    return lax.while_loop(lambda y: jnp.sum(y**2) > 1.0, lambda y: 0.5 * y, x)

def objective(x, data):
    return jnp.sum((relax(x) - data) ** 2)

def sloped(x):
    return jnp.sum(far(x) ** 2), 2 * far(x)

def steady(x, data):
    return jnp.sum(x * far(data))

@jax.jit
def fit(x, data):
    return jaxopt.LBFGS(fun=objective, maxiter=20).run(x, data=data).params

fit(jnp.ones(3), jnp.zeros(3))
jaxopt.GradientDescent(sloped, value_and_grad=True, maxiter=5).run(jnp.ones(3))
jaxopt.BFGS(steady, maxiter=5).run(jnp.ones(3), jnp.ones(3))
""",
    "what a solver has found": """
import optimistix as optx

def squares(y, _):
    return jnp.sum(y**2)

@jax.jit
def fit(y):
    found = optx.minimise(squares, optx.BFGS(1e-6, 1e-6), y)
    return found.value, found

@jax.jit
def made(y):
    return y, jax.grad(squares)

fit(jnp.ones(3))
made(jnp.ones(3))  #! OAK305
""",
    "modules that nobody calls, which one function defines": """
import flax.linen as nn

def networks():
    class First(nn.Module):
        def __call__(self, x):
            return x if x.sum() > 0 else -x  #! OAK201

    class Second(nn.Module):
        def __call__(self, x):
            return x if x.sum() > 1 else -x  #! OAK201

    return First, Second
""",
    "what a model of NumPyro draws": """
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS

def model(rows, count, wide=False):
    mean = numpyro.sample("mean", dist.Normal(0.0, 1.0))
    seen = numpyro.sample("seen", dist.Normal(mean, 1.0), obs=rows)
    if rows.shape[0] > count or wide or seen[0] > 0:
        return None
    with numpyro.plate("rows", count):
        if mean > 0:  #! OAK201
            return mean

MCMC(NUTS(model), num_warmup=1, num_samples=1).run(jax.random.key(0), jnp.ones(3), 3)

def prior(rows):
    mean = numpyro.sample("mean", dist.Normal(0.0, 1.0))
    return bool(mean > 0)

print(numpyro.handlers.seed(prior, 0)(None))
""",
    "dataclasses that become trees behind their definition": """
import dataclasses

import chex

@dataclasses.dataclass
class Grid:
    values: jax.Array

@dataclasses.dataclass
class Rows:
    values: jax.Array

chex.register_dataclass_type_with_jax_tree_util(Grid)

@jax.jit
def total(grid):
    return float(grid.values.sum())  #! OAK204

total(Grid(jnp.ones(3)))
total(Rows(jnp.ones(3)))  #! OAK305
""",
    "the size of a mapped axis": """
jax.vmap(lambda v: v, axis_size=3)(jnp.ones(3))
jax.vmap(lambda v: v, axis_size=4)(jnp.ones(3))  #! OAK501
jax.vmap(lambda v: 1.0, in_axes=None, axis_size=3)(2.0) + jnp.ones(4)  #! OAK501
total = jax.vmap(lambda v: 1.0, in_axes=None, axis_size=3)(2.0) + jnp.ones(3)
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_values_are_followed(program: str) -> None:
    """A user sees what the values reach, and nothing of a branch that they do not take."""
    assert_reported(program)


STATIC_FIELDS = """\
class(equinox.Module): equinox.field(static=True) | equinox.field(static=False)
class(equinox.Module): equinox.static_field() | equinox.field()
class(equinox.Module): equinox._module.field(static=True) | equinox._module.field()
class(equinox.nn.StatefulLayer): equinox.field(static=True) | equinox.field()
class(diffrax.AbstractSolver): equinox.field(static=True) | equinox.field()
class(lineax.AbstractLinearSolver): equinox.field(static=True) | equinox.field()
class(optimistix.AbstractMinimiser): equinox.field(static=True) | equinox.field()
class(clu.metrics.Metric): flax.struct.field(pytree_node=False) | flax.struct.field()
class(clu.metrics.Collection): flax.struct.field(pytree_node=False) | flax.struct.field()
class(flax.struct.PyTreeNode): flax.struct.field(pytree_node=False) | flax.struct.field()
@flax.struct.dataclass: flax.struct.field(pytree_node=False) | flax.struct.field(pytree_node=True)
class(netket.utils.struct.Pytree): netket.utils.struct.field(pytree_node=False) | 3
@netket.utils.struct.dataclass: netket.utils.struct.field(pytree_node=False) | 3
@netket.utils.struct.dataclass: netket.utils.struct.static_field() | 3
@jax_dataclasses.pytree_dataclass: jax_dataclasses.static_field() | 3
@jax_md.dataclasses.dataclass: jax_md.dataclasses.static_field() | 3
class(simple_pytree.Pytree): simple_pytree.field(pytree_node=False) | simple_pytree.field()
class(simple_pytree.Pytree): simple_pytree.static_field() | simple_pytree.field()
"""


@pytest.mark.parametrize("row", STATIC_FIELDS.splitlines())
def test_a_field_is_static_as_its_library_says(row: str) -> None:
    """What a user declares static is no tracer, and every field beside it is one."""
    nature, _, fields = row.partition(": ")
    static, _, traced = fields.partition(" | ")
    decorator = f"{nature}\n" if nature.startswith("@") else ""
    bases = "" if decorator else nature.removeprefix("class")
    paths = (nature.strip("@()").removeprefix("class("), static.partition("(")[0])
    imports = "".join(f"import {path.rpartition('.')[0]}\n" for path in paths)
    assert_reported(
        f"""{imports}
{decorator}class Layer{bases}:
    weight: jax.Array
    depth: int = {static}
    width: int = {traced}

@jax.jit
def apply(layer):
    if layer.depth > 5:
        return layer.weight
    if layer.width > 5:  #! OAK201
        return layer.weight
    return 2 * layer.weight

apply(Layer(jnp.ones(3), 3, 3))
"""
    )


def test_no_finding_and_no_note_leads_into_the_source_of_a_library() -> None:
    """The user cannot change a line there, and has not written it."""
    program = """
import optax
from flax.training import train_state

def update(updates, state, params=None):
    if jnp.sum(updates) > 0:
        return updates, state
    return -updates, state

flipping = optax.GradientTransformation(lambda params: (), update)
state = train_state.TrainState.create(apply_fn=jnp.dot, params=jnp.ones(3), tx=flipping)

@jax.jit
def step(state, gradient):
    state = state.apply_gradients(grads=gradient)
    return state.params.reshape(state.step, -1), float(state.step)

step(state, jnp.ones(3))
"""
    findings = findings_of(program)
    assert [finding.code for finding in findings] == ["OAK201", "OAK211", "OAK204"]
    places = [
        *(finding.location for finding in findings),
        *(each.location for finding in findings for each in finding.related),
    ]
    assert {place.file for place in places} == {"/small/main.py"}


def test_no_weak_link_leads_into_the_source_of_a_library() -> None:
    """What `create` of TrainState does with an optimizer that is not known is a link of the chain,
    but its line is none of the user's.
    """
    program = """
import jax
import jax.numpy as jnp
from flax.training import train_state
from elsewhere import model, optimizer

params = {"w": jnp.ones(3), "is_used": True}
state = train_state.TrainState.create(apply_fn=model, params=params, tx=optimizer)
if params["is_used"]:
    print(jax.jit(lambda w: bool(w.sum()))(params["w"]))
"""
    (finding,) = findings_of(program)
    assert [each.message for each in finding.weak] == [
        "code that is not known gets `params` and may change it"
    ]
    assert {each.location.file for each in finding.weak} == {"/small/main.py"}


def test_no_link_leads_to_a_base_of_the_class_of_a_library() -> None:
    """The base of a class that a source declares is none of the program's own."""
    program = """
from brax.envs.base import State

@jax.jit
def step(state: State, action):
    if state.done:
        return state
    return state.replace(reward=action.sum())

zero = jnp.zeros(())
step(State(None, jnp.ones(3), zero, zero), jnp.ones(3))
"""
    (finding,) = findings_of(program)
    assert finding.code == "OAK201"
    assert finding.confidence is Confidence.PROVED
    assert {each.location.file for each in finding.related} == {"/small/main.py"}
