"""The list of all rules. A rule is in force because it stands here, and for no other reason."""

from oakum_lint.rules.oak101_tracer_in_outer_container import TracerInOuterContainer
from oakum_lint.rules.oak102_tracer_in_global import TracerInGlobal
from oakum_lint.rules.oak103_tracer_in_outer_attribute import TracerInOuterAttribute
from oakum_lint.rules.oak104_tracer_in_closure import TracerInClosure
from oakum_lint.rules.oak105_outer_iterator_advanced import OuterIteratorAdvanced
from oakum_lint.rules.oak106_tracer_in_metadata import TracerInMetadata
from oakum_lint.rules.oak107_raw_transform_in_module import RawTransformInModule
from oakum_lint.rules.oak110_side_effect_under_tracing import SideEffectUnderTracing
from oakum_lint.rules.oak111_impure_call_under_tracing import ImpureCallUnderTracing
from oakum_lint.rules.oak112_outer_change_under_tracing import OuterChangeUnderTracing
from oakum_lint.rules.oak113_stale_read import StaleRead
from oakum_lint.rules.oak114_stale_object import StaleObject
from oakum_lint.rules.oak201_tracer_in_branch import TracerInBranch
from oakum_lint.rules.oak202_tracer_in_loop_condition import TracerInLoopCondition
from oakum_lint.rules.oak203_tracer_in_boolean_operation import TracerInBooleanOperation
from oakum_lint.rules.oak204_tracer_to_scalar import TracerToScalar
from oakum_lint.rules.oak205_tracer_in_range import TracerInRange
from oakum_lint.rules.oak206_sequence_indexed_by_tracer import SequenceIndexedByTracer
from oakum_lint.rules.oak207_numpy_array_indexed_by_tracer import NumpyArrayIndexedByTracer
from oakum_lint.rules.oak208_numpy_call_on_tracer import NumpyCallOnTracer
from oakum_lint.rules.oak210_dynamic_shape import DynamicShape
from oakum_lint.rules.oak211_traced_shape import TracedShape
from oakum_lint.rules.oak212_traced_static_argument import TracedStaticArgument
from oakum_lint.rules.oak213_boolean_mask_index import BooleanMaskIndex
from oakum_lint.rules.oak214_traced_slice_bound import TracedSliceBound
from oakum_lint.rules.oak215_item_assignment import ItemAssignment
from oakum_lint.rules.oak216_hashed_tracer import HashedTracer
from oakum_lint.rules.oak217_formatted_tracer import FormattedTracer
from oakum_lint.rules.oak218_traced_static_value import TracedStaticValue
from oakum_lint.rules.oak219_inverted_bool import InvertedBool
from oakum_lint.rules.oak220_discarded_update import DiscardedUpdate
from oakum_lint.rules.oak221_traced_debug_text import TracedDebugText
from oakum_lint.rules.oak301_missing_static_argument import MissingStaticArgument
from oakum_lint.rules.oak302_array_nondiff_argument import ArrayNondiffArgument
from oakum_lint.rules.oak304_unhashable_static_argument import UnhashableStaticArgument
from oakum_lint.rules.oak305_foreign_argument import ForeignArgument
from oakum_lint.rules.oak306_traced_self import TracedSelf
from oakum_lint.rules.oak307_compiled_in_loop import CompiledInLoop
from oakum_lint.rules.oak308_retraced_in_loop import RetracedInLoop
from oakum_lint.rules.oak401_reused_key import ReusedKey
from oakum_lint.rules.oak501_shape_mismatch import ShapeMismatch
from oakum_lint.rules.oak502_dtype_mismatch import DtypeMismatch
from oakum_lint.rules.oak503_sequence_operand import SequenceOperand
from oakum_lint.rules.oak504_carry_mismatch import CarryMismatch
from oakum_lint.rules.oak505_wide_dtype import WideDtype
from oakum_lint.rules.oak506_out_of_bounds_index import OutOfBoundsIndex
from oakum_lint.rules.oak601_gradient_type import GradientType
from oakum_lint.rules.oak602_nan_gradient import NanGradient
from oakum_lint.rules.oak603_zero_gradient import ZeroGradient
from oakum_lint.rules.oak701_deleted_array import DeletedArray
from oakum_lint.rules.oak702_device_mismatch import DeviceMismatch
from oakum_lint.rules.oak704_unusable_donation import UnusableDonation
from oakum_lint.rules.oak710_unrolled_loop import UnrolledLoop
from oakum_lint.rules.oak711_unawaited_timing import UnawaitedTiming
from oakum_lint.rules.rule import Rule
from oakum_lint.rules.tool_pages import TOOL_RULES

RULES: tuple[type[Rule], ...] = (
    *TOOL_RULES,
    TracerInOuterContainer,
    TracerInGlobal,
    TracerInOuterAttribute,
    TracerInClosure,
    OuterIteratorAdvanced,
    TracerInMetadata,
    RawTransformInModule,
    SideEffectUnderTracing,
    ImpureCallUnderTracing,
    OuterChangeUnderTracing,
    StaleRead,
    StaleObject,
    TracerInBranch,
    TracerInLoopCondition,
    TracerInBooleanOperation,
    TracerToScalar,
    TracerInRange,
    SequenceIndexedByTracer,
    NumpyArrayIndexedByTracer,
    NumpyCallOnTracer,
    DynamicShape,
    TracedShape,
    TracedStaticArgument,
    BooleanMaskIndex,
    TracedSliceBound,
    ItemAssignment,
    HashedTracer,
    FormattedTracer,
    TracedStaticValue,
    InvertedBool,
    DiscardedUpdate,
    TracedDebugText,
    MissingStaticArgument,
    ArrayNondiffArgument,
    UnhashableStaticArgument,
    ForeignArgument,
    TracedSelf,
    CompiledInLoop,
    RetracedInLoop,
    ReusedKey,
    ShapeMismatch,
    DtypeMismatch,
    SequenceOperand,
    CarryMismatch,
    WideDtype,
    OutOfBoundsIndex,
    GradientType,
    NanGradient,
    ZeroGradient,
    DeletedArray,
    DeviceMismatch,
    UnusableDonation,
    UnrolledLoop,
    UnawaitedTiming,
)
"""All rules, in the order of their codes."""
