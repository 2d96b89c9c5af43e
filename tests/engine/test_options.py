"""Options: their values, blocks, environment and checks.

A user whose option is not taken, or leaks out of a block or thread, computes something else than
the program says.
"""

import subprocess
import sys
import threading
from typing import Any

import pytest

import oakum
from oakum import config, dtypes
from oakum.values import option_values
from oakum.values.declarations import PublicFunction
from oakum.values.options import context_managers

BLOCKS = sorted(
    name
    for name, value in vars(context_managers).items()
    if isinstance(value, PublicFunction) and name not in ("checking_leaks", "make_user_context")
)


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": "/usr/bin", **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_options_and_their_first_values_are_those_of_jax() -> None:
    """A program that reads an option of JAX fails, or goes another way."""
    jax = pytest.importorskip("jax")
    theirs = {name: getattr(v, "value", v) for name, v in jax.config.values.items()}
    with config.enable_checks(False):  # the tests of the engine have it on
        ours = {name: getattr(v, "value", v) for name, v in config.values.items()}
    assert {name: ours.get(name, "missing") for name in theirs} == theirs


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_take_what_those_of_jax_take(name: str) -> None:
    """A block that JAX opens is refused, or one that it refuses is opened."""
    jax = pytest.importorskip("jax")
    for arguments in ((), (None,), (True,), (0,), ("raise",), ("allow",), (1.5,)):
        if name.startswith("transfer_guard") and arguments not in ((), (None,), ("allow",)):
            continue
        outcomes: list[Any] = []
        for module in (jax, oakum):
            try:
                with getattr(module, name)(*arguments):
                    value = module.config.values[name if name.startswith("jax2") else f"jax_{name}"]
                    outcomes.append(getattr(value, "value", value))
            except (TypeError, ValueError) as error:
                outcomes.append(type(error))
        if arguments in (("raise",), ("allow",)) and outcomes[0] is True:
            assert outcomes[1] in (ValueError, True)  # JAX takes any text as true.
        elif arguments and isinstance(arguments[0], (bool, int)) and outcomes[0] is TypeError:
            assert outcomes[1] is TypeError
        else:
            assert outcomes[0] == outcomes[1], (name, arguments)


def test_update_sets_and_attributes_read() -> None:
    """`config.update` has no effect."""
    assert config.jax_debug_nans is False
    config.update("jax_debug_nans", True)
    try:
        assert config.jax_debug_nans is True
        assert config.values["jax_debug_nans"] is True
        assert config.debug_nans.value is True
        assert config.read("jax_debug_nans") is True
    finally:
        config.update("jax_debug_nans", False)


def test_oakum_config_is_the_module() -> None:
    """`import oakum as jax; jax.config.update(...)` fails."""
    assert oakum.config is config
    assert "jax_enable_x64" in oakum.config.values


def test_an_unknown_option_is_refused_with_a_suggestion() -> None:
    """A misspelt option is silently ignored."""
    with pytest.raises(AttributeError, match=r"Unrecognized config option.*jax_enable_x64"):
        config.update("enable_x64", True)
    with pytest.raises(AttributeError, match="Did you mean 'jax_debug_nans'"):
        config.update("jax_debug_nan", True)
    with pytest.raises(AttributeError, match="Unrecognized config option: qwertz"):
        _ = config.qwertz


def test_options_are_not_assigned() -> None:
    """`config.jax_enable_x64 = True` looks as if it worked."""
    with pytest.raises(AttributeError, match=r"config\.update\('jax_enable_x64', True\)"):
        vars(oakum)["config"].jax_enable_x64 = True


