"""What the functions of Distrax take: `register` describes the form of a row."""

DISTRAX = {
    "distrax": """\
BijectorLike Distribution DistributionLike GumbelCDF Sigmoid Tanh distrax_test:
as_bijector as_distribution: obj
Bernoulli Categorical OneHotCategorical: logits= probs= dtype=
Beta: alpha beta
Bijector: event_ndims_in event_ndims_out= is_constant_jacobian= is_constant_log_det=
Block: bijector ndims
CategoricalUniform: * low high logits
Chain: bijectors
Clipped: distribution minimum maximum
ClippedLogistic ClippedNormal: loc scale minimum maximum
Deterministic: loc atol= rtol=
DiagLinear: diag
DiagPlusLowRankLinear: diag u_matrix v_matrix
Dirichlet: concentration
EpsilonGreedy: preferences epsilon dtype=
estimate_kl_best_effort mc_estimate_kl: distribution_a distribution_b rng_key num_samples
    proposal_distribution=
Gamma: concentration rate
Greedy: preferences dtype=
Gumbel Laplace Logistic MultivariateNormalFromBijector Normal: loc scale
HMM: init_dist trans_dist obs_dist
importance_sampling_ratios: target_dist sampling_dist event
Independent: distribution reinterpreted_batch_ndims=
Inverse: bijector
Joint: distributions
Lambda: forward= inverse= forward_log_det_jacobian= inverse_log_det_jacobian= event_ndims_in=
    event_ndims_out= is_constant_jacobian=
Linear: event_dims batch_shape dtype
LogStddevNormal: loc log_scale max_scale=
LowerUpperTriangularAffine UnconstrainedAffine: matrix bias
MaskedCoupling: mask conditioner bijector event_ndims= inner_event_ndims=
mc_estimate_kl_with_reparameterized: distribution_a distribution_b rng_key num_samples
mc_estimate_mode: distribution rng_key num_samples
MixtureOfTwo: prob_a component_a component_b
MixtureSameFamily: mixture_distribution components_distribution
Multinomial: total_count logits= probs= dtype=
multiply_no_nan: x y
MultivariateNormalDiag: loc= scale_diag=
MultivariateNormalDiagPlusLowRank: loc= scale_diag= scale_u_matrix= scale_v_matrix=
MultivariateNormalFullCovariance: loc= covariance_matrix=
MultivariateNormalTri: loc= scale_tri= is_lower=
Quantized: distribution low= high= eps=
RationalQuadraticSpline: params range_min range_max boundary_slopes= min_bin_size=
    min_knot_slope=
register_inverse: primitive inverse_left inverse_right=
ScalarAffine: shift scale= log_scale=
Shift: shift
Softmax: logits temperature= dtype=
SplitCoupling: split_index event_ndims conditioner bijector swap= split_axis=
straight_through_wrapper: Distribution
to_tfp: obj name=
Transformed: distribution bijector
TriangularLinear: matrix is_lower=
Uniform: low= high=
VonMises: loc concentration
""",
}
