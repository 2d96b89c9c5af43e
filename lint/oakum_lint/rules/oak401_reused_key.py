"""OAK401: a random key is used twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from oakum.values import codes
from oakum.values.records import replace
from oakum_lint.fixes.site import Site
from oakum_lint.models import dotted
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.wording import headline, quoted
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Finding, Severity

if TYPE_CHECKING:
    from oakum_lint.analyses.keys import reused_keys


class ReusedKey(Rule["reused_keys.KeyReuse"]):
    """## What it does
    Finds random keys that are used up twice: by two draws, by a draw and a
    split, by each iteration of a loop, by an iteration that draws from the key which the next one
    splits, by two calls of a function that draws from its argument, or of an initializer, or of a
    method that draws from a key of its object; keys that a mapped function closes over, or a
    function that is called for each leaf of a tree; objects that a function hands back with the
    key that it has used, and keys that it returns in a tuple; and keys of a seed that a step of a
    solver, or a method like `act`, names itself.

    ## Why it matters
    A draw from a key gives the same bits each time. Two draws from one key are equal, or stand in
    some fixed relation to each other; so do a draw and the keys that `split` makes of its key.

    ## Example
    ```python
    key = jax.random.key(0)
    w = jax.random.normal(key, (8, 4))
    b = jax.random.normal(key, (4,))
    ```

    ## Use instead
    ```python
    key_w, key_b = jax.random.split(jax.random.key(0))
    w = jax.random.normal(key_w, (8, 4))
    b = jax.random.normal(key_b, (4,))
    ```
    In a loop, split the key in each iteration (`key, part = jax.random.split(key)`), or make one of
    the counter: `jax.random.fold_in(key, step)`, which does not use `key` up.

    ## Known limits
    A reuse is reported only when the key is provably the same. Where a path leads past the first
    use (`if noise:`), it is *likely* if the second stands behind no test of its own, or behind one
    of other names, which what runs with the first does not bind. Two keys of one seed are not
    compared; but what `vmap` maps, or `scan` repeats, that draws by the key of a seed that it
    names, is *likely*.

    In tests and benchmarks, by the names of files and functions, a reuse is *information*, as they
    may compare two runs with the same numbers; so is one of a function that a notebook calls twice,
    one with a comment that says so ("the same noise", "paired"), one call that is made twice where
    a name says that its result is a copy, as of a target network, and one where nobody reads the
    values of one draw: of a first call, which compiles (`_ = run(key)`), or of an example for
    `model.init(key, x)`. `--min-severity information` shows these. One key that permutes, or
    chooses from, several arrays keeps their rows together: that is no finding, but of one array in
    two places.

    A key of a constant seed is reported, as *likely*, in a loop whose body does not read what it
    goes over (`for _ in range(n)`), where it draws by it itself; in a function by the name of a
    step (`attempt_step`), or in a method that is called over and over (`act`, `sample`), where it
    makes the key on each path: where the program is seen to call it, in a loop alone. Evaluations
    (`eval_step`) may compare by the same draws, and what a module draws that is not for each of its
    rows may be its fixed weights: these are no findings. A key that a function returns is, where
    nobody is seen to call the function.

    A key that an object holds which is not seen (`state.rng`) is taken for the same key until the
    object is replaced, one of its methods is called or the attribute is assigned. Where no second
    call is seen, a method that draws from a key of its object is reported if its name is that of
    what is called over and over (`act`, `sample`, `step`) and nothing else sets the attribute; a
    function that hands its object back, if it does so on each path after the use. All of these are
    *likely*.

    Code that is not seen is presumed to draw from a key that it gets, unless its name says that it
    keeps, shows or changes its arguments: two uses of which one is such a call are *likely*. A
    parameter is a key if the code draws by it, splits it, or annotates it as one.

    A module of Flax that takes a key for a stream (`rngs={"dropout": key}`) is presumed to draw,
    and reported as *likely*, unless an argument or a field has a value with which it does not:
    False or zero for what matches one of `draw-flags` in `[tool.oakum]`, by default `train`,
    `training`, `is_train`, `is_training`, `enable_dropout`, `use_dropout`, `*dropout*`, `rate`,
    `drop_rate`, `droprate`, `prob`, `drop_prob`, `dropprob` and `noise`; True for what matches one
    of `still-flags`, by default `deterministic`, `inference`, and `eval`, `evaluate`, `evaluation`,
    `test` and `testing`, with `is_` before them or without. A module uses up no key where nothing
    that draws (`nn.Dropout`, `make_rng`, `dropout_rate`) is named in its code or in what imports
    connect with it. Passes of one traced step may share a key.

    ## Fix
    Inserts `key, subkey = jax.random.split(key)` before the first use, which then uses `subkey` up;
    where the block has split the key before, that makes one part more; where the use is `a, b =
    jax.random.split(key)`, this does, for what follows. A part that nobody uses is taken in the
    place of the key, and so is the other one of `part = jax.random.split(key)[0]`. The same goes
    into the loop of Python that draws in each iteration, also of a key that an object keeps which
    can be changed; where the key cannot be assigned, the counter makes a key; a comprehension goes
    over as many parts as it has iterations, and in the body of a `fori_loop`, or of a `scan`, `map`
    or `vmap` over `jnp.arange(n)`, the counter makes a key: `jax.random.fold_in(key, i)`, also of a
    key of a seed that the body names. What a function hands back as `state.replace(...)` gets the
    part that is not used up. A statement that uses a key up three times or more gets as many parts:
    `key, *keys = jax.random.split(key, 4)`, of which each call takes one. A key that the function
    cannot assign, of the function around it, of the module, of an object or a container, is split
    for all uses in its block: `first_key, second_key = jax.random.split(key)`; of `keys =
    jax.random.split(key, 3)`, of which one is used twice, another one is taken, or there are four
    then; where all of them are used twice, the split makes two arrays: `keys, more_keys =
    jax.random.split(key, (2, 3))`. Four uses of any key in a block get the items of one split; a
    key that is made twice of one seed gets another seed, unless one function of the program draws
    by both; a `lambda` that draws for each leaf of a tree gets a tree of keys. A function that
    reads the key of the one around it takes it as a parameter, where it is only called, and each
    call passes it a part; the body of a `scan` over nothing gets the parts of the key. A split
    stands before the clock that times the use.
    Unsafe: the numbers that are drawn differ, and somebody may have meant to draw the same twice.
    There is no fix where a comment, a docstring or a name says that the reuse is meant, where
    nobody reads what one of the draws makes, or only waits for it, in a test that expects an
    error, where code asserts something of both results, has `==` between them, raises where they
    differ, or passes them to a function that compares (`allclose`, `compare...`; what is computed
    of both and asserted then, `gap = abs(a - b)`, counts as one result), where a clock is read
    before both, where a notebook calls one function twice with the key, or a test that makes
    something of both results or asserts more of one than its shape, nor where the key belongs to
    another function, or to another loop of JAX: then it has to become a part of the carry.

    ## At run time
    KeyReuseError where `jax_debug_key_reuse` is on; otherwise nothing.
    https://docs.jax.dev/en/latest/jax.experimental.key_reuse.html
    """

    code = codes.REUSED_KEY
    confidence = (
        "proved where both uses are of one key and every path to the second passes a first; "
        "likely in comprehensions, trees and under `vmap`, where a path leads past the first use, "
        "where an object that holds the key or a second call is not seen, where unseen code is "
        "presumed to draw, where the code names the seed, in tests and benchmarks, where a comment "
        "or docstring says that it is meant, and where one call is made twice and a name says that "
        "its result is a copy, as of a target network"
    )
    fixes = (Safety.UNSAFE,)
    severity = Severity.WARNING
    silent = True
    bad = (
        """\