@pytest.mark.parametrize(
    ("name", "value", "error", "said"),
    [
        ("jax_numpy_rank_promotion", "never", ValueError, "new enum value must be in.*'allow'"),
        ("jax_numpy_dtype_promotion", "lax", ValueError, "'standard', 'strict'"),
        ("jax_numpy_dtype_promotion", 3, TypeError, "must be an instance of"),
        ("jax_default_matmul_precision", 1, ValueError, "None or in"),
        ("jax_random_seed_offset", "1", ValueError, "new int config value.*got '1'"),
        ("jax_platform_name", None, TypeError, "new string config value"),
        ("jax_default_device", "quantum", ValueError, "jax.default_device must be passed"),
        ("jax_enable_x64", "maybe", ValueError, "jax_enable_x64.*'maybe'"),
        ("jax_enable_x64", [1], TypeError, "jax_enable_x64.*True or False"),
    ],
)
def test_wrong_values_are_refused(name: str, value: Any, error: type, said: str) -> None:
    """A wrong value is kept, and fails far from where it was set."""
    before = config.values[name]
    with pytest.raises(error, match=said):
        config.update(name, value)
    assert config.values[name] == before


def test_blocks_nest_and_end_with_errors() -> None:
    """An option stays set after its block."""
    with oakum.debug_nans(True):
        with oakum.debug_nans(False):
            assert not config.debug_nans.value
        with pytest.raises(KeyError), oakum.debug_nans(False):
            raise KeyError
        assert config.debug_nans.value
    assert not config.debug_nans.value


def test_blocks_decorate_functions_that_call_themselves() -> None:
    """A decorated recursive function leaves the option set."""

    @oakum.debug_nans(True)
    def depth(n: int) -> bool:
        return config.debug_nans.value and (n == 0 or depth(n - 1))

    assert depth(3)
    assert not config.debug_nans.value


def test_one_block_can_be_entered_twice() -> None:
    """A block that is kept and used again restores the wrong value."""
    block = oakum.debug_nans(True)
    with block, block:
        assert config.debug_nans.value
    assert not config.debug_nans.value


def test_blocks_hold_for_their_thread_and_update_for_all() -> None:
    """An option set in one thread changes what another computes."""
    seen: list[bool] = []

    def look() -> None:
        seen.append(config.debug_nans.value)

    with oakum.debug_nans(True):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    config.update("jax_debug_nans", True)
    try:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    finally:
        config.update("jax_debug_nans", False)
    assert seen == [False, True]


def test_x64_is_one_switch() -> None:
    """The option and the dtypes that are computed disagree."""
    assert dtypes.x64_enabled() is False
    with oakum.enable_x64():
        assert dtypes.x64_enabled() is True
        assert config.x64_enabled is True
        assert dtypes.canonicalize(dtypes.float64) is dtypes.float64
    with dtypes.assume_x64(True):
        assert config.enable_x64.value is True
    config.update("jax_enable_x64", True)
    try:
        assert dtypes.x64_enabled() is True
        with oakum.enable_x64(False):
            assert dtypes.x64_enabled() is False
    finally:
        config.update("jax_enable_x64", False)


def test_the_transfer_guard_sets_all_directions() -> None:
    """A guard lets a direction pass."""
    with oakum.transfer_guard("disallow"):
        assert [guard.value for guard in config.TRANSFER_GUARDS] == ["disallow"] * 4
    config.update("jax_transfer_guard", "log")
    try:
        assert config.jax_transfer_guard_device_to_host == "log"
    finally:
        config.update("jax_transfer_guard", None)


def test_the_trace_key_follows_what_changes_traces() -> None:
    """A compiled program is used under options that it was not traced for."""
    plain = config.trace_key()
    assert config.trace_key() is plain
    with oakum.log_compiles(True):
        assert config.trace_key() is plain
    keys = [plain]
    for block in (
        oakum.enable_x64(True),
        oakum.numpy_rank_promotion("raise"),
        oakum.default_matmul_precision("float32"),
        oakum.default_device("cpu"),
        oakum.numpy_dtype_promotion("strict"),
    ):
        with block:
            keys.append(config.trace_key())
            assert config.trace_key() is keys[-1]
        assert config.trace_key() is plain
    assert len(set(keys)) == len(keys)
    config.update("jax_random_seed_offset", 7)
    assert config.trace_key() is not plain
    config.update("jax_random_seed_offset", 0)
    assert config.trace_key() is plain


