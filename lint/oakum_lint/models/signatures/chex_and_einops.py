"""What the functions of Chex and einops take: `register` describes the form of a row."""

CHEX_AND_EINOPS = {
    "chex": """\
Array ArrayBatched ArrayDType ArrayDevice ArrayDeviceTree ArrayNumpyTree ArraySharded ArrayTree
    ChexifyChecks Device Dimensions Numeric PRNGKey PyTreeDef Scalar Shape TestCase
    block_until_chexify_assertions_complete chex_test clear_trace_counter disable_asserts
    enable_asserts:
all_variants variants: test_method= with_jit= without_jit= with_device= without_device=
    with_pmap=
ArrayNumpy: shape dtype= buffer= offset= strides= order=
assert_axis_dimension: tensor axis expected
assert_axis_dimension_comparator: tensor axis pass_fn error_string
assert_axis_dimension_gt assert_axis_dimension_gteq assert_axis_dimension_lt
    assert_axis_dimension_lteq: tensor axis val
assert_devices_available: n devtype backend= not_less_than=
assert_equal assert_exactly_one_is_none assert_not_both_none: first second
assert_equal_rank assert_equal_size: inputs
assert_equal_shape: inputs * dims=
assert_equal_shape_prefix: inputs prefix_len
assert_equal_shape_suffix: inputs suffix_len
assert_gpu_available assert_tpu_available: backend=
assert_is_broadcastable: shape_a shape_b
assert_is_divisible: numerator denominator
assert_max_traces: fn= n=
assert_numerical_grads: f f_args order atol= **
assert_rank: inputs expected_ranks
assert_scalar assert_scalar_negative assert_scalar_non_negative assert_scalar_positive: x
assert_scalar_in: x min_ max_ included=
assert_shape: inputs expected_shapes
assert_size: inputs expected_sizes
assert_tree_all_finite: tree_like
assert_tree_has_only_ndarrays assert_tree_no_nones: tree
assert_tree_is_on_device: tree * platform= device=
assert_tree_is_on_host: tree * allow_cpu_device= allow_sharded_arrays=
assert_tree_is_sharded: tree * devices
assert_tree_shape: tree expected_shape
assert_tree_shape_prefix: tree shape_prefix
assert_tree_shape_suffix: tree shape_suffix
assert_trees_all_close: *trees rtol= atol= strict=
assert_trees_all_close_ulp: *trees maxulp=
assert_trees_all_equal: *trees strict=
assert_trees_all_equal_comparator: equality_comparator error_msg_fn *trees
assert_trees_all_equal_dtypes assert_trees_all_equal_shapes
    assert_trees_all_equal_shapes_and_dtypes assert_trees_all_equal_sizes
    assert_trees_all_equal_structs: *trees
assert_type: inputs expected_types
chexify: fn async_check= errors=
ChexVariantType: value names= * module= qualname= type= start= boundary=
create_deprecated_function_alias: fun new_name deprecated_alias
dataclass: cls= * init= repr= eq= order= unsafe_hash= frozen= kw_only= mappable_dataclass=
fake_jit: enable_patching=
fake_pmap: enable_patching= jit_result= ignore_axis_index_groups= fake_parallel_axis=
fake_pmap_and_jit: enable_pmap_patching= enable_jit_patching=
if_args_not_none: fn *args **
mappable_dataclass: cls
params_product: *params_lists named=
register_dataclass_type_with_jax_tree_util: data_class
restrict_backends: * allowed= forbidden=
set_n_cpu_devices: n=
warn_deprecated_function: fun replacement=
warn_keyword_args_only_in_future: fun * n=
warn_only_n_pos_args_in_future: fun n
with_jittable_assertions: fn async_check=
""",
    "einops": """\
EinopsError array_api einops experimental layers packing parsing tests:
asnumpy: tensor
einsum: *tensors_and_pattern
pack: tensors pattern
parse_shape: x pattern
rearrange repeat: tensor pattern **
reduce: tensor pattern reduction **
unpack: tensor packed_shapes pattern
""",
    "einops.layers.flax": """\
Dict Optional jax jnp nn:
cast: typ val
EinMix: pattern weight_shape bias_shape= sizes= parent= name=
field: * default= default_factory= init= repr= hash= compare= metadata= kw_only=
Rearrange: pattern sizes= parent= name=
RearrangeMixin: pattern **
Reduce: pattern reduction sizes= parent= name=
ReduceMixin: pattern reduction **
""",
}