import jax

key = jax.random.key(0)
w = jax.random.normal(key, (8, 4))
b = jax.random.normal(key, (4,))  #! OAK401
rows = jax.numpy.stack([w[0], b])
assert not rows.std(axis=0).any()
""",
        """\
import jax


def sample(key, steps):
    total = 0.0
    for _ in range(10):
        total = total + jax.random.uniform(key)  #! OAK401
    return total


total = sample(jax.random.PRNGKey(0), 3)
assert abs(total - 10 * jax.random.uniform(jax.random.PRNGKey(0))) < 1e-3
""",
        """\
import jax
import jax.numpy as jnp


def noise(rng, shape):
    return jax.random.normal(rng, shape)


def init(key):
    first, second = jax.random.split(key)
    hidden = noise(first, (3, 2))
    output = noise(first, (2, 1))  #! OAK401
    return hidden, output + 0.0 * jax.random.uniform(second)


hidden, output = jax.jit(init)(jax.random.key(1))
assert hidden[0].tolist() == output[:, 0].tolist()
""",
        """\
import jax
import jax.numpy as jnp


def walk(key, start):
    def step(position, _):
        position = position + jax.random.normal(key)  #! OAK401
        return position, position

    return jax.lax.scan(step, start, None, length=4)


steps = jnp.diff(walk(jax.random.key(2), jnp.zeros(()))[1])
assert jnp.allclose(steps, steps[0])
""",
        """\
import jax
import jax.numpy as jnp