def test_user_contexts_take_part_in_the_trace_key() -> None:
    """A program traced under one value of a user's switch is used under another."""
    context = oakum.make_user_context(default_value=0)
    assert context.value == context.get_global() == 0
    outside = config.trace_key()
    with context(1):
        assert context.value == 1
        one = config.trace_key()
        with context(2):
            assert config.trace_key() not in (outside, one)
    assert config.trace_key() is outside
    with context(1):
        assert config.trace_key() is one
    context.set_global(5)
    assert context.value == 5
    with pytest.raises(TypeError, match="hashable"):
        context([])


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"JAX_ENABLE_X64": "1"}, True),
        ({"OAKUM_ENABLE_X64": "yes"}, True),
        ({"OAKUM_ENABLE_X64": "off", "JAX_ENABLE_X64": "on"}, False),
    ],
)
def test_the_environment_sets_the_first_values(environment: dict[str, str], expected: bool) -> None:
    """An option of the environment is not taken."""
    code = "from oakum import config, dtypes; print(config.jax_enable_x64, dtypes.x64_enabled())"
    assert run(code, **environment).stdout.split() == [str(expected)] * 2


def test_x64_of_the_environment_is_read_without_config() -> None:
    """The first operation of a program is computed in 32 bits."""
    code = "from oakum import dtypes; print(dtypes.canonicalize(dtypes.float64))"
    assert run(code, OAKUM_ENABLE_X64="1").stdout.strip() == "float64"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("OAKUM_ENABLE_X64", "maybe", "OAKUM_ENABLE_X64: invalid truth value 'maybe'; use one of"),
        ("JAX_NUMPY_RANK_PROMOTION", "no", "JAX_NUMPY_RANK_PROMOTION: invalid value 'no'"),
        ("OAKUM_RANDOM_SEED_OFFSET", "x", "OAKUM_RANDOM_SEED_OFFSET: invalid value 'x'"),
    ],
)
def test_wrong_values_in_the_environment_are_named(name: str, text: str, said: str) -> None:
    """A misspelt value in the environment is ignored, or its error does not say where it is."""
    failed = run("import oakum; oakum.config.values", **{name: text})
    assert "ValueError" in failed.stderr
    assert said in failed.stderr
    assert run("import oakum; oakum.config", **{name: text}).returncode == 0


def test_options_on_the_command_line() -> None:
    """A program's `--jax_enable_x64` has no effect."""
    code = (
        "import sys; sys.argv = ['x', '--jax_enable_x64', '--jax_debug_nans=on', 'y', "
        "'--jax_numpy_rank_promotion', 'raise', '--nojax_pprint_use_color', '--', "
        "'--jax_disable_jit'];"
        "from oakum import config; config.parse_flags_with_absl();"
        "print(config.jax_enable_x64, config.jax_debug_nans, config.jax_numpy_rank_promotion, "
        "config.jax_pprint_use_color, config.jax_disable_jit)"
    )
    assert run(code).stdout.split() == ["True", "True", "raise", "False", "False"]


def test_reading_options_loads_no_numpy() -> None:
    """The command that checks files gets slow."""
    code = (
        "import sys, oakum.values.options.context_managers, oakum.config; "
        "print('numpy' in sys.modules)"
    )
    assert run(code).stdout.strip() == "False"


def test_options_are_no_truth_values() -> None:
    """`if config.debug_nans:` is always true."""
    with pytest.raises(TypeError, match=r"\.value"):
        bool(config.debug_nans)


def test_keys_can_be_forgotten() -> None:
    """Clearing the caches breaks what is traced after it."""
    before = config.trace_key()
    option_values.forget_keys()
    assert config.trace_key() is not before
    assert config.trace_key() is config.trace_key()


def test_settings_read_as_options() -> None:
    """A program that reads `jax.numpy_rank_promotion.value` fails."""
    assert oakum.numpy_rank_promotion.value == "allow"
    assert oakum.numpy_rank_promotion.get_global() == "allow"
    with oakum.numpy_rank_promotion("raise"):
        assert oakum.numpy_rank_promotion.value == "raise"
        assert oakum.numpy_rank_promotion.get_global() == "allow"
