"""`oakum.config`: the options, under JAX's names.

`config.update("jax_enable_x64", True)` sets an option for the process, `config.jax_enable_x64`
reads it, `with oakum.enable_x64(True):` sets it in a block; `OAKUM_ENABLE_X64=1` in the environment
sets what it is at first, `JAX_ENABLE_X64` where that is not there.

Here an option is a variable: `config.enable_x64.value` is the fastest way to read it.
"""

from __future__ import annotations

import contextlib
import enum
import sys
from collections.abc import Callable, Generator, Sequence
from types import ModuleType
from typing import Any, Final, TypeVar

from oakum.values.option_values import (
    COUNT,
    DEVICE,
    INTEGER,
    OPTIONAL_TEXT,
    REAL,
    TEXT,
    TRUTH,
    UNSET,
    Reader,
    State,
    member_of,
    one_of,
)
from oakum.values.option_values import TraceKey as TraceKey
from oakum.values.option_values import UserContext as UserContext
from oakum.values.option_values import enable_x64 as enable_x64
from oakum.values.option_values import forget_keys as forget_keys
from oakum.values.option_values import trace_key as trace_key
from oakum.values.options import flags, ignored_options
from oakum.values.traceback_filtering import traceback_filtering as traceback_filtering

T = TypeVar("T")


class ExplicitX64Mode(enum.IntEnum):
    """The reaction to a request for a 64-bit dtype while x64 is off."""

    WARN = enum.auto()
    ERROR = enum.auto()
    ALLOW = enum.auto()


class LegacyPrngKeyState(enum.StrEnum):
    """The reaction to the use of a legacy random key, which is an array of uint32."""

    ALLOW = "allow"
    WARN = "warn"
    ERROR = "error"


class NumpyDtypePromotion(enum.StrEnum):
    """Whether operands of differing dtypes are promoted."""

    STANDARD = "standard"
    STRICT = "strict"


_options: Final[dict[str, State[Any]]] = {}


def _option(
    name: str,
    default: T,
    reader: Reader,
    *,
    traced: bool = False,
    changed: Callable[[T], None] | None = None,
) -> State[T]:
    block_value = True if reader is TRUTH else UNSET
    state = State(name, default, reader, traced=traced, block_value=block_value, changed=changed)
    _options[name] = state
    return state


def _switch(name: str, default: bool = False, *, traced: bool = False) -> State[bool]:
    return _option(name, default, TRUTH, traced=traced)


def _choice(name: str, default: str, allowed: Sequence[str], *, traced: bool = False) -> State[str]:
    return _option(name, default, one_of(allowed), traced=traced)


for _known in (enable_x64, traceback_filtering):
    _options[_known.name] = _known

explicit_x64_dtypes: Final = _option(
    "jax_explicit_x64_dtypes", ExplicitX64Mode.WARN, member_of(ExplicitX64Mode), traced=True
)
numpy_dtype_promotion: Final = _option(
    "jax_numpy_dtype_promotion",
    NumpyDtypePromotion.STANDARD,
    member_of(NumpyDtypePromotion),
    traced=True,
)
numpy_rank_promotion: Final = _choice(
    "jax_numpy_rank_promotion", "allow", ("allow", "warn", "raise"), traced=True
)
default_matmul_precision: Final = _option(
    "jax_default_matmul_precision",
    None,
    one_of(
        (
            "default high highest bfloat16 tensorfloat32 float32 ANY_F8_ANY_F8_F32 "
            "ANY_F8_ANY_F8_F32_FAST_ACCUM ANY_F8_ANY_F8_ANY ANY_F8_ANY_F8_ANY_FAST_ACCUM "
            "F16_F16_F16 F16_F16_F32 BF16_BF16_BF16 BF16_BF16_F32 BF16_BF16_F32_X3 "
            "BF16_BF16_F32_X6 BF16_BF16_F32_X9 TF32_TF32_F32 TF32_TF32_F32_X3 F32_F32_F32 "
            "F64_F64_F64"
        ).split(),
        optional=True,
    ),
    traced=True,
)
allow_f16_reductions: Final = _switch("jax_allow_f16_reductions", True, traced=True)
softmax_custom_jvp: Final = _switch("jax_softmax_custom_jvp", traced=True)
check_static_indices: Final = _switch("jax_check_static_indices", traced=True)