key = jax.random.key(0)
initialize = jax.nn.initializers.lecun_normal()
query = initialize(key, (3, 3), jnp.float32)
value = initialize(key, (3, 3))  #! OAK401
assert (query == value).all()
""",
        """\
import jax
import jax.numpy as jnp


def perturb(x):
    return x + jax.random.normal(noise_key)  #! OAK401


noise_key = jax.random.key(1)
noisy = jax.vmap(perturb)(jnp.zeros(4))
assert (noisy[0] == noisy).all()
""",
        """\
import jax


class Noise:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def draw(self, n):
        part, _ = jax.random.split(self.key)  #! OAK401
        return jax.random.normal(part, (n,))


noise = Noise(0)
first = noise.draw(3)
assert (first == noise.draw(3)).all()
""",
    )
    good = (
        """\
import jax


def sample(key, train, steps):
    if train:
        start = jax.random.normal(key)
    else:
        start = jax.random.uniform(key)
    return start


key = jax.random.key(0)
for step in range(20):
    key, part = jax.random.split(key)
    x = sample(part, step % 2 == 0, 3)
for step in range(20):
    x = x + jax.random.normal(jax.random.fold_in(key, step))
keys = jax.random.split(key, 3)
y = [jax.random.normal(k) for k in keys]
print(len(y))
""",
        """\
import jax
import jax.numpy as jnp


def walk(key, start):
    def step(carry, x):
        key, position = carry
        key, part = jax.random.split(key)
        position = position + x * jax.random.normal(part)
        return (key, position), position

    (key, end), _ = jax.lax.scan(step, (key, start), jnp.ones(4))
    branch = jax.lax.cond(end > 0, jax.random.normal, jax.random.uniform, key)
    return branch


