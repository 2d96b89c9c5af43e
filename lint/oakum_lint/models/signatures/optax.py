"""What the functions of optax take: `register` describes the form of a row."""

OPTAX = {
    "optax": """\
AdaptiveGradClipState AddDecayedWeightsState ClipByGlobalNormState ClipState EmptyState MaskOrFn
    MaskedNode NonNegativeParamsState OptState Params ScalarOrSchedule ScaleByTrustRatioState
    ScaleState Schedule ShouldSkipUpdateFunction TransformInitFn TransformUpdateExtraArgsFn
    TransformUpdateFn Updates assignment centralize chain contrib experimental identity
    keep_params_nonnegative losses microbatching named_chain optax_test perturbations
    projections scale_by_sign schedules second_order set_to_zero transforms tree tree_utils
    zero_nans:
adabelief: learning_rate b1= b2= eps= eps_root= * nesterov=
adadelta: learning_rate= rho= eps= weight_decay= weight_decay_mask=
adafactor: learning_rate= min_dim_size_to_factor= decay_rate= decay_offset=
    multiply_by_parameter_scale= clipping_threshold= momentum= dtype_momentum=
    weight_decay_rate= eps= factored= weight_decay_mask=
adagrad: learning_rate initial_accumulator_value= eps=
adam nadam: learning_rate b1= b2= eps= eps_root= mu_dtype= * nesterov=
adamax yogi: learning_rate b1= b2= eps=
adamaxw: learning_rate b1= b2= eps= weight_decay= mask=
adamw nadamw: learning_rate b1= b2= eps= eps_root= mu_dtype= weight_decay= mask= * nesterov=
adan: learning_rate b1= b2= b3= eps= eps_root= weight_decay= mask=
adaptive_grad_clip: clipping eps= axis=
add_decayed_weights: weight_decay= mask=
add_noise: eta gamma key= * seed=
AddNoiseState: count rng_key
amsgrad: learning_rate b1= b2= eps= eps_root= mu_dtype= bias_correction_mu= bias_correction_nu=
apply_every: k=
apply_if_finite: inner max_consecutive_errors
apply_updates: params updates
ApplyEvery: count grad_acc
ApplyIfFiniteState: notfinite_count last_finite total_notfinite inner_state
bias_correction: moment decay count
clip: max_delta
clip_by_block_rms: threshold
clip_by_global_norm: max_norm
conditionally_mask conditionally_transform: inner should_transform_fn forward_extra_args=
ConditionallyMaskState: step inner_state
ConditionallyTransformState: inner_state step
constant_schedule: value
convex_kl_divergence generalized_kl_divergence kl_divergence: log_predictions targets axis=
    where=
cosine_decay_schedule: init_value decay_steps alpha= exponent=
cosine_distance cosine_similarity: predictions targets * epsilon= axis= where=
cosine_onecycle_schedule: transition_steps peak_value pct_start= div_factor= final_div_factor=
ctc_loss ctc_loss_with_forward_probs: logits logit_paddings labels label_paddings * blank_id=
    log_epsilon=
ema: decay debias= accumulator_dtype=
EmaState: count ema
exponential_decay: init_value transition_steps decay_rate transition_begin= staircase=
    end_value=
FactoredState: count v_row v_col v
flatten: inner
freeze: mask
fromage: learning_rate min_norm=
global_norm: updates
GradientTransformation GradientTransformationExtraArgs: init update
hinge_loss: predictor_outputs targets
huber_loss: predictions targets= * delta=
incremental_update: new_tensors old_tensors step_size
init_empty_state: params
inject_hyperparams inject_stateful_hyperparams: inner_factory static_args= hyperparam_dtype=
InjectHyperparamsState: count hyperparams inner_state
InjectStatefulHyperparamsState: count hyperparams hyperparams_states inner_state
join_schedules: schedules boundaries
l2_loss log_cosh squared_error: predictions targets=
lamb: learning_rate b1= b2= eps= eps_root= weight_decay= mask=
lars: learning_rate weight_decay= weight_decay_mask= trust_coefficient= eps= trust_ratio_mask=
    momentum= nesterov=
lbfgs: learning_rate= memory_size= scale_init_precond= linesearch=
linear_onecycle_schedule: transition_steps peak_value pct_start= pct_final= div_factor=
    final_div_factor=
linear_schedule: init_value end_value transition_steps transition_begin=
lion: learning_rate b1= b2= mu_dtype= weight_decay= mask=
lookahead: fast_optimizer sync_period slow_step_size reset_state=
LookaheadParams: fast slow
LookaheadState: fast_state steps_since_sync
masked: inner mask * mask_compatible_extra_args=
MaskedState: inner_state
matrix_inverse_pth_root: matrix p num_iters= ridge_epsilon= error_tolerance= precision=
measure_with_ema: measure decay debias= accumulator_dtype=
microbatch: fun argnums microbatch_size accumulator= * argnames= in_axes= num_real_microbatches=
monitor: measures
MonitorState: measurements measure_states
multi_normal: loc log_scale
multi_transform partition: transforms param_labels * mask_compatible_extra_args=
MultiSteps: opt every_k_schedule use_grad_mean= should_skip_update_fn= accumulator_dtype=
MultiStepsState: mini_step gradient_step inner_opt_state acc_grads skip_state=
MultiTransformState PartitionState: inner_states
nnls: A b iters unroll= L=
noisy_sgd: learning_rate eta= gamma= key= * seed=
normalize_by_update_norm: scale_factor= eps=
novograd: learning_rate b1= b2= eps= eps_root= weight_decay=
ntxent: embeddings labels temperature=
optimistic_adam: learning_rate optimism= b1= b2= eps= eps_root= mu_dtype= * nesterov=
optimistic_adam_v2: learning_rate * alpha= beta= b1= b2= eps= eps_root= mu_dtype= nesterov=
optimistic_gradient_descent: learning_rate alpha= beta=
per_example_global_norm_clip: grads l2_norm_clip
per_example_layer_norm_clip: grads global_l2_norm_clip uniform=
periodic_update: new_tensors old_tensors steps update_period
piecewise_constant_schedule: init_value boundaries_and_scales=
piecewise_interpolate_schedule: interpolate_type init_value boundaries_and_scales=
polyak_sgd: max_learning_rate= scaling= f_min= eps= variant=
polynomial_schedule: init_value end_value power transition_steps transition_begin=
power_iteration: matrix * v0= num_iters= error_tolerance= precision= key=
radam: learning_rate b1= b2= eps= eps_root= threshold= * nesterov=
rmsprop: learning_rate decay= eps= initial_scale= eps_in_sqrt= centered= momentum= nesterov=
    bias_correction=
rprop scale_by_rprop: learning_rate eta_minus= eta_plus= min_step_size= max_step_size=
safe_norm: x min_norm ord= axis= keepdims=
safe_root_mean_squares: x min_rms
safe_softmax_cross_entropy sigmoid_binary_cross_entropy: logits labels
scale: step_size
scale_by_adadelta: rho= eps=
scale_by_adam: b1= b2= eps= eps_root= mu_dtype= * nesterov=
scale_by_adamax scale_by_sm3: b1= b2= eps=
scale_by_adan: b1= b2= b3= eps= eps_root=
scale_by_amsgrad: b1= b2= eps= eps_root= mu_dtype= bias_correction_mu= bias_correction_nu=
scale_by_backtracking_linesearch: max_backtracking_steps slope_rtol= decrease_factor=
    increase_factor= max_learning_rate= atol= rtol= store_grad= verbose=
scale_by_belief: b1= b2= eps= eps_root= * nesterov=
scale_by_distance_over_gradients: reps_rel= eps= param_dtype= global_scale=
scale_by_factored_rms: factored= decay_rate= step_offset= min_dim_size_to_factor= epsilon=
    decay_rate_fn=
scale_by_lbfgs: memory_size= scale_init_precond=
scale_by_learning_rate: learning_rate= * flip_sign=
scale_by_lion: b1= b2= mu_dtype= * mode= smooth_beta=
scale_by_novograd: b1= b2= eps= eps_root= weight_decay= mu_dtype=
scale_by_optimistic_gradient: alpha= beta=
scale_by_param_block_norm scale_by_param_block_rms: min_scale=
scale_by_polyak: f_min= max_learning_rate= eps= variant=
scale_by_radam: b1= b2= eps= eps_root= threshold= * nesterov=
scale_by_rms scale_by_stddev: decay= eps= initial_scale= eps_in_sqrt= bias_correction=
scale_by_rss: initial_accumulator_value= eps=
scale_by_schedule: step_size_fn
scale_by_trust_ratio: min_norm= trust_coefficient= eps=
scale_by_yogi: b1= b2= eps= eps_root= initial_accumulator_value=
scale_by_zoom_linesearch: max_linesearch_steps max_learning_rate= tol= increase_factor=
    slope_rtol= curv_rtol= approx_dec_rtol= stepsize_precision= initial_guess_strategy= verbose=
scale_gradient: inputs scale
ScaleByAdaDeltaState: e_g e_x
ScaleByAdamState ScaleByBeliefState ScaleByNovogradState: count mu nu
ScaleByAdanState: m v n g t
ScaleByAmsgradState: count mu nu nu_max
ScaleByBacktrackingLinesearchState ScaleByZoomLinesearchState: learning_rate value grad info
ScaleByLBFGSState: count params updates diff_params_memory diff_updates_memory weights_memory
ScaleByLionState: count mu
ScaleByRmsState: nu
ScaleByRpropState: step_sizes prev_updates
ScaleByRssState: sum_of_squares
ScaleByRStdDevState ScaleBySM3State: mu nu
ScaleByScheduleState safe_increment safe_int32_increment: count
selective_transform: optimizer * freeze_mask
sgd: learning_rate momentum= nesterov= accumulator_dtype=
sgdr_schedule: cosine_kwargs
sigmoid_focal_loss: logits labels * alpha= gamma=
sign_sgd: learning_rate
signum: learning_rate beta= accumulator_dtype=
skip_large_updates: updates gradient_step params max_squared_norm
skip_not_finite: updates gradient_step params
sm3: learning_rate momentum=
smooth_labels: labels alpha * axis= where=
snapshot: measure_name measure
SnapshotState: measurement
softmax_cross_entropy softmax_cross_entropy_with_integer_labels: logits labels axis= where=
stateless stateless_with_tree_map: f
trace: decay nesterov= accumulator_dtype=
TraceState: trace
tree_map_params: initable f state *rest transform_non_params= is_leaf=
update_infinity_moment: updates moments decay eps
update_moment update_moment_per_elem_norm: updates moments decay order
value_and_grad_from_state: value_fn
warmup_constant_schedule: init_value peak_value warmup_steps
warmup_cosine_decay_schedule: init_value peak_value warmup_steps decay_steps end_value=
    exponent=
warmup_exponential_decay_schedule: init_value peak_value warmup_steps transition_steps
    decay_rate transition_begin= staircase= end_value=
with_extra_args_support: tx
WrappedSchedule: schedule_fn
ZeroNansState: found_nan
ZoomLinesearchInfo: num_linesearch_steps decrease_error curvature_error
""",
    "optax.GradientTransformation": """\
keeping:
init: params
scheduled_update: rate updates state params= **
update: updates state params= **
""",
    "optax.GradientTransformation.keeping": """\
init: params
update: updates state params= **
""",
    "optax.chain": """\
init: parts params
update: parts updates state params= **
""",
}