disable_jit: Final = _switch("jax_disable_jit", traced=True)
no_tracing: Final = _switch("jax_no_tracing")
no_execution: Final = _switch("jax_no_execution", traced=True)
log_compiles: Final = _switch("jax_log_compiles")
explain_cache_misses: Final = _switch("jax_explain_cache_misses")
captured_constants_warn_bytes: Final = _option(
    "jax_captured_constants_warn_bytes", 2_000_000_000, INTEGER
)
check_tracer_leaks: Final = _switch("jax_check_tracer_leaks", traced=True)
enable_checks: Final = _switch("jax_enable_checks")
debug_nans: Final = _switch("jax_debug_nans", traced=True)
debug_infs: Final = _switch("jax_debug_infs", traced=True)
check_retraces: Final = _switch("oakum_check_retraces")
"""Whether it is an error that a line has a function traced more often than `retrace_limit` says."""
retrace_limit: Final = _option("oakum_retrace_limit", 8, INTEGER)
check_impurity: Final = _switch("oakum_check_impurity")
"""Whether functions are traced twice, and it is an error that the programs differ."""
_IGNORE_OR_RAISE: Final = ("ignore", "raise")
error_checking_behavior_nan: Final = _choice(
    "jax_error_checking_behavior_nan", "ignore", _IGNORE_OR_RAISE, traced=True
)
error_checking_behavior_divide: Final = _choice(
    "jax_error_checking_behavior_divide", "ignore", _IGNORE_OR_RAISE, traced=True
)
error_checking_behavior_oob: Final = _choice(
    "jax_error_checking_behavior_oob", "ignore", _IGNORE_OR_RAISE, traced=True
)
data_dependent_tracing_fallback: Final = _switch("jax_data_dependent_tracing_fallback", traced=True)
pprint_use_color: Final = _switch("jax_pprint_use_color", True)

debug_key_reuse: Final = _switch("jax_debug_key_reuse", traced=True)
enable_custom_prng: Final = _switch("jax_enable_custom_prng", traced=True)
default_prng_impl: Final = _choice(
    "jax_default_prng_impl",
    "threefry2x32",
    ("threefry2x32", "threefry4x32", "rbg", "unsafe_rbg", "philox2x32", "philox4x32"),
    traced=True,
)
threefry_partitionable: Final = _switch("jax_threefry_partitionable", True, traced=True)
random_seed_offset: Final = _option("jax_random_seed_offset", 0, INTEGER, traced=True)
legacy_prng_key: Final = _option(
    "jax_legacy_prng_key", LegacyPrngKeyState.ALLOW, member_of(LegacyPrngKeyState), traced=True
)
high_dynamic_range_gumbel: Final = _switch("jax_high_dynamic_range_gumbel", traced=True)

default_device: Final[State[Any]] = _option("jax_default_device", None, DEVICE, traced=True)
platforms: Final[State[str | None]] = _option("jax_platforms", None, OPTIONAL_TEXT)
platform_name: Final = _option("jax_platform_name", "", TEXT)
num_cpu_devices: Final = _option("jax_num_cpu_devices", -1, INTEGER)
compile_programs: Final = _switch("oakum_compile", True)
"""Whether programs are compiled; they are interpreted otherwise."""
verify: Final = _switch("oakum_verify")
"""Whether each run of a compiled program is compared, step by step, with its evaluation."""
num_threads: Final[State[int | None]] = _option("oakum_num_threads", None, COUNT)
cache_dir: Final[State[str | None]] = _option("oakum_cache_dir", None, OPTIONAL_TEXT)
dump_to: Final[State[str | None]] = _option("oakum_dump_to", None, OPTIONAL_TEXT)
"""The directory where compiled programs are written to be read."""
enable_compilation_cache: Final = _switch("jax_enable_compilation_cache", True)
compilation_cache_dir: Final[State[str | None]] = _option(
    "jax_compilation_cache_dir", None, OPTIONAL_TEXT
)
compilation_cache_max_size: Final[State[int | None]] = _option(
    "jax_compilation_cache_max_size", -1, INTEGER
)
_GUARDS: Final = one_of(
    ("allow", "log", "disallow", "log_explicit", "disallow_explicit"), optional=True
)
transfer_guard_host_to_device: Final[State[str | None]] = _option(
    "jax_transfer_guard_host_to_device", None, _GUARDS
)
transfer_guard_device_to_device: Final[State[str | None]] = _option(
    "jax_transfer_guard_device_to_device", None, _GUARDS
)
transfer_guard_device_to_host: Final[State[str | None]] = _option(
    "jax_transfer_guard_device_to_host", None, _GUARDS
)


