"""oakum: JAX's API, checked before it runs.

`import oakum` loads almost nothing: a namespace or a function is imported from the module that
declares it when it is first asked for.
"""

from typing import TYPE_CHECKING, Final

from oakum.tracing import first_operation
from oakum.values import lazy_names, numpy_dtype_names
from oakum.version import __version__

if TYPE_CHECKING:
    from oakum import (
        lax as lax,
    )
    from oakum import (
        nn as nn,
    )
    from oakum import (
        numpy as numpy,
    )
    from oakum import (
        random as random,
    )
    from oakum import (
        scipy as scipy,
    )
    from oakum import (
        tree as tree,
    )
    from oakum import (
        tree_util as tree_util,
    )

_NAMESPACES: Final = (
    "ad_checkpoint checkpoint_policies config core custom_batching custom_derivatives debug "
    "distributed dlpack dtypes errors experimental export flatten_util image lax monitoring nn "
    "numpy ops profiler random ref scipy sharding stages test_util tree tree_util typing"
)

_DECLARED: Final = {
    "oakum.array": "Array",
    "oakum.topology.devices": "Device",
    "oakum.topology.meshes": "set_mesh",
    "oakum.topology.named_shardings": "NamedSharding",
    "oakum.topology.partition_spec": "P",
    "oakum.runtime.shards": "Shard",
    "oakum.tracing.shape_dtype_struct": "ShapeDtypeStruct",
    "oakum.dtypes": "float0",
    "oakum.api.device_functions": (
        "block_until_ready clear_caches copy_to_host_async default_backend device_count "
        "device_get device_put devices ds effects_barrier host_count host_id host_ids live_arrays "
        "local_device_count local_devices make_array_from_callback "
        "make_array_from_process_local_data make_array_from_single_device_arrays make_mesh "
        "print_environment_info process_count process_index process_indices reshard typeof"
    ),
    "oakum.ref": "empty_ref free_ref freeze new_ref",
    "oakum.api.show": "show",
    "oakum.options.context_managers": (
        "allow_f16_reductions array_garbage_collection_guard auto_pcast check_tracer_leaks "
        "checking_leaks debug_infs debug_key_reuse debug_nans default_device "
        "default_matmul_precision default_prng_impl enable_checks enable_custom_prng enable_x64 "
        "explain_cache_misses jax2tf_associative_scan_reductions legacy_prng_key log_compiles "
        "make_user_context no_execution no_tracing numpy_dtype_promotion numpy_rank_promotion "
        "remove_size_one_mesh_axis_from_type softmax_custom_jvp thread_guard "
        "threefry_partitionable transfer_guard transfer_guard_device_to_device "
        "transfer_guard_device_to_host transfer_guard_host_to_device"
    ),
    "oakum.api.batching": "pmap shard_map smap vmap",
    "oakum.api.callbacks": "pure_callback",
    "oakum.api.custom_rules": "closure_convert custom_gradient custom_jvp custom_vjp",
    "oakum.api.derivatives": (
        "fwd_and_bwd grad hessian jacfwd jacobian jacrev jvp linear_transpose linearize "
        "value_and_grad vjp"
    ),
    "oakum.api.jit": (
        "checkpoint disable_jit ensure_compile_time_eval eval_shape jit make_jaxpr named_call "
        "named_scope remat"
    ),
}
"""The public functions of the package itself, under the modules that declare them."""

_DTYPE_FUNCTIONS: Final = {
    "oakum.dtype_functions": (
        "TypePromotionError canonicalize_dtype extended finfo iinfo issubdtype itemsize_bits "
        "prng_key result_type scalar_type_of"
    )
}
"""The public names of `oakum.dtypes` that are not of the value model."""

__all__ = ["__version__"]

__getattr__, __dir__ = lazy_names.deferred("oakum", _DECLARED, _NAMESPACES)

lazy_names.add("oakum.dtypes", _DTYPE_FUNCTIONS)


def _start() -> None:
    from oakum.api import engine

    engine.start()


first_operation.prepare(_start)
numpy_dtype_names.register()
