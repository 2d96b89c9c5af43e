"""Switches, each a context manager and a call that sets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import config
from oakum.values.declarations import PublicFunction, public
from oakum.values.option_values import UNSET, Block, State, UserContext


class Setting(PublicFunction[..., Block]):
    """A switch: called, it makes a block; its attributes are those of the option behind it."""

    def __init__(self, function: PublicFunction[..., Block], option: State[Any]) -> None:
        super().__init__(function, lambda _: function.facts)
        self.option = option

    @property
    def value(self) -> Any:
        """The value here."""
        return self.option.value

    def get_global(self) -> Any:
        """Returns the value outside of all blocks."""
        return self.option.get_global()

    def set_global(self, value: object) -> None:
        """Sets the value outside of all blocks."""
        self.option.set_global(value)


def _setting(name: str) -> Callable[[Callable[..., Block]], Setting]:
    """Declares the switch of the option of this name."""
    option: State[Any] = getattr(config, name)
    return lambda function: Setting(public(name)(function), option)


@_setting("allow_f16_reductions")
def allow_f16_reductions(new_val: object = UNSET) -> Block:
    """Says in a block whether reductions may use float16."""
    return config.allow_f16_reductions(new_val)


@_setting("array_garbage_collection_guard")
def array_garbage_collection_guard(new_val: object = UNSET) -> Block:
    """Says in a block what happens when an array waits for garbage collection."""
    return config.array_garbage_collection_guard(new_val)


@_setting("auto_pcast")
def auto_pcast(new_val: object = UNSET) -> Block:
    """Says in a block whether values are cast to vary along axes as needed."""
    return config.auto_pcast(new_val)


@_setting("check_tracer_leaks")
def check_tracer_leaks(new_val: object = UNSET) -> Block:
    """Says in a block whether leaked tracers raise."""
    return config.check_tracer_leaks(new_val)


@_setting("debug_infs")
def debug_infs(new_val: object = UNSET) -> Block:
    """Says in a block whether infinite results raise."""
    return config.debug_infs(new_val)


@_setting("debug_key_reuse")
def debug_key_reuse(new_val: object = UNSET) -> Block:
    """Says in a block whether keys that are used twice raise."""
    return config.debug_key_reuse(new_val)


@_setting("debug_nans")
def debug_nans(new_val: object = UNSET) -> Block:
    """Says in a block whether results that are NaN raise."""
    return config.debug_nans(new_val)


@_setting("default_device")
def default_device(new_val: object = UNSET) -> Block:
    """Says in a block the device for new arrays."""
    return config.default_device(new_val)


@_setting("default_matmul_precision")
def default_matmul_precision(new_val: object = UNSET) -> Block:
    """Says in a block the precision of contractions."""
    return config.default_matmul_precision(new_val)


@_setting("default_prng_impl")
def default_prng_impl(new_val: object = UNSET) -> Block:
    """Says in a block the generator of new keys."""
    return config.default_prng_impl(new_val)


@_setting("enable_checks")
def enable_checks(new_val: object = UNSET) -> Block:
    """Says in a block whether internal checks are made."""
    return config.enable_checks(new_val)


@_setting("enable_custom_prng")
def enable_custom_prng(new_val: object = UNSET) -> Block:
    """Says in a block whether keys have a dtype of their own."""
    return config.enable_custom_prng(new_val)


@_setting("enable_x64")
def enable_x64(new_val: object = UNSET) -> Block:
    """Says in a block whether 64-bit dtypes are on."""
    return config.enable_x64(new_val)


@_setting("explain_cache_misses")
def explain_cache_misses(new_val: object = UNSET) -> Block:
    """Says in a block whether the reasons of recompilation are logged."""
    return config.explain_cache_misses(new_val)


@_setting("jax2tf_associative_scan_reductions")
def jax2tf_associative_scan_reductions(new_val: object = UNSET) -> Block:
    """Says in a block how reductions are converted to TensorFlow."""
    return config.jax2tf_associative_scan_reductions(new_val)


@_setting("legacy_prng_key")
def legacy_prng_key(new_val: object = UNSET) -> Block:
    """Says in a block what happens when keys without a dtype of their own are used."""
    return config.legacy_prng_key(new_val)


@_setting("log_compiles")
def log_compiles(new_val: object = UNSET) -> Block:
    """Says in a block whether compilations are logged."""
    return config.log_compiles(new_val)


@_setting("no_execution")
def no_execution(new_val: object = UNSET) -> Block:
    """Says in a block whether executions raise."""
    return config.no_execution(new_val)


@_setting("no_tracing")
def no_tracing(new_val: object = UNSET) -> Block:
    """Says in a block whether tracing raises."""
    return config.no_tracing(new_val)


@_setting("numpy_dtype_promotion")
def numpy_dtype_promotion(new_val: object = UNSET) -> Block:
    """Says in a block whether dtypes are promoted."""
    return config.numpy_dtype_promotion(new_val)


@_setting("numpy_rank_promotion")
def numpy_rank_promotion(new_val: object = UNSET) -> Block:
    """Says in a block whether shapes of different rank broadcast."""
    return config.numpy_rank_promotion(new_val)


@_setting("remove_size_one_mesh_axis_from_type")
def remove_size_one_mesh_axis_from_type(new_val: object = UNSET) -> Block:
    """Says in a block whether axes of size one are left out of types."""
    return config.remove_size_one_mesh_axis_from_type(new_val)


@_setting("softmax_custom_jvp")
def softmax_custom_jvp(new_val: object = UNSET) -> Block:
    """Says in a block whether softmax has a derivative rule of its own."""
    return config.softmax_custom_jvp(new_val)


@_setting("thread_guard")
def thread_guard(new_val: object = UNSET) -> Block:
    """Says in a block whether threads other than the first may run programs."""
    return config.thread_guard(new_val)


@_setting("threefry_partitionable")
def threefry_partitionable(new_val: object = UNSET) -> Block:
    """Says in a block whether the generator of random bits can be sharded."""
    return config.threefry_partitionable(new_val)


@_setting("transfer_guard")
def transfer_guard(new_val: str | None) -> Block:
    """Says in a block whether transfers are allowed."""
    return Block(tuple((guard, guard.read(new_val)) for guard in config.TRANSFER_GUARDS))


@_setting("transfer_guard_device_to_device")
def transfer_guard_device_to_device(new_val: object = UNSET) -> Block:
    """Says in a block whether transfers between devices are allowed."""
    return config.transfer_guard_device_to_device(new_val)


@_setting("transfer_guard_device_to_host")
def transfer_guard_device_to_host(new_val: object = UNSET) -> Block:
    """Says in a block whether transfers to the host are allowed."""
    return config.transfer_guard_device_to_host(new_val)


@_setting("transfer_guard_host_to_device")
def transfer_guard_host_to_device(new_val: object = UNSET) -> Block:
    """Says in a block whether transfers to devices are allowed."""
    return config.transfer_guard_host_to_device(new_val)


@public("checking_leaks")
def checking_leaks() -> Block:
    """Raises in a block when a tracer leaks."""
    return config.check_tracer_leaks(True)


@public("make_user_context")
def make_user_context(default_value: object = None) -> UserContext:
    """Makes a switch that is part of the compilation cache key."""
    return UserContext(default_value)
