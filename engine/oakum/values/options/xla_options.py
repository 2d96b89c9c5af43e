"""Options of XLA's compiler, which are accepted and change nothing: there is no XLA here.

The names and kinds are those of the XLA of JAX 0.10.2; others are refused, as JAX refuses them, so
that a misspelt option is not overlooked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from oakum.errors import InvalidValueError, JaxRuntimeError
from oakum.values import codes


def _option_names(by_prefix: Mapping[str, str]) -> frozenset[str]:
    return frozenset(prefix + name for prefix, names in by_prefix.items() for name in names.split())


_BOOLEANS: Final = {
    "xla_gpu_": """
        async_dot collect_cost_model_stats collective_permute_connected_components
        command_buffer_unroll_loops copy_insertion_use_region_analysis
        crash_on_verification_failures cublas_fallback default_to_alg_dot_bf16_bf16_f32
        deterministic_ops disable_gpuasm_optimizations dump_autotuned_gemm_fusions
        dump_autotuned_instructions dump_llvmir enable_all_gather_combine_by_dim
        enable_analytical_latency_estimator enable_analytical_sol_latency_estimator
        enable_approx_costly_collectives enable_cub_radix_sort enable_cublaslt
        enable_cudnn_int8x32_convolution_reordering enable_cudnn_layer_norm
        enable_dus_accumulator_zero_init_elimination enable_dynamic_slice_fusion
        enable_fast_min_max enable_highest_priority_async_stream
        enable_host_memory_offloading enable_latency_hiding_scheduler
        enable_libnvptxcompiler enable_llvm_module_compilation_parallelism
        enable_nccl_clique_optimization enable_nccl_comm_splitting enable_nccl_user_buffers
        enable_pdl enable_pipelined_all_gather enable_pipelined_all_reduce
        enable_pipelined_host_offloading enable_pipelined_p2p
        enable_pipelined_reduce_scatter enable_reassociation_for_converted_ar
        enable_reduce_scatter_combine_by_dim enable_scatter_determinism_expander
        enable_shared_constants enable_triton_gemm enable_while_loop_double_buffering
        enable_while_loop_reduce_scatter_code_motion exclude_nondeterministic_ops
        executable_embed_debug_info exhaustive_tiling_search
        experimental_all_fusions_with_triton experimental_aot_compiled_thunks
        experimental_collective_start_as_early_as_possible
        experimental_disable_binary_libraries experimental_dump_fdo_profiles
        experimental_dump_gpu_executable experimental_dynamic_slice_fusion_verify_offsets
        experimental_enable_alltoall_windowed_einsum
        experimental_enable_buffer_saver_on_thunks
        experimental_enable_checksum_tracing_on_thunks
        experimental_enable_collective_multi_streaming experimental_enable_conv_fusion
        experimental_enable_fusion_autotuner experimental_enable_fusion_block_level_rewriter
        experimental_enable_heuristic_collective_combining
        experimental_enable_nccl_symmetric_buffers experimental_enable_nvshmem
        experimental_enable_subchannel_dequantisation_fusion
        experimental_enable_tiling_propagation
        experimental_enable_triton_heroless_priority_fusion
        experimental_enable_triton_warp_specialization experimental_gemm_fusion_v2
        experimental_pack_dot_operands_along_k_dimension
        experimental_ragged_all_to_all_use_barrier
        experimental_ragged_all_to_all_use_barrier_with_nccl
        experimental_ragged_all_to_all_zero_copy experimental_scaled_dot_with_triton
        experimental_stream_annotation experimental_thunk_buffer_debug_module_outputs
        experimental_use_raft_select_k experimental_use_ragged_dot_fusion
        experimental_use_ragged_dot_grouped_gemm fail_ptx_compilation_on_register_spilling
        filter_kernels_spilling_registers_on_autotuning force_conv_nchw force_conv_nhwc ftz
        fused_attention_use_cudnn_rng generate_debug_info generate_line_info
        graph_enable_concurrent_region log_minmax mock_custom_calls
        multi_streamed_windowed_einsum native_emitter_tune_unroll_factor_for_loops
        nccl_async_execution nccl_blocking_communicators nccl_terminate_on_error
        print_compilation_stats require_complete_aot_autotune_results require_exclusive_lock
        shard_autotuning temp_buffer_use_separate_color triton_gemm_any
        unsafe_fallback_to_driver_on_ptxas_not_found
        unsupported_enable_all_reduce_decomposer
        unsupported_enable_ragged_all_to_all_decomposer
        unsupported_enable_ragged_all_to_all_multi_host_decomposer
        unsupported_enable_triton_multi_output_fusion
        unsupported_use_all_reduce_one_shot_kernel
        unsupported_use_ragged_all_to_all_one_shot_kernel use_embeded_device_lib
        use_inprocess_lld use_memcpy_local_p2p use_runtime_fusion
        verify_triton_fusion_numerics
    """,
    "xla_cpu_": """
        copy_insertion_use_region_analysis enable_concurrency_optimized_scheduler
        enable_fast_math enable_fast_min_max enable_platform_dependent_math
        enable_xprof_traceme experimental_enable_tiling_propagation
        experimental_onednn_custom_call fast_math_honor_division fast_math_honor_functions
        fast_math_honor_infs fast_math_honor_nans ftz multi_thread_eigen
        strict_dot_conv_math use_acl use_fusion_emitters use_onednn use_xnnpack
    """,
    "": """
        xla_allow_excess_precision
        xla_allow_h2h_copy_when_automatic_host_compute_offload_disabled xla_detailed_logging
        xla_disable_all_hlo_passes xla_disable_automatic_host_compute_offload
        xla_dump_buffer_assignment_analysis xla_dump_compress_protos
        xla_dump_disable_metadata xla_dump_enable_mlir_pretty_form xla_dump_full_hlo_config
        xla_dump_fusion_visualization xla_dump_hlo_as_dot xla_dump_hlo_as_html
        xla_dump_hlo_as_long_text xla_dump_hlo_as_proto xla_dump_hlo_as_text
        xla_dump_hlo_as_url xla_dump_hlo_snapshots xla_dump_hlo_to_subfolder
        xla_dump_hlo_unoptimized_snapshots xla_dump_include_timestamp
        xla_dump_large_constants xla_dump_latency_hiding_schedule xla_dump_module_metadata
        xla_early_exit_with_layouts xla_eliminate_hlo_implicit_broadcast
        xla_embed_ir_in_executable xla_enable_command_buffers_during_profiling
        xla_enable_dumping xla_enable_enzyme_comms_opt xla_enable_fast_math
        xla_enable_hlo_sharding_v3 xla_enable_rgv3_materialization
        xla_enable_scoped_logging_timers xla_flags_reset xla_hlo_evaluator_use_fast_path
        xla_hlo_graph_addresses xla_hlo_graph_sharding_color xla_hlo_pass_fix_detect_cycles
        xla_hlo_print_inline_stack_frames xla_hlo_profile xla_keep_shardings_after_spmd
        xla_llvm_disable_expensive_passes xla_llvm_enable_alias_scope_metadata
        xla_llvm_enable_invariant_load_metadata xla_llvm_enable_noalias_metadata
        xla_llvm_force_inline_before_split xla_pjrt_allow_auto_layout_in_hlo
        xla_sdy_export_all_reduce_scatter xla_syntax_sugar_async_ops
        xla_test_add_command_buffer_mode xla_test_all_input_layouts
        xla_test_all_output_layouts xla_tpu_detect_inf xla_tpu_detect_nan
        xla_unsupported_crash_on_hlo_pass_fix_max_iterations
        xla_unsupported_crash_on_hlo_pass_noop_change
        xla_unsupported_crash_on_hlo_pass_silent_hlo_change
    """,
}

_INTEGERS: Final = {
    "xla_gpu_": """
        all_gather_combine_threshold_bytes all_reduce_blueconnect_num_devices_per_host
        all_reduce_combine_threshold_bytes auto_spmd_partitioning_memory_budget_gb
        autotune_level autotune_max_solutions collective_combine_threshold_count
        collective_inflation_factor collective_permute_combine_threshold_bytes
        collective_permute_decomposer_threshold cudnn_gemm_fusion_level cudnn_gemm_max_plans
        dot_merger_threshold_mb executable_num_communication_streams
        executable_num_compute_streams execution_progress_tracking
        experimental_collective_cse_distance_threshold experimental_force_split_k
        experimental_max_unroll_factor experimental_parallel_async_compute_limit
        experimental_parallel_collective_overlap_limit
        first_collective_call_terminate_timeout_seconds
        first_collective_call_warn_stuck_timeout_seconds force_compilation_parallelism
        fusion_autotune_top_k_configs gemm_rewrite_size_threshold graph_min_graph_size
        llvm_verification_level memory_limit_slop_factor nccl_collective_max_nchannels
        nccl_init_max_rank_per_root_ratio nccl_p2p_max_nchannels
        nccl_termination_timeout_seconds operand_bytes_threshold_for_windowed_einsum
        reduce_scatter_combine_threshold_bytes redzone_padding_bytes rocm_max_trace_events
        threshold_for_windowed_einsum_mib unsupported_override_fast_interconnect_slice_size
    """,
    "xla_cpu_": """
        collective_call_terminate_timeout_seconds collective_timeout_seconds
        emitter_verification_level parallel_codegen_split_count prefer_vector_width
    """,
    "": """
        xla_backend_optimization_level xla_cmd_buffer_trace_cache_size
        xla_debug_buffer_assignment_show_max xla_dump_max_hlo_modules
        xla_force_host_platform_device_count xla_multiheap_size_constraint_per_heap
        xla_recognize_reduction_optimization_level xla_reduce_window_rewrite_base_length
    """,
}

_TEXTS: Final = {
    "xla_gpu_": """
        algorithm_denylist_path collectives_implementation cuda_data_dir
        dump_autotune_logs_to dump_autotune_results_to execution_terminate_timeout
        experimental_autotuner_cache_dir experimental_collective_perf_table_path
        experimental_matmul_perf_table_path gemm_autotuner_override_file kernel_cache_file
        llvm_ir_file load_autotune_results_from override_gemm_autotuner
        per_fusion_autotune_cache_dir pgle_profile_file_or_directory_path
        ptx_compiler_extra_flags ptx_file target_config_filename
    """,
    "xla_cpu_": """
        max_isa
    """,
    "": """
        xla_disable_hlo_passes xla_dump_emitter_re xla_dump_hlo_module_re
        xla_dump_hlo_pass_re xla_dump_hlo_pipeline_re xla_dump_to xla_enable_hlo_passes_only
    """,
}

_OTHERS: Final = {
    "xla_gpu_": """
        all_gather_mode analytical_latency_estimator_options
        auto_spmd_partitioning_memory_budget_ratio autotune_gemm_rtol
        collective_permute_mode command_buffer_scheduling_mode command_buffer_update_mode
        detect_inf detect_nan deviceless_cub_mode disable_async_collectives
        enable_command_buffer enable_while_loop_unrolling experimental_autotune_backends
        experimental_autotune_cache_mode experimental_cost_model_gemm_tiling_options
        experimental_pipeline_parallelism_opt_level libnvjitlink_mode pgle_accuracy_checker
        ragged_all_to_all_mode shape_checks
    """,
    "xla_cpu_": """
        experimental_onednn_fusion_type experimental_xnn_fusion_type
        experimental_xnn_graph_fusion_mode experimental_ynn_fusion_type opt_preset
        scheduler_type
    """,
    "": """
        exec_time_optimization_effort fdo_profile xla_backend_extra_options
        xla_detect_unstable_reductions xla_detect_unstable_reductions_post_optimizations
        xla_partitioning_algorithm xla_step_marker_location
    """,
}
"""Numbers, and what is read of a text: members of enumerations, and messages."""


def _is_truth(value: object) -> bool:
    return value in (True, False, "True", "False")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.lstrip("-").isdecimal())


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def check(options: Mapping[str, object] | None) -> None:
    """Raises `JaxRuntimeError` for an option that XLA does not have, or a value of another kind."""
    if not options:
        return
    kinds = (
        ("bool", _BOOLEANS, _is_truth),
        ("int32", _INTEGERS, _is_integer),
        ("string", _TEXTS, _is_text),
    )
    for name, value in options.items():
        _check_name(name)
        for kind, table, fits in kinds:
            if name in _option_names(table) and not fits(value):
                raise JaxRuntimeError(
                    f"INVALID_ARGUMENT: While setting option {name}, {str(value)!r} is not a valid "
                    f"{kind} value.",
                    hint="oakum has no XLA, and ignores its options: leave it out.",
                    code=codes.DTYPE_MISMATCH,
                )


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise InvalidValueError(
            f"the names of compiler_options are strings, and one is {name!r}",
            hint="Give a dictionary from names of options to values.",
        )
    known = frozenset[str]().union(*map(_option_names, (_BOOLEANS, _INTEGERS, _TEXTS, _OTHERS)))
    if name not in known:
        import difflib  # Only a misspelt option pays for it.

        near = difflib.get_close_matches(name, known, n=1)
        raise JaxRuntimeError(
            f"INVALID_ARGUMENT: No such compile option: {name!r}",
            hint=f"Did you mean {near[0]!r}?" if near else "Leave it out.",
            code=codes.DTYPE_MISMATCH,
        )
