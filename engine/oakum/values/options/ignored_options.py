"""The options of JAX's compiler, which are kept and change nothing here."""

from typing import Final

_ON: Final = """
    jax2tf_default_native_serialization jax_check_proxy_envs jax_compiler_enable_remat_pass
    jax_cpu_enable_async_dispatch jax_enable_preemption_service
    jax_include_debug_info_in_dumps jax_include_full_tracebacks_in_locations
    jax_mutable_array_checks jax_pallas_use_mosaic_gpu
    jax_ragged_dot_use_ragged_dot_instruction jax_sort_devices_by_process_index
    jax_use_direct_linearize jax_use_shardy_partitioner
"""
_OFF: Final = """
    check_vma eager_constant_folding jax_bcoo_cusparse_lowering
    jax_compilation_cache_check_contents jax_compilation_cache_expect_pgle
    jax_compilation_cache_include_metadata_in_key jax_custom_vjp3
    jax_debug_leaked_clients_on_clear_backends jax_disable_bwd_checks
    jax_disable_most_optimizations jax_disable_vmap_shmap_error
    jax_disallow_mesh_context_manager jax_distributed_debug jax_enable_pgle
    jax_enable_recoverability jax_experimental_unsafe_xla_runtime_errors
    jax_export_ignore_forward_compatibility jax_force_dcn_cross_host_transfers
    jax_log_checkpoint_residuals jax_mosaic_allow_hlo jax_pallas_enable_debug_checks
    jax_pallas_poison_buffers jax_pallas_verbose_errors
    jax_ragged_dot_use_gpu_pallas_triton_lowering jax_raise_persistent_cache_errors
    jax_refs_to_pins jax_remat3 jax_remove_custom_partitioning_ptr_from_cache_key jax_scan3
    jax_share_binary_between_hosts jax_threefry_gpu_kernel_lowering
    jax_use_emit_pipeline_primitive jax_use_simplified_jaxpr_constants
"""

SWITCHES: Final = {**dict.fromkeys(_ON.split(), True), **dict.fromkeys(_OFF.split(), False)}

NUMBERS: Final[dict[str, int | float | None]] = {
    "jax_captured_constants_report_frames": 0,
    "jax_compiler_detailed_logging_min_ops": 10,
    "jax_cpu_get_global_topology_timeout_minutes": 5,
    "jax_cpu_get_local_topology_timeout_minutes": 2,
    "jax_cross_host_transfer_timeout_seconds": None,
    "jax_cross_host_transfer_transfer_size": None,
    "jax_embedded_constants_max_bytes": 32,
    "jax_exec_time_optimization_effort": 0.0,
    "jax_export_calling_convention_version": 10,
    "jax_memory_fitting_effort": 0.0,
    "jax_persistent_cache_min_compile_time_secs": 1.0,
    "jax_persistent_cache_min_entry_size_bytes": 0,
    "jax_pgle_aggregation_percentile": 90,
    "jax_pgle_profiling_runs": 3,
    "jax_serialization_version": 0,
    "jax_share_binary_between_hosts_timeout_ms": 1_200_000,
    "jax_traceback_in_locations_limit": 100,
    "jax_tracer_error_num_traceback_frames": 5,
    "jax_xla_profile_version": 0,
    "mock_num_gpu_processes": 0,
}
TEXTS: Final[dict[str, str | None]] = {
    "jax_backend_target": "",
    "jax_cpu_collectives_implementation": "gloo",
    "jax_cross_host_transfer_socket_address": "",
    "jax_cross_host_transport_addresses": "",
    "jax_cuda_visible_devices": "all",
    "jax_debug_log_modules": "",
    "jax_dump_ir_modes": "stablehlo",
    "jax_dump_ir_to": "",
    "jax_hlo_source_file_canonicalization_regex": None,
    "jax_logging_level": "NOTSET",
    "jax_memory_fitting_level": "O2",
    "jax_mock_gpu_topology": "",
    "jax_oneapi_visible_devices": "all",
    "jax_optimization_level": "UNKNOWN",
    "jax_persistent_cache_enable_xla_caches": "xla_gpu_per_fusion_autotune_cache_dir",
    "jax_pjrt_client_create_options": None,
    "jax_rocm_visible_devices": "all",
    "jax_send_traceback_to_runtime": "off",
    "jax_source_url_schema": None,
    "jax_use_magma": "auto",
    "jax_xla_backend": "",
}
