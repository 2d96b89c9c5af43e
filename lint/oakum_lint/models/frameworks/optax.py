"""Optax: losses, tree arithmetic, and the convention of `init` and `update` functions."""

from typing import Final

from oakum.values.records import dataclass
from oakum_lint.models.frameworks.framework import Convention

LOSSES = """\
convex_kl_divergence cosine_distance cosine_similarity ctc_loss generalized_kl_divergence hinge_loss
    huber_loss kl_divergence l2_loss log_cosh ntxent safe_softmax_cross_entropy
    sigmoid_binary_cross_entropy sigmoid_focal_loss smooth_labels softmax_cross_entropy
    softmax_cross_entropy_with_integer_labels squared_error: array
ctc_loss_with_forward_probs: tuple
"""

FUNCTIONS = {
    "optax": LOSSES
    + """\
global_norm safe_increment safe_int32_increment safe_norm safe_root_mean_squares: array
apply_updates: like
incremental_update periodic_update: same
""",
    "optax.losses": LOSSES
    + """\
binary_dice_loss dice_loss kl_divergence_with_log_targets multiclass_generalized_dice_loss
    multiclass_hinge_loss multiclass_perceptron_loss multiclass_sparsemax_loss perceptron_loss
    poly_loss_cross_entropy ranking_softmax_loss sparsemax_loss triplet_margin_loss: array
""",
    "optax.tree": """\
norm sum vdot: array
add add_scale cast cast_like clip conj div full_like mul ones_like real scale sub
    zeros_like: same
""",
    "optax.tree_utils": """\
tree_norm tree_sum tree_vdot: array
tree_add tree_add_scale tree_cast tree_cast_like tree_clip tree_conj tree_div tree_full_like
    tree_mul tree_ones_like tree_real tree_scale tree_sub tree_zeros_like: same
""",
    "optax.projections": """\
projection_box projection_halfspace projection_hypercube projection_hyperplane projection_l1_ball
    projection_l1_sphere projection_l2_ball projection_l2_sphere projection_linf_ball
    projection_non_negative projection_simplex projection_vector: same
""",
}

ASKING = frozenset(
    "cast cast_like full_like ones_like zeros_like tree_cast tree_cast_like tree_full_like "
    "tree_ones_like tree_zeros_like".split()
)
"""Functions that ask arrays for their shapes and dtypes alone; a cast to the dtype that an array
has hands it back.
"""

TRANSFORMATIONS = frozenset(
    """
    adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan adaptive_grad_clip
    add_decayed_weights add_noise amsgrad apply_every apply_if_finite centralize clip
    clip_by_block_rms clip_by_global_norm conditionally_mask conditionally_transform ema flatten
    freeze fromage identity keep_params_nonnegative lamb lars lbfgs lion lookahead masked
    measure_with_ema multi_transform noisy_sgd normalize_by_update_norm novograd optimistic_adam
    optimistic_adam_v2 optimistic_gradient_descent partition polyak_sgd radam rmsprop rprop scale
    scale_by_adadelta scale_by_adam scale_by_adamax scale_by_adan scale_by_amsgrad
    scale_by_backtracking_linesearch scale_by_belief scale_by_distance_over_gradients
    scale_by_lbfgs scale_by_learning_rate scale_by_lion scale_by_novograd
    scale_by_optimistic_gradient scale_by_param_block_norm scale_by_param_block_rms
    scale_by_polyak scale_by_radam scale_by_rms scale_by_rprop scale_by_rss scale_by_schedule
    scale_by_sign scale_by_sm3 scale_by_stddev scale_by_trust_ratio scale_by_yogi
    scale_by_zoom_linesearch selective_transform set_to_zero sgd sign_sgd signum sm3 snapshot
    stateless stateless_with_tree_map trace with_extra_args_support yogi zero_nans
    """.split()
)
"""Functions that return a gradient transformation: a pair of functions."""
ALTERING = frozenset("apply_every scale_by_distance_over_gradients scale_by_sm3 sm3".split())
"""Those whose updates, or new state, are of other shapes or dtypes than what they got."""
SCHEDULED = frozenset(
    """
    adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars
    lion nadam nadamw noisy_sgd novograd optimistic_adam optimistic_adam_v2
    optimistic_gradient_descent radam rmsprop rprop scale_by_learning_rate sgd sign_sgd sm3 yogi
    """.split()
)
"""Those whose first argument is the learning rate, or a function from the count of updates to it.
"""
_TRANSFORMATION = Convention({"init": (0,), "update": (0, 1, 2)})

CONVENTIONS = {
    "optax.GradientTransformation": _TRANSFORMATION,
    "optax.GradientTransformationExtraArgs": _TRANSFORMATION,
    "optax._src.base.GradientTransformation": _TRANSFORMATION,
    "optax._src.base.GradientTransformationExtraArgs": _TRANSFORMATION,
    "optax.stateless": Convention({"f": (0, 1)}),
    "optax.stateless_with_tree_map": Convention({"f": (0, 1)}),
    "optax.scale_by_schedule": Convention({"step_size_fn": (0,)}),
    "optax.conditionally_transform": Convention({"should_transform_fn": (0,)}),
    "optax.conditionally_mask": Convention({"should_transform_fn": (0,)}),
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A transformation that treats parameters by a tree of labels: what those are, where it takes
    them, and where the transformations that they name.
    """

    what: str
    labels: tuple[int, str]
    transforms: tuple[int, str] | None = None


LABELLED: Final = {
    "masked": Labelled("masks", (1, "mask")),
    "multi_transform": Labelled("labels", (1, "param_labels"), (0, "transforms")),
    "partition": Labelled("labels", (1, "param_labels"), (0, "transforms")),
}
TOP: Final = "optax."
LABELLED_INIT: Final = {f"{TOP}{name}.init": name for name in LABELLED}
"""What makes the state of such a transformation, and its name."""

TRANSFORMATION = "optax.GradientTransformation"
KEEPING = "optax.GradientTransformation.keeping"
"""One of optax's own that returns updates of the types of the gradients."""
SCHEDULE = "optax.Schedule"
RECORDS = frozenset({TRANSFORMATION, "optax.GradientTransformationExtraArgs"})
"""Classes of pairs of functions that a program may make itself."""
CHAINS = frozenset({"optax.chain", "optax.named_chain"})
INIT, UPDATE = "optax.chain.init", "optax.chain.update"
FROM_STATE = "optax.value_and_grad_from_state"
GRADIENT = "jax.value_and_grad"
"""What that function takes where the state has no gradient."""

TAKEN_FROM_STATE = f"{FROM_STATE}.call"
SCHEDULED_UPDATE = "optax.GradientTransformation.scheduled_update"
BY_SCHEDULE = "scale_by_schedule"
"""The transformation whose first argument is always a function of the count of updates."""
OBJECTS = {
    TRANSFORMATION: "a pair of functions",
    KEEPING: "a pair of functions",
    SCHEDULE: "a function",
}
"""What optax's objects are, in words."""

_SCHEDULES = frozenset(
    {"exponential_decay", "join_schedules", "warmup_cosine_decay_schedule", "sgdr_schedule"}
)


def makes_schedule(name: str) -> bool:
    """Whether a function of optax returns a schedule.

    >>> makes_schedule("cosine_decay_schedule"), makes_schedule("scale_by_schedule")
    (True, False)
    """
    return name in _SCHEDULES or (name.endswith("_schedule") and name != BY_SCHEDULE)