def _guard_all(level: str | None) -> None:
    for guard in TRANSFER_GUARDS[:-1]:
        guard.set_global(level)


transfer_guard: Final[State[str | None]] = _option(
    "jax_transfer_guard", None, _GUARDS, changed=_guard_all
)
TRANSFER_GUARDS: Final = (
    transfer_guard_host_to_device,
    transfer_guard_device_to_device,
    transfer_guard_device_to_host,
    transfer_guard,
)
"""The guards of the directions, and last the one that stands for all of them."""
array_garbage_collection_guard: Final[State[str | None]] = _option(
    "jax_array_garbage_collection_guard", None, one_of(("allow", "log", "fatal"), optional=True)
)
thread_guard: Final = _switch("jax_thread_guard")

auto_pcast: Final = _switch("jax_auto_pcast", True, traced=True)
remove_size_one_mesh_axis_from_type: Final = _switch(
    "jax_remove_size_one_mesh_axis_from_type", traced=True
)
jax2tf_associative_scan_reductions: Final = _switch("jax2tf_associative_scan_reductions")


for _name, _value in ignored_options.SWITCHES.items():
    _switch(_name, _value)
for _name, _number in ignored_options.NUMBERS.items():
    _option(_name, _number, REAL if isinstance(_number, float) else INTEGER)
for _name, _text in ignored_options.TEXTS.items():
    _option(_name, _text, OPTIONAL_TEXT)


@contextlib.contextmanager
def unwatched() -> Generator[None]:
    """Has what is traced in a block, once more for the sake of a check, be looked at by none."""
    with check_tracer_leaks(False), check_retraces(False), check_impurity(False):
        yield


def update(name: str, val: object) -> None:
    """Sets an option for the process; blocks that set it in a thread go before it there."""
    _find(name).set_global(val)


def read(name: str) -> Any:
    """Returns the value of an option."""
    return _find(name).value


def parse_flags_with_absl() -> None:
    """Sets the options that stand on the command line of this program."""
    flags.parse_arguments(_options, sys.argv[1:])


def config_with_absl() -> None:
    """Declares the options as flags of absl, which sets them when its `app.run` begins."""
    flags.define_absl_flags(_options)


def _find(name: str) -> State[Any]:
    if (state := _options.get(name)) is not None:
        return state
    raise AttributeError(f"Unrecognized config option: {name}{_suggestion(name)}")


def _suggestion(name: str) -> str:
    if (full := f"jax_{name}") in _options:
        return f". Did you mean {full!r}?"
    import difflib  # Only a misspelt option pays for it.

    near = difflib.get_close_matches(name, _options, n=1)
    return f". Did you mean {near[0]!r}?" if near else ""


def __getattr__(name: str) -> Any:
    if (state := _options.get(name)) is not None:
        return state.value
    if name == "values":
        return {each: option.value for each, option in _options.items()}
    if name == "x64_enabled":
        return enable_x64.value
    raise AttributeError(f"Unrecognized config option: {name}{_suggestion(name)}")


class _Config(ModuleType):
    """This module as the object that JAX's users know, whose options are not assigned."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _options:
            raise AttributeError(
                f"{name} cannot be assigned; write config.update({name!r}, {value!r})"
            )
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return "<oakum.config>"


sys.modules[__name__].__class__ = _Config