keys = jax.random.split(jax.random.key(2), 3)
jax.vmap(lambda shared, x: x + jax.random.normal(shared), (None, 0))(jax.random.key(3), jnp.ones(4))
print(jax.vmap(walk, in_axes=(0, None))(keys[:2], jnp.zeros(())).shape)
print(jax.eval_shape(walk, keys[2], jnp.zeros(())).shape, walk(keys[2], jnp.zeros(())) > 0)
compiled = jax.jit(walk).lower(jax.random.key(4), jnp.zeros(())).compile()
print(compiled(jax.random.key(4), jnp.zeros(())) > 0)
""",
    )

    def check(self, event: "reused_keys.KeyReuse") -> Iterator[Finding]:
        """Reports each second use."""
        message, note = _message(event)
        notes = (note, _MEANT[event.evidence]) if event.evidence else (note,)
        found = self.finding(event, message, _hint(event, quoted(event, "key")), *notes)
        severity = Severity.INFORMATION if event.evidence else found.severity
        yield replace(found, cause=event.root or found.cause, severity=severity)

    def fix(self, event: "reused_keys.KeyReuse", site: Site) -> Fix | None:
        """Splits the key."""
        if _is_meant(event, site) or _is_tested(event, site):
            return None
        if event.constant:
            return _split_in_loop(event, site) if event.loop.startswith(_OF_JAX) else None
        if event.several:
            from oakum_lint.fixes.keys.key_arrays import split_into_arrays

            is_again = event.how == "again" and event.first != event.location
            return split_into_arrays(site, event.first, event.names) if is_again else None
        return _split(event, site)


def _split(event: "reused_keys.KeyReuse", site: Site) -> Fix | None:
    """Splits one key, by how it is reused."""
    from oakum_lint.fixes.keys.captured_keys import share_captured
    from oakum_lint.fixes.keys.leaf_keys import split_for_leaves
    from oakum_lint.fixes.keys.loop_keys import split_for_comprehension
    from oakum_lint.fixes.keys.random_keys import split_before, split_kept

    match event.how:
        case "again" if event.first != event.location:
            fix = split_before(site, event.first, event.names)
            return fix or share_captured(site, event.first, event.names)
        case "again" | "comprehension":
            leaves = split_for_leaves(site, event.names)
            return leaves or split_for_comprehension(site, event.names)
        case _ if event.in_object or (event.constant and event.how == "loop"):
            return None
        case "loop":
            return _split_in_loop(event, site)
        case "call":
            return split_kept(site, event.names)
        case "returned":
            from oakum_lint.fixes.keys.held_keys import hand_back_new

            return hand_back_new(site)
        case "vmap":
            from oakum_lint.fixes.keys.counted_keys import fold_in_number

            return fold_in_number(site, event.names)


def _split_in_loop(event: "reused_keys.KeyReuse", site: Site) -> Fix | None:
    """Has each iteration of a loop draw by a key of its own."""
    from oakum_lint.fixes.keys.captured_keys import pass_parts
    from oakum_lint.fixes.keys.counted_keys import fold_in_number
    from oakum_lint.fixes.keys.loop_keys import split_for_scan, split_in_loop

    if event.loop.startswith(_OF_JAX):
        return fold_in_number(site, event.names) or split_for_scan(site, event.names)
    return split_in_loop(site, event.names) or pass_parts(site, event.names)


def _is_tested(event: "reused_keys.KeyReuse", site: Site) -> bool:
    """Whether a test expects something of the results that one key gives."""
    from oakum_lint.fixes.keys.compared_draws import is_compared, is_only_waited_for
    from oakum_lint.fixes.keys.random_keys import expects_failure

    if expects_failure(site) or is_only_waited_for(site):
        return True
    return is_compared(site, event.first, event.names)


def _is_meant(event: "reused_keys.KeyReuse", site: Site) -> bool:
    """Whether the evidence stands that the reuse is meant: a test that calls one function twice may
    keep the results apart.
    """
    from oakum_lint.fixes.keys.separate_draws import are_kept_apart

    if event.evidence == "comparison":
        return not are_kept_apart(site, event.first)
    return event.evidence in ("comment", "copy")


_OF_JAX = (dotted.DECLARED_FORI_LOOP, dotted.DECLARED_SCAN, dotted.DECLARED_MAP)
"""How loops of JAX are called, whose bodies cannot split a key of the function around them."""
_MEANT = {
    "test": "this is a test or a benchmark, which may want the same numbers twice",
    "comparison": "this may compare what two calls of one function make of the same numbers",
    "comment": "a comment there, or the docstring, says that it may be meant",
    "unread": "nobody reads the values that one of the two uses makes",
    "copy": "it is the same call, and a name says that one begins as a copy of the other",
}
"""Why a finding is likely, by the evidence that the reuse is meant."""


def _message(event: "reused_keys.KeyReuse") -> tuple[str, str]:
    """The headline, and what it means for the numbers that are drawn."""
    key = event.operand.source
    why = "its seed is a constant" if event.constant else "the key comes from outside"
    match event.how:
        case "loop" if event.loop:
            return (
                headline(f"key `{{}}` is reused in every iteration of {event.loop}", key),
                f"{why}: every iteration draws the same numbers",
            )
        case "vmap":
            return (
                headline("key `{}` is shared by all lanes of a mapped function", key),
                f"{why}: all that is mapped over gets the same numbers",
            )
        case "returned":
            return (
                headline("key `{}` is used up, and handed back", key),
                f"what goes on with the returned {_returned(key)} draws the same numbers again",
            )
        case "call":
            return (
                headline("key `{}` is reused by every call", key),
                "the key is not an argument: all calls draw the same numbers",
            )
        case "loop" | "comprehension":
            return (
                headline("key `{}` is reused in every iteration", key),
                "all iterations draw the same numbers",
            )
        case "again":
            elsewhere = event.first.file != event.location.file
            where = f" of {Path(event.first.file).name}" if elsewhere else ""
            return (
                headline(f"key `{{}}` was already used on line {event.first.line}{where}", key),
                "both draw from the same key: the draws are not independent",
            )


def _returned(key: str) -> str:
    """What a function returns that has used a key up: the key itself, or what holds it."""
    return "key" if key.isidentifier() else "object"


def _hint(event: "reused_keys.KeyReuse", key: str) -> str:
    if event.constant and event.how == "loop":
        return (
            "Make the key before the loop, and of the counter one for each iteration: "
            "`jax.random.fold_in(key, i)`."
        )
    if event.constant:
        return "Take a key as an argument, of which each call gets a part of its own."
    if event.how == "vmap":
        return (
            "Split the key outside, and map over the keys too: `jax.random.split("
            f"{key if key.isidentifier() else 'key'}, n)`. A key that all are to share is passed "
            "with `in_axes=None`."
        )
    if event.how == "returned" and key.isidentifier():
        return (
            "Split the key, draw by one part, and return the other: "
            f"`{key}, part = jax.random.split({key})`."
        )
    if event.how == "returned":
        name = key.rpartition(".")[2]
        new = f"replace({name}=...)" if name.isidentifier() else "replace"
        return f"Split the key, and return the object with one of the parts: `{new}`."
    if event.how == "call":
        kept = key if key.replace(".", "").isidentifier() else "key"
        return (
            "Pass the function a key of its own in each call, or have it keep a new one: "
            f"`{kept}, part = jax.random.split({kept})`."
        )
    if event.how == "again":
        return (
            f"Split the key before its first use, and use each part once: `a, b = "
            f"jax.random.split({key if key.isidentifier() else 'key'})`."
        )
    return (
        "Split the key in each iteration and carry it on, or make one of the counter: "
        "`jax.random.fold_in(key, i)`."
    )
