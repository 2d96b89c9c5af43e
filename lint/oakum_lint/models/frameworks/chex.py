"""Chex: assertions about shapes and types, test variants, and a dataclass that is a tree."""

from oakum_lint.models.frameworks.framework import BaseClass

TRANSFORMS = {
    "chex": """\
assert_max_traces: named through fn decorator
chexify with_jittable_assertions: named through fn decorator
""",
}

DECORATORS = {
    "chex.dataclass": BaseClass(pytree=True),
    "chex.mappable_dataclass": BaseClass(pytree=True),
}

REGISTER_DATACLASS = "chex.register_dataclass_type_with_jax_tree_util"
"""What makes pytrees of the instances of a dataclass, all of whose fields are leaves."""

ASSERTIONS = """
    assert_axis_dimension assert_axis_dimension_comparator assert_axis_dimension_gt
    assert_axis_dimension_gteq assert_axis_dimension_lt assert_axis_dimension_lteq assert_equal
    assert_equal_rank assert_equal_shape assert_equal_shape_prefix assert_equal_shape_suffix
    assert_equal_size assert_exactly_one_is_none assert_is_broadcastable assert_is_divisible
    assert_not_both_none assert_rank assert_scalar assert_scalar_in assert_scalar_negative
    assert_scalar_non_negative assert_scalar_positive assert_shape assert_size
    assert_tree_all_finite assert_tree_has_only_ndarrays assert_tree_is_on_device
    assert_tree_is_on_host assert_tree_is_sharded assert_tree_no_nones assert_tree_shape
    assert_tree_shape_prefix assert_tree_shape_suffix assert_trees_all_close
    assert_trees_all_close_ulp assert_trees_all_equal assert_trees_all_equal_comparator
    assert_trees_all_equal_dtypes assert_trees_all_equal_shapes
    assert_trees_all_equal_shapes_and_dtypes assert_trees_all_equal_sizes
    assert_trees_all_equal_structs assert_type
"""
"""Functions that return nothing."""
COMPARING = frozenset(
    f"chex.{name}"
    for name in "assert_tree_all_finite assert_trees_all_close assert_trees_all_close_ulp "
    "assert_trees_all_equal".split()
)
"""Those that read the elements of the arrays that they get."""
