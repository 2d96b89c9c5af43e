"""What programmers call things, and what that says of what they mean: evidence, not proof.

A name alone keeps no finding back: what matches the first two lists is reported as likely, and what
the flags say is what their values are. These lists are the defaults of `trace-counters`,
`call-counters`, `draw-flags` and `still-flags` in `[tool.oakum]`. The patterns are about what code
does, as far as its text says.
"""

import re
from pathlib import PurePath
from typing import Final

TRACE_COUNTERS: Final = (
    "*trac*",
    "*compil*",
    "*cache*",
    "*seen*",
    "*debug*",
    "*shape*",
    "*dtype*",
    "*ndim*",
    "*type(*",
    "*log",
)
"""Names of what is meant to be changed by tracing, and what is printed then on purpose."""
CALL_COUNTERS: Final = (
    "*depth*",
    "*level*",
    "*nest*",
    "*indent*",
    "*scope*",
    "*stack*",
    "*uid*",
    "*_id*",
    "*name*",
)
"""Names of what is set back when a call returns, or numbers what is made."""

DRAW_FLAGS: Final = (
    *("train", "training", "is_train", "is_training", "enable_dropout", "use_dropout"),
    *("*dropout*", "rate", "drop_rate", "droprate", "prob", "drop_prob", "dropprob", "noise"),
)
"""Names of flags, and of rates, without which a module draws nothing: with False or zero."""
STILL_FLAGS: Final = (
    *("deterministic", "inference", "eval", "is_eval", "evaluate", "is_evaluate", "evaluation"),
    *("is_evaluation", "test", "is_test", "testing", "is_testing"),
)
"""Names of flags with which a module draws nothing: with True."""
ARRAY_ANNOTATION: Final = re.compile(
    r"^(jax\.Array|Array|jnp\.ndarray|jnp\.array|chex\.Array|ArrayLike)$"
)
"""Annotations, as they are usually spelled, that say that a parameter is an array."""
_TEST_FILE: Final = re.compile(r"^(tests?|conftest|bench\w*|test_\w+|\w+_(tests?|bench\w*))$")
_TEST_FOLDERS: Final = ("test", "tests")
REPLACES: Final = re.compile(
    r"\b(monkeypatch|mocker|patcher)\b|@(mock\.)?patch\b|\bmock\.patch\b|\bwith patch\b"
    r"|\bpatch\.(object|dict|multiple)\b"
)
"""What code says that replaces functions and attributes while a test runs."""
BENCHMARK: Final = re.compile(r"^bench(mark|_|[A-Z]|$)")
"""What functions are called that time others. Evaluation of a model is called `test` too."""
SAYS_SAME_DRAWS: Final = re.compile(
    r"\b(same|shared?|common|identical|reus(e|es|ed|ing))\b(\W+\w+){0,2}?\W+"
    r"(keys?|rngs?|prng\w*|seeds?|noises?|random\w*|draws?|samples?|permutation)\b"
    r"|\bpaired\b|\bon purpose\b|\bdeliberate\w*|\bintention\w*",
    re.IGNORECASE,
)
"""What comments say where one key is to give the same numbers again."""
COPIES: Final = re.compile(
    r"(?<![^_])(target|tgt|ema|teacher|momentum|frozen|fixed|reference|ref|copy|old|lagged)(?![^_])"
)
"""Words in the names of parameters that begin as a copy of others: those of a target network, of
one that teaches, of one that stays as it is.
"""
INITIALIZES: Final = re.compile(r"^_*(init|create)")
"""What functions are called that make parameters."""
SAYS_COMPILING: Final = re.compile(
    r"compil(?!ed)|\b(jitting|tracing)\b|\btimes? (for|to|of) (the )?jit\b", re.IGNORECASE
)
"""What a line says that takes the time of a first call, which compiles: that is over when the call
returns. Benchmarks of compiled functions say "compiled", and "JIT time".
"""
TO_HOST: Final = "device_get("
TO_LIST: Final = ".tolist()"
"""What asks for values on the host by name: code that says so runs there."""
ASKING_HOST: Final = frozenset({"tolist", "item", "device_get", "block_until_ready", "print"})
"""What functions and methods are called that wait for values, or show them."""
WAITS: Final = "block_until_ready"
"""What functions and methods are called that wait for values, and give them back."""
SPLITS: Final = "split"
"""What functions are called that make several keys of one."""
SELECTIONS: Final = frozenset({"where", "select"})
"""What functions are called that take each element from one of their last two arguments."""
KEEPS_ARGUMENTS: Final = re.compile(
    r"_*[A-Z]|_*(append|add|put|set|push|insert|extend|update$|replace|store|save|dump|write|record"
    r"|copy|clone|print|log|debug|info|format|repr|hash|partial|bind|shard|replicate|broadcast"
    r"|stack|concatenate|tile|repeat|reshape|as[a-z]*array|to_|get|is_|check|assert|unreplicate"
    r"|next|fold|split|make_rng|key|seed|wrap|make|create|with_|lower$|trace|eval_shape|tabulate)"
)
"""What code is called, from its beginning, that keeps what it gets, shows, moves or changes it, or
does not run: classes, and functions by their verbs. From a random key it does not draw.
"""
REPLACING: Final = "replace"
"""What methods are called, but for underscores, that make an object like another."""
ENVIRONMENT_METHODS: Final = ("step", "reset", "step_env", "reset_env")
"""The methods of an environment that algorithms compile, those that a class wraps included."""
STATE_NAME: Final = re.compile(r"(^|_)(state|timestep)$")
"""What a parameter is called that holds the state of an environment, which is no attribute then."""
STATE_CLASS: Final = re.compile(r"(State|TimeStep)$")
"""What the class of such a state is called, beside those of what is observed of it."""
SELECTING: Final = frozenset(
    {
        "jax.numpy.where",
        *(f"jax.lax.{name}" for name in ("cond", "select", "switch", "scan", "fori_loop")),
        *(f"jax.lax.{name}" for name in ("while_loop", "dynamic_slice", "dynamic_update_slice")),
        *(f"jax.lax.dynamic_{name}" for name in ("index_in_dim", "slice_in_dim")),
        *(f"jax.lax.dynamic_update_{name}" for name in ("index_in_dim", "slice_in_dim")),
    }
)
"""What code calls that is written to be traced, where Python's own branches and indices would do on
the host."""
SELECTING_NAMES: Final = frozenset(path.rpartition(".")[2] for path in SELECTING)
"""What they are called: where no other function is, nothing is looked up."""
CALLED_OFTEN: Final = re.compile(
    r"(sample|draw|step|act|select_action|choose_action|get_action|forward|__call__|add_noise"
    r"|noise|perturb|augment|shuffle|next|simulate|roll)(_|$)"
)
"""What methods are called, from their beginning, that one object has called over and over."""
STEPS: Final = re.compile(r"(^|_)step$|^(on_)?step_|^one_step")
"""What functions are called that go one step of a solver, a sampler or a training on: several steps
are a loop, which needs one key to begin with.
"""
DRAWS_ALIKE: Final = re.compile(
    r"(^|_)(init\w*|set_?up|first|warm\w*|main|num|eval\w*|valid\w*|test\w*|examples?|dummy|fixed"
    r"|demo|debug|bench\w*)(_|$)"
)
"""Words in what functions are called that run once, or that compare models by the same draws."""
CALLED_EACH_STEP: Final = re.compile(
    r"_?((train|training|eval|validation|test|update|env)_)?(step|update|act|forward|predict"
    r"|select_action|choose_action|get_action|__call__)$"
)
"""What methods are called that a loop of training or of a simulation calls in each iteration."""
CALLED_ONCE: Final = re.compile(
    r"_*(init|set_?up|build|make|create|get_|compile|warm|load|save|restore|export|lower|main$"
    r"|fit|train(?!_step)|learn|solve|optimi[sz]e|minimi[sz]e|run_|plot|visuali[sz]e|show|test"
    r"|bench|profile|time|demo|example|experiment|check|debug|print)"
)
"""What functions are called, from their beginning, that a program calls once, or that work for so
long that a compilation is nothing beside."""
COMPUTES_FOR_USERS: Final = re.compile(
    r"_?(sample|reset|observe|propagate|render|encode|decode|rollout|score|energy|forces?"
    r"|log_prob|log_likelihood|log_density|(compute|calc|calculate|evaluate|sample|predict)_\w+)$"
)
"""What methods are called that users call more than once, of a sampler, a model or an environment.
"""


