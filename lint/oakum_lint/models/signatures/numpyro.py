"""What the functions of NumPyro take: `register` describes the form of a row."""

NUMPYRO = {
    "numpyro": """\
compat contrib diagnostics distributions examples get_mask handlers infer logging nn numpyro ops
    optim patch primitives prng_key util version warnings:
deterministic: name value
enable_validation validation_enabled: is_validate=
enable_x64: use_x64=
factor: name log_factor
module: name nn input_shape=
param: name init_value= **
plate: name size subsample_size= dim=
plate_stack: prefix sizes rightmost_dim=
render_model: model model_args= model_kwargs= filename= render_distributions= render_params=
sample: name fn obs= rng_key= sample_shape= infer= obs_mask=
set_host_device_count: n
set_platform: platform=
subsample: data event_dim
""",
    "numpyro.diagnostics": """\
NDArray OrderedDict Union jax np product scipy:
autocorrelation autocovariance: x axis= bias=
cast: typ val
device_get gelman_rubin split_gelman_rubin: x
effective_sample_size: x bias=
hpdi: x prob= axis=
print_summary summary: samples prob= group_by_chain=
""",
    "numpyro.distributions": """\
batch_util censored conjugate constraints continuous copula directional discrete distribution
    flows gof kl kl_divergence mixtures transforms truncated util:
AsymmetricLaplace: loc= scale= asymmetry= * validate_args=
AsymmetricLaplaceQuantile: loc= scale= quantile= * validate_args=
Bernoulli Categorical Geometric: probs= logits= * validate_args=
BernoulliLogits CategoricalLogits GeometricLogits: logits * validate_args=
BernoulliProbs CategoricalProbs GeometricProbs: probs * validate_args=
Beta Kumaraswamy: concentration1 concentration0 * validate_args=
BetaBinomial: concentration1 concentration0 total_count= * validate_args=
BetaNegativeBinomial: concentration1 concentration0 n * validate_args=
BetaProportion NegativeBinomial2: mean concentration * validate_args=
biject_to: constraint
Binomial: total_count= probs= logits= * validate_args=
BinomialLogits: logits total_count= * validate_args=
BinomialProbs: probs total_count= * validate_args=
CAR: loc correlation conditional_precision adj_matrix * is_sparse= validate_args=
Cauchy Gumbel Laplace LogNormal Logistic Normal: loc= scale= * validate_args=
Chi2: df * validate_args=
CirculantNormal: loc covariance_row= covariance_rfft= * validate_args=
Dagum: concentration sharpness scale * validate_args=
Delta: v= log_density= event_dim= * validate_args=
Dirichlet ProjectedNormal: concentration * validate_args=
DirichletMultinomial: concentration total_count= * total_count_max= validate_args=
DiscreteUniform Uniform: low= high= * validate_args=
Distribution: batch_shape= event_shape= * validate_args=
DoublyTruncatedPowerLaw: alpha low high * validate_args=
EulerMaruyama: t sde_fn init_dist * validate_args=
ExpandedDistribution: base_dist batch_shape=
Exponential: rate= * validate_args=
FoldedDistribution: base_dist * validate_args=
Gamma GammaPoisson Gompertz InverseGamma: concentration rate= * validate_args=
GaussianCopula: marginal_dist correlation_matrix= correlation_cholesky= * validate_args=
GaussianCopulaBeta: concentration1 concentration0 correlation_matrix= correlation_cholesky= *
    validate_args=
GaussianRandomWalk: scale= num_steps= * validate_args=
GaussianStateSpace: num_steps transition_matrix covariance_matrix= precision_matrix= scale_tril=
    initial_value= * validate_args=
HalfCauchy HalfNormal: scale= * validate_args=
HurdleDistribution ZeroInflatedDistribution: base_dist * gate= gate_logits= validate_args=
HurdleGamma: gate concentration rate= * validate_args=
HurdleLogits ZeroInflatedLogits: base_dist gate_logits * validate_args=
HurdleLogNormal: gate loc= scale= * validate_args=
HurdleNegativeBinomial2: gate mean concentration * validate_args=
HurdlePoisson ZeroInflatedPoisson: gate rate= * validate_args=
HurdleProbs ZeroInflatedProbs: base_dist gate * validate_args=
ImproperUniform: support batch_shape event_shape * validate_args=
Independent: base_dist reinterpreted_batch_ndims * validate_args=
IntervalCensoredDistribution: base_dist left_censored right_censored * validate_args=
InverseWishart InverseWishartCholesky Wishart WishartCholesky: concentration scale_matrix=
    rate_matrix= scale_tril= * validate_args=
LeftCensoredDistribution RightCensoredDistribution: base_dist censored= * validate_args=
LeftTruncatedDistribution LeftTruncatedGamma: base_dist low= * validate_args=
Levy SoftLaplace: loc scale * validate_args=
LKJ LKJCholesky: dimension concentration= sample_method= * validate_args=
LogUniform: low high * validate_args=
LowerTruncatedPowerLaw: alpha low * validate_args=
LowRankMultivariateNormal: loc cov_factor cov_diag * validate_args=
MaskedDistribution: base_dist mask
MatrixNormal: loc scale_tril_row scale_tril_column * validate_args=
Mixture: mixing_distribution component_distributions * validate_args=
MixtureGeneral: mixing_distribution component_distributions * support= validate_args=
MixtureSameFamily: mixing_distribution component_distribution * validate_args=
Multinomial: total_count= probs= logits= * total_count_max= validate_args=
MultinomialLogits: logits total_count= * total_count_max= validate_args=
MultinomialProbs: probs total_count= * total_count_max= validate_args=
MultivariateNormal: loc= covariance_matrix= precision_matrix= scale_tril= * validate_args=
MultivariateStudentT: df loc= scale_tril= * validate_args=
NegativeBinomial: total_count probs= logits= * validate_args=
NegativeBinomialLogits: total_count logits * validate_args=
NegativeBinomialProbs: total_count probs * validate_args=
OrderedLogistic: predictor cutpoints * validate_args=
Pareto: scale alpha * validate_args=
Poisson: rate * is_sparse= validate_args=
RelaxedBernoulli: temperature probs= logits= * validate_args=
RelaxedBernoulliLogits: temperature logits * validate_args=
RightTruncatedDistribution RightTruncatedGamma: base_dist high= * validate_args=
SineBivariateVonMises: phi_loc psi_loc phi_concentration psi_concentration correlation=
    weighted_correlation= * validate_args=
SineSkewed: base_dist skewness * validate_args=
StudentT: df loc= scale= * validate_args=
TransformedDistribution: base_distribution transforms * validate_args=
TruncatedCauchy TruncatedNormal: loc= scale= * low= high= validate_args=
TruncatedDistribution TwoSidedTruncatedDistribution TwoSidedTruncatedGamma: base_dist low= high=
    * validate_args=
TruncatedGamma: concentration= rate= * low= high= validate_args=
TruncatedPolyaGamma: batch_shape= * validate_args=
Unit: log_factor * validate_args=
VonMises: loc concentration * validate_args=
Weibull: scale concentration * validate_args=
ZeroInflatedNegativeBinomial2: mean concentration * gate= gate_logits= validate_args=
ZeroSumNormal: scale event_shape * validate_args=
""",
    "numpyro.distributions.constraints": """\
ArrayLike ClassVar Constraint Generic NonScalarArray NumLike NumLikeT Optional
    ParameterFreeConstraint Sequence jax jnp math np:
array_equiv: a b static=
boolean circular complex corr_cholesky corr_matrix l1_ball lower_cholesky nonnegative
    nonnegative_integer ordered_vector positive positive_definite
    positive_definite_circulant_vector positive_integer positive_ordered_vector
    positive_semidefinite real real_matrix real_vector scaled_unit_lower_cholesky simplex
    softplus_lower_cholesky softplus_positive sphere unit_interval: x
cast: typ val
cat: cseq dim= lengths=
dependent: x= * is_discrete= event_dim=
dependent_property: fn= * is_discrete= event_dim=
greater_than greater_than_eq integer_greater_than: lower_bound
independent: base_constraint reinterpreted_batch_ndims
integer_interval interval open_interval: lower_bound upper_bound
is_dependent: constraint
less_than less_than_eq multinomial: upper_bound
register_pytree_node: nodetype flatten_func unflatten_func flatten_with_keys_func=
zero_sum: event_dim=
""",
    "numpyro.distributions.transforms": """\
AbsTransform Array ArrayLike CholeskyTransform ComplexTransform Constraint ConstraintRegistry
    CorrCholeskyTransform CorrMatrixCholeskyTransform DTypeLike Generic IdentityTransform
    L1BallTransform LowerCholeskyTransform NonScalarArray NumLike NumLikeT Optional
    OrderedTransform ParameterFreeTransform PyTree ScaledUnitLowerCholeskyTransform Sequence
    SigmoidTransform SoftplusLowerCholeskyTransform SoftplusTransform StickBreakingTransform
    Transform Tuple Union constraints find_stack_level jax jnp lax math np warnings weakref:
add_diag: matrix diag
AffineTransform: loc scale domain=
array_equiv: a b static=
biject_to: constraint
cast: typ val
CatTransform: tseq dim= lengths=
ComposeTransform: parts
DiscreteCosineTransform: dim= smooth=
expit log_sigmoid logit not_jax_tracer softplus: x
ExpTransform: domain=
HaarTransform: dim= flip=
IndependentTransform: base_transform reinterpreted_batch_ndims
LowerCholeskyAffine: loc scale_tril
matrix_to_tril_vec: x diagonal=
PackRealFastFourierCoefficientsTransform: transform_shape=
PermuteTransform: permutation
PowerTransform: exponent
RealFastFourierTransform: transform_shape= transform_ndims=
RecursiveLinearTransform: transition_matrix initial_value=
register_pytree_node: nodetype flatten_func unflatten_func flatten_with_keys_func=
ReshapeTransform: forward_shape inverse_shape
signed_stick_breaking_tril: t
SimplexToOrderedTransform: anchor_point=
solve_triangular: a b trans= lower= unit_diagonal= overwrite_b= debug= check_finite=
sum_rightmost: x dim
UnpackTransform: unpack_fn pack_fn=
vec_to_tril_matrix: t diagonal=
vmap: fun in_axes= out_axes= axis_name= axis_size= spmd_axis_name= sum_match=
ZeroSumTransform: transform_ndims=
""",
    "numpyro.handlers": """\
Array ArrayLike COERCIONS Callable Message Optional OrderedDict TYPE_CHECKING TraceT
    TracebackType Union annotations collapse find_stack_level jnp np numpyro random warnings:
apply_stack: msg
block: fn= hide_fn= hide= expose_types= expose=
cast: typ val
CondIndepStackFrame: name dim size
condition: fn= data= condition_fn=
Distribution: batch_shape= event_shape= * validate_args=
do: fn= data=
infer_config: fn= config_fn=
is_prng_key: key
lift: fn= prior=
mask: fn= mask=
Messenger trace uncondition: fn=
not_jax_tracer: x
plate: name size subsample_size= dim=
reparam: fn= config=
replay: fn= trace=
scale: fn= scale=
scope: fn= prefix= divider= * hide_types=
seed: fn= rng_seed= hide_types=
substitute: fn= data= substitute_fn=
""",
    "numpyro.infer": """\
autoguide barker calibration elbo ensemble ensemble_util gibbs hmc hmc_gibbs hmc_util importance
    initialization inspect mcmc mixed_hmc reparam sa svi util:
AIES: model= potential_fn= randomize_split= moves= init_strategy=
BarkerMH: model= potential_fn= step_size= adapt_step_size= adapt_mass_matrix= dense_mass=
    target_accept_prob= init_strategy=
CustomGibbs: gibbs_fn
DiscreteGibbs: model * random_walk= modified=
DiscreteHMCGibbs: inner_kernel * random_walk= modified=
ELBO TraceGraph_ELBO: num_particles= vectorize_particles=
ESS: model= potential_fn= randomize_split= moves= max_steps= max_iter= init_mu= tune_mu=
    init_strategy=
Gibbs: blocks
HMC: model= potential_fn= kinetic_fn= step_size= inverse_mass_matrix= adapt_step_size=
    adapt_mass_matrix= dense_mass= target_accept_prob= num_steps= trajectory_length=
    init_strategy= find_heuristic_step_size= forward_mode_differentiation=
    regularize_mass_matrix=
HMCECS: inner_kernel * num_blocks= proxy=
HMCGibbs: inner_kernel gibbs_fn gibbs_sites
init_to_feasible init_to_mean init_to_sample: site=
init_to_median: site= num_samples=
init_to_uniform: site= radius=
init_to_value: site= values=
initialize_model: rng_key model * init_strategy= dynamic_args= model_args= model_kwargs=
    forward_mode_differentiation= validate_grad=
log_likelihood: model posterior_samples *args parallel= batch_ndims= **
MCMC: sampler * num_warmup num_samples num_chains= thinning= postprocess_fn= chain_method=
    progress_bar= progress_rate= jit_model_args=
MixedHMC: inner_kernel * num_discrete_updates= random_walk= modified=
NUTS: model= potential_fn= kinetic_fn= step_size= inverse_mass_matrix= adapt_step_size=
    adapt_mass_matrix= dense_mass= target_accept_prob= trajectory_length= max_tree_depth=
    init_strategy= find_heuristic_step_size= forward_mode_differentiation=
    regularize_mass_matrix=
Predictive: model posterior_samples= * guide= params= num_samples= return_sites= infer_discrete=
    parallel= batch_ndims= condition_deterministic= exclude_deterministic=
psis_diagnostic: rng_key param_map model guide *args num_particles= chunk_size= **
RenyiELBO: alpha= num_particles=
SA: model= potential_fn= adapt_state_size= dense_mass= init_strategy=
SVI: model guide optim loss **
Trace_ELBO: num_particles= vectorize_particles= multi_sample_guide= sum_sites=
TraceEnum_ELBO: num_particles= max_plate_nesting= vectorize_particles=
TraceMeanField_ELBO: num_particles= vectorize_particles= sum_sites=
""",
    "numpyro.infer.autoguide": """\
ABC AutoBatchedMixin ExitStack constraints dist find_stack_level handlers jax jnp lax math np
    numpyro partial random stax warnings:
abstractmethod: funcobj
AffineTransform: loc scale domain=
AutoBatchedLowRankMultivariateNormal: model * prefix= init_loc_fn= init_scale= rank= batch_ndim=
AutoBatchedMultivariateNormal: model * prefix= init_loc_fn= init_scale= batch_ndim=
AutoBNAFNormal: model * prefix= init_loc_fn= num_flows= hidden_factors=
AutoContinuous AutoDelta AutoGuide AutoGuideList: model * prefix= init_loc_fn= create_plates=
    forward_mode_differentiation=
AutoDAIS: model * K= base_dist= eta_init= eta_max= gamma_init= prefix= init_loc_fn= init_scale=
    forward_mode_differentiation=
AutoDiagonalNormal AutoMultivariateNormal: model * prefix= init_loc_fn= init_scale=
AutoIAFNormal: model * prefix= init_loc_fn= num_flows= hidden_dims= skip_connections=
    nonlinearity=
AutoLaplaceApproximation: model * prefix= init_loc_fn= create_plates= hessian_fn=
AutoLowRankMultivariateNormal: model * prefix= init_loc_fn= init_scale= rank=
AutoNormal: model * prefix= init_loc_fn= init_scale= create_plates=
    forward_mode_differentiation=
AutoregressiveNN: input_dim hidden_dims param_dims= permutation= skip_connections= nonlinearity=
AutoSemiDAIS: model local_model global_guide= local_guide= * prefix= K= eta_init= eta_max=
    gamma_init= init_scale= subsample_plate= use_global_dais_params=
    forward_mode_differentiation=
AutoSurrogateLikelihoodDAIS: model surrogate_model * K= eta_init= eta_max= gamma_init= prefix=
    base_dist= init_loc_fn= init_scale= forward_mode_differentiation=
biject_to: constraint
BlockNeuralAutoregressiveNN: input_dim hidden_factors= residual= activation=
BlockNeuralAutoregressiveTransform: bn_arn
cholesky_of_inverse: matrix
ComposeTransform: parts
grad: fun argnums= has_aux= holomorphic= allow_int= reduce_axes=
helpful_support_errors: site raise_warnings=
hessian: fun argnums= has_aux= holomorphic=
IndependentTransform: base_transform reinterpreted_batch_ndims
init_to_median: site= num_samples=
init_to_uniform: site= radius=
initialize_model: rng_key model * init_strategy= dynamic_args= model_args= model_kwargs=
    forward_mode_differentiation= validate_grad=
InverseAutoregressiveTransform: autoregressive_nn log_scale_min_clip= log_scale_max_clip=
LowerCholeskyAffine: loc scale_tril
not_jax_tracer: x
periodic_repeat: x size dim
PermuteTransform: permutation
potential_energy: model model_args model_kwargs params enum=
Predictive: model posterior_samples= * guide= params= num_samples= return_sites= infer_discrete=
    parallel= batch_ndims= condition_deterministic= exclude_deterministic=
ReshapeTransform: forward_shape inverse_shape
sum_rightmost: x dim
Trace_ELBO: num_particles= vectorize_particles= multi_sample_guide= sum_sites=
UnpackTransform: unpack_fn pack_fn=
""",
    "numpyro.infer.reparam": """\
ABC CircularReparam Iterable ProjectedNormalReparam Reparam Transform TransformReparam
    constraints dist jax jnp math np numpyro:
abstractmethod: funcobj
AutoContinuous: model * prefix= init_loc_fn= create_plates= forward_mode_differentiation=
biject_to: constraint
ComposeTransform: parts
DiscreteCosineReparam DiscreteCosineTransform: dim= smooth=
ExplicitReparam: transform
HaarReparam HaarTransform: dim= flip=
is_identically_one not_jax_tracer: x
LocScaleReparam: centered= shape_params=
NeuTraReparam: guide params
safe_normalize: x * p=
sum_rightmost: x dim
UnitJacobianReparam: transform suffix=
""",
    "numpyro.infer.util": """\
Callable ModelT Optional Sequence SiteValues TraceT constraints dist find_stack_level jax jnp
    lax np numpyro partial random warnings:
biject_to: constraint
broadcast_shapes: *shapes
compute_log_probs: model model_args model_kwargs params sum_log_prob=
condition: fn= data= condition_fn=
constrain_fn: model model_args model_kwargs params return_deterministic= batch_ndims=
contextmanager: func
device_get is_identically_one not_jax_tracer: x
find_valid_initial_params: rng_key model * init_strategy= enum= model_args= model_kwargs=
    prototype_params= forward_mode_differentiation= validate_grad=
get_importance_trace: model guide args kwargs params
get_potential_fn: model inv_transforms * enum= replay_model= dynamic_args= model_args=
    model_kwargs=
get_transforms log_density unconstrain_fn: model model_args model_kwargs params
helpful_support_errors: site raise_warnings=
init_to_uniform: site= radius=
init_to_value: site= values=
initialize_model: rng_key model * init_strategy= dynamic_args= model_args= model_kwargs=
    forward_mode_differentiation= validate_grad=
is_prng_key: key
jacfwd: fun argnums= has_aux= holomorphic=
log_likelihood: model posterior_samples *args parallel= batch_ndims= **
Messenger trace: fn=
ModelInfo: param_info potential_fn postprocess_fn model_trace
NamedTuple: typename fields= **
namedtuple: typename field_names * rename= defaults= module=
ParamInfo: z potential_energy z_grad
potential_energy: model model_args model_kwargs params enum=
Predictive: model posterior_samples= * guide= params= num_samples= return_sites= infer_discrete=
    parallel= batch_ndims= condition_deterministic= exclude_deterministic=
ravel_pytree: pytree
replay: fn= trace=
seed: fn= rng_seed= hide_types=
soft_vmap: fn xs batch_ndims= chunk_size=
substitute: fn= data= substitute_fn=
sum_rightmost: x dim
transform_fn: transforms params invert=
value_and_grad: fun argnums= has_aux= holomorphic= allow_int= reduce_axes=
while_loop: cond_fun body_fun init_val
""",
    "numpyro.optim": """\
Adagrad Adam Any ArrayLike Callable Literal Momentum Optional Protocol RMSProp RMSPropMomentum
    SGD SM3 UpdateExtraArgsFn jax jnp lax optimizers:
ClippedAdam: *args clip_norm= **
jacfwd: fun argnums= has_aux= holomorphic=
Minimize: method= **
minimize: fun x0 args= * method tol= options=
NamedTuple: typename fields= **
optax_to_numpyro: transformation
ravel_pytree: pytree
register_pytree_node: nodetype flatten_func unflatten_func flatten_with_keys_func=
value_and_grad: fun argnums= has_aux= holomorphic= allow_int= reduce_axes=
""",
    "numpyro.util": """\
Any Callable Generator Literal Lock Optional OrderedDict control_flow_prims_disabled
    find_stack_level inspect jax jnp lax np os partial random re tqdm warnings zip_longest:
cached_by: outer_fn *keys
check_model_guide_match: model_trace guide_trace
cond: pred true_operand true_fun false_operand false_fun
contextmanager: func
enable_x64: use_x64=
fori_collect: lower upper body_fun init_val transform= progbar= progress_rate= return_last_val=
    collection_size= thinning= **
fori_loop: lower upper body_fun init_val
format_shapes: trace * compute_log_prob= title= last_site=
identity: x *args **
io_callback: callback result_shape_dtypes *args sharding= ordered= **
is_prng_key: key
jit: fun= * in_shardings= out_shardings= static_argnums= static_argnames= donate_argnums=
    donate_argnames= keep_unused= device= backend= inline= compiler_options=
maybe_jit: fn *args **
nested_attrgetter: *collect_fields
not_jax_tracer: x
optional: condition context_manager
progress_bar_factory: num_samples num_chains progress_rate
set_host_device_count: n
set_platform: platform=
set_rng_seed: rng_seed=
soft_vmap: fn xs batch_ndims= chunk_size=
tqdm_auto: iterable= *args **
Tracer: trace aval
vmap: fun in_axes= out_axes= axis_name= axis_size= spmd_axis_name= sum_match=
while_loop: cond_fun body_fun init_val
""",
}
