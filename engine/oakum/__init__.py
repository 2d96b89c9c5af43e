"""oakum: JAX's API, checked before it runs.

`import oakum` loads almost nothing: a namespace or a function is imported from the module that
declares it when it is first asked for.
"""

from typing import TYPE_CHECKING, Final

from oakum.tracing import first_operation
from oakum.values import lazy_modules
from oakum.version import __version__

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum import (
        ad_checkpoint as ad_checkpoint, checkpoint_policies as checkpoint_policies,
        config as config, core as core, custom_batching as custom_batching,
        custom_derivatives as custom_derivatives, debug as debug, distributed as distributed,
        dlpack as dlpack, dtypes as dtypes, errors as errors, experimental as experimental,
        export as export, extend as extend, flatten_util as flatten_util, image as image,
        interop as interop, interpreters as interpreters, lax as lax, monitoring as monitoring,
        nn as nn, numpy as numpy, ops as ops, profiler as profiler,
        random as random, ref as ref, scipy as scipy, sharding as sharding, stages as stages,
        test_util as test_util, tree as tree, tree_util as tree_util, typing as typing,
    )
    from oakum.api.batching import (
        pmap as pmap, shard_map as shard_map, smap as smap, vmap as vmap,
    )
    from oakum.api.callbacks import pure_callback as pure_callback
    from oakum.api.custom_rules import (
        closure_convert as closure_convert, custom_gradient as custom_gradient,
        custom_jvp as custom_jvp, custom_vjp as custom_vjp,
    )
    from oakum.api.derivatives import (
        fwd_and_bwd as fwd_and_bwd, grad as grad, hessian as hessian, jacfwd as jacfwd,
        jacobian as jacobian, jacrev as jacrev, jvp as jvp, linear_transpose as linear_transpose,
        linearize as linearize, value_and_grad as value_and_grad, vjp as vjp,
    )
    from oakum.api.device_functions import (
        block_until_ready as block_until_ready, clear_caches as clear_caches,
        copy_to_host_async as copy_to_host_async, default_backend as default_backend,
        device_count as device_count, device_get as device_get, device_put as device_put,
        devices as devices, ds as ds, effects_barrier as effects_barrier, host_count as host_count,
        host_id as host_id, host_ids as host_ids, live_arrays as live_arrays,
        local_device_count as local_device_count, local_devices as local_devices,
        make_array_from_callback as make_array_from_callback,
        make_array_from_process_local_data as make_array_from_process_local_data,
        make_array_from_single_device_arrays as make_array_from_single_device_arrays,
        make_mesh as make_mesh, print_environment_info as print_environment_info,
        process_count as process_count, process_index as process_index,
        process_indices as process_indices, reshard as reshard, typeof as typeof,
    )
    from oakum.api.jit import (
        checkpoint as checkpoint, disable_jit as disable_jit,
        ensure_compile_time_eval as ensure_compile_time_eval, eval_shape as eval_shape, jit as jit,
        make_jaxpr as make_jaxpr, named_call as named_call, named_scope as named_scope,
        remat as remat,
    )
    from oakum.api.checks.notebook import (
        load_ipython_extension as load_ipython_extension,
        unload_ipython_extension as unload_ipython_extension,
    )
    from oakum.api.show import show as show
    from oakum.array import Array as Array
    from oakum.dtypes import float0 as float0
    from oakum.values.options.context_managers import (
        allow_f16_reductions as allow_f16_reductions,
        array_garbage_collection_guard as array_garbage_collection_guard, auto_pcast as auto_pcast,
        check_tracer_leaks as check_tracer_leaks, checking_leaks as checking_leaks,
        debug_infs as debug_infs, debug_key_reuse as debug_key_reuse, debug_nans as debug_nans,
        default_device as default_device, default_matmul_precision as default_matmul_precision,
        default_prng_impl as default_prng_impl, enable_checks as enable_checks,
        enable_custom_prng as enable_custom_prng, enable_x64 as enable_x64,
        explain_cache_misses as explain_cache_misses,
        jax2tf_associative_scan_reductions as jax2tf_associative_scan_reductions,
        legacy_prng_key as legacy_prng_key, log_compiles as log_compiles,
        make_user_context as make_user_context, no_execution as no_execution,
        no_tracing as no_tracing, numpy_dtype_promotion as numpy_dtype_promotion,
        numpy_rank_promotion as numpy_rank_promotion,
        remove_size_one_mesh_axis_from_type as remove_size_one_mesh_axis_from_type,
        softmax_custom_jvp as softmax_custom_jvp, thread_guard as thread_guard,
        threefry_partitionable as threefry_partitionable, transfer_guard as transfer_guard,
        transfer_guard_device_to_device as transfer_guard_device_to_device,
        transfer_guard_device_to_host as transfer_guard_device_to_host,
        transfer_guard_host_to_device as transfer_guard_host_to_device,
    )
    from oakum.ref import (
        Ref as Ref, empty_ref as empty_ref, free_ref as free_ref, freeze as freeze,
        new_ref as new_ref,
    )
    from oakum.runtime.shards import Shard as Shard
    from oakum.runtime.topology.devices import Device as Device
    from oakum.runtime.topology.meshes import set_mesh as set_mesh
    from oakum.runtime.topology.named_shardings import NamedSharding as NamedSharding
    from oakum.runtime.topology.partition_spec import P as P
    from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct as ShapeDtypeStruct
    from oakum.transforms.autodiff import ad as ad
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum")

_DTYPE_FUNCTIONS: Final = {
    "oakum.numpy.dtype_functions": (
        "TypePromotionError canonicalize_dtype extended finfo iinfo issubdtype itemsize_bits "
        "prng_key result_type scalar_type_of"
    )
}
"""The public names of `oakum.dtypes` that are not of the value model."""

__all__ = ["__version__"]

lazy_modules.add("oakum.dtypes", _DTYPE_FUNCTIONS)


def _start() -> None:
    from oakum.api import engine

    engine.start()


first_operation.prepare(_start)
lazy_modules.load_numpy_dtype_names()