def is_test_file(path: PurePath) -> bool:
    """Whether a file is one of tests or benchmarks by its name, or that of its folder: it may
    compare two runs with the same random numbers.

    >>> is_test_file(PurePath("loss_test.py")), is_test_file(PurePath("tests/unit.py"))
    (True, True)
    >>> is_test_file(PurePath("contest.py"))
    False
    """
    return _TEST_FILE.match(path.stem) is not None or path.parent.name in _TEST_FOLDERS


def holds_key(attribute: str) -> bool:
    """Whether an attribute is called as those are that hold a random key.

    >>> holds_key("rng"), holds_key("sampling_key"), holds_key("params")
    (True, True, False)
    """
    return re.search(r"(?:^|_)(?:keys?|p?rng|seed)(?:_|\d|$)", attribute) is not None


TELLS_NO_NUMBER: Final = frozenset(
    "dtype isfinite isinf isinstance isnan len ndim shape size tree_structure type".split()
)
"""Attributes and functions that tell of an array what it is, and not which numbers it has."""
COMPARING: Final = re.compile(
    r"_*(assert|check(?!point|ify)|verify|compare|all_?close|is_?close|array_eq"
    r"|tree_(all_?close|equal))",
    re.IGNORECASE,
)
"""How functions are called, from their beginning, that tell what they get from each other: those of
tests raise where it is not as expected.
"""
