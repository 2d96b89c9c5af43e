"""What the functions of flax take: `register` describes the form of a row."""

FLAX = {
    "flax": """\
config configurations core cursor errors experimental ids io jax_utils linen metrics nnx
    serialization struct testing traceback_util training traverse_util typing version:
""",
    "flax.core": """\
Array AxisMetadata axes_scan broadcast current_trace frozen_dict lift meta nn partial_eval scope
    spmd tracers variables:
apply init lazy_init: fn mutable= flags=
bind: variables rngs= mutable= flags=
check_trace_level: base_level
copy: x add_or_replace=
custom_vjp: fn forward_fn backward_fn grad_vars= nondiff_argnums=
DenyList: deny
freeze: xs
FrozenDict: *args __unsafe_skip_copy__= **
jit: fn variables= rngs= static_argnums= static_argnames= donate_argnums= device= backend=
jvp: fn scope primals tangents variable_tangents variables= rngs=
map_axis_meta: fn tree
pop: x key
pretty_repr: x num_spaces=
remat: fn variables= rngs= concrete= prevent_cse= static_argnums= policy=
remat_scan: body_fn lengths policy= variable_broadcast= variable_carry= variable_axes=
    split_rngs=
scan: fn variable_axes= variable_broadcast= variable_carry= split_rngs= in_axes= out_axes=
    length= reverse= unroll= _split_transpose= data_transform= metadata_params=
    check_constancy_invariants=
Scope: variables rngs= name= mutable= parent= path= debug_path= flags=
unbox: tree
unfreeze: x
vjp: fn scope *primals has_aux= reduce_axes= vjp_variables= variables= rngs=
vmap: fn variable_axes split_rngs in_axes= out_axes= axis_size= axis_name= spmd_axis_name=
    metadata_params=
while_loop: cond_fn body_fn scope init carry_variables= broadcast_variables= split_rngs=
""",
    "flax.jax_utils": """\
Iterable collections core itertools jax jnp lax lu np pe warnings:
pad_shard_unpad: wrapped static_argnums= static_argnames= static_return=
partial_eval_by_shape: fn input_spec *args **
pmean: xs axis_name
prefetch_to_device: iterator size devices= axis_name=
replicate: tree devices= axis_name=
scan_in_dim: body_fn init xs axis= unroll= keepdims=
unreplicate: tree
""",
    "flax.linen": """\
Module PARTITION_NAME activation attention batch_apply broadcast combinators disable_named_call
    dtypes enable_named_call fp8_ops get_logical_axis_rules initializers kw_only_dataclasses
    linear meta module normalization ones_init partitioning pooling recurrent spmd stochastic
    summary transforms zeros_init:
add_metadata_axis: target variable_axes= metadata_params=
apply init init_with_output: fn module mutable= capture_intermediates=
avg_pool: inputs window_shape strides= padding= count_include_pad=
BatchApply: f num_dims=
BatchNorm: use_running_average= axis= momentum= epsilon= dtype= param_dtype= use_bias=
    use_scale= bias_init= scale_init= axis_name= axis_index_groups= use_fast_variance=
    force_float32_reductions= parent= name=
Bidirectional: forward_rnn backward_rnn merge_fn= time_major= return_carry= parent= name=
celu elu: x alpha=
checkpoint remat: target variables= rngs= concrete= prevent_cse= static_argnums= policy=
    methods=
combine_masks: *masks dtype=
compact compact_name_scope nowrap: fun
cond: pred true_fun false_fun mdl *operands variables= rngs=
Conv ConvLocal: features kernel_size strides= padding= input_dilation= kernel_dilation=
    feature_group_count= use_bias= mask= dtype= param_dtype= precision= kernel_init= bias_init=
    promote_dtype= conv_general_dilated= conv_general_dilated_cls= parent= name=
ConvLSTMCell: features kernel_size strides= padding= use_bias= dtype= param_dtype= carry_init=
    parent= name=
ConvTranspose: features kernel_size strides= padding= kernel_dilation= use_bias= mask= dtype=
    param_dtype= precision= kernel_init= bias_init= transpose_kernel= promote_dtype=
    preferred_element_type= parent= name=
custom_vjp: fn forward_fn backward_fn grad_vars= nondiff_argnums=
Dense: features use_bias= dtype= param_dtype= precision= kernel_init= bias_init= promote_dtype=
    dot_general= dot_general_cls= parent= name=
DenseGeneral: features axis= batch_dims= use_bias= dtype= param_dtype= kernel_init= bias_init=
    precision= promote_dtype= dot_general= dot_general_cls= parent= name=
DenyList: deny
dot_product_attention: query key value bias= mask= broadcast_dropout= dropout_rng= dropout_rate=
    deterministic= dtype= precision= module= force_fp32_for_softmax= einsum_dot_general=
    qk_attn_weights_einsum= attn_weights_value_einsum=
dot_product_attention_weights: query key bias= mask= broadcast_dropout= dropout_rng=
    dropout_rate= deterministic= dtype= precision= module= force_fp32_for_softmax=
    einsum_dot_general= einsum=
Dropout: rate broadcast_dims= deterministic= rng_collection= parent= name=
Einsum: shape einsum_str= use_bias= dtype= param_dtype= precision= kernel_init= bias_init=
    promote_dtype= preferred_element_type= parent= name=
Embed: num_embeddings features dtype= param_dtype= embedding_init= promote_dtype= parent= name=
fold_rngs: target variables= rngs=
Fp8DirectDotGeneralOp Fp8DotGeneral Fp8DotGeneralOp Fp8Einsum NANOOFp8DotGeneralOp:
    amax_history_length= e4m3_dtype= e5m2_dtype= parent= name=
FrozenDict: *args __unsafe_skip_copy__= **
gelu: x approximate=
get_partition_spec unbox: tree
get_sharding: tree mesh
glu: x axis=
grad value_and_grad: fn mdl *primals has_aux= reduce_axes= variables= rngs=
GroupNorm: num_groups= group_size= epsilon= dtype= param_dtype= use_bias= use_scale= bias_init=
    scale_init= reduction_axes= axis_name= axis_index_groups= use_fast_variance=
    force_float32_reductions= parent= name=
GRUCell LSTMCell OptimizedLSTMCell: features gate_fn= activation_fn= kernel_init=
    recurrent_kernel_init= bias_init= dtype= param_dtype= carry_init= parent= name=
hard_sigmoid hard_silu hard_swish hard_tanh log_sigmoid relu relu6 selu sigmoid silu soft_sign
    softplus swish tanh: x
InstanceNorm: epsilon= dtype= param_dtype= use_bias= use_scale= bias_init= scale_init=
    feature_axes= axis_name= axis_index_groups= use_fast_variance= force_float32_reductions=
    parent= name=
intercept_methods: interceptor
jit: target variables= rngs= static_argnums= static_argnames= donate_argnums= device= backend=
    methods=
jvp: fn mdl primals tangents variable_tangents variables= rngs=
LayerNorm: epsilon= dtype= param_dtype= use_bias= use_scale= bias_init= scale_init=
    reduction_axes= feature_axes= axis_name= axis_index_groups= use_fast_variance=
    force_float32_reductions= parent= name=
leaky_relu: x negative_slope=
log_softmax softmax: x axis= where=
logical_axis_rules set_logical_axis_rules: rules
logical_to_mesh: tree rules=
logical_to_mesh_axes: array_dim_names rules=
logical_to_mesh_sharding: tree mesh rules=
LogicallyPartitioned: value names mesh= rules=
logsumexp: a axis= b= keepdims= return_sign= where=
make_attention_mask: query_input key_input pairwise_fn= extra_batch_dims= dtype=
make_causal_mask: x extra_batch_dims= dtype=
map_variables: target mapped_collections= trans_in_fn= trans_out_fn= init= mutable= rngs=
    variables= methods=
max_pool: inputs window_shape strides= padding=
merge_param: name a b
MGUCell: features gate_fn= activation_fn= kernel_init= recurrent_kernel_init= forget_bias_init=
    activation_bias_init= dtype= param_dtype= carry_init= reset_gate= parent= name=
MultiHeadAttention MultiHeadDotProductAttention SelfAttention: num_heads dtype= param_dtype=
    qkv_features= out_features= broadcast_dropout= dropout_rate= deterministic= precision=
    kernel_init= out_kernel_init= bias_init= out_bias_init= use_bias= attention_fn= decode=
    normalize_qk= force_fp32_for_softmax= qkv_dot_general= out_dot_general= qkv_dot_general_cls=
    out_dot_general_cls= qk_attn_weights_einsum_cls= attn_weights_value_einsum_cls= parent=
    name=
named_call: class_fn force=
normalize standardize: x axis= mean= variance= epsilon= where= * algorithm=
one_hot: x num_classes * dtype= axis=
ones zeros: key shape dtype= out_sharding=
override_named_call: enable=
Partitioned: value names mesh=
pool: inputs init reduce_fn window_shape strides padding
PReLU: param_dtype= negative_slope_init= parent= name=
remat_scan: target lengths= policy= variable_broadcast= variable_carry= variable_axes=
    split_rngs=
RMSNorm: epsilon= dtype= param_dtype= use_scale= scale_init= reduction_axes= feature_axes=
    axis_name= axis_index_groups= use_fast_variance= force_float32_reductions= parent= name=
RNN: cell time_major= return_carry= reverse= keep_order= unroll= variable_axes=
    variable_broadcast= variable_carry= split_rngs= parent= name=
RNNCellBase: parent= name=
scan: target variable_axes= variable_broadcast= variable_carry= split_rngs= in_axes= out_axes=
    length= reverse= unroll= data_transform= metadata_params= methods= _split_transpose=
    check_constancy_invariants=
Sequential: layers parent= name=
share_scope: module other
SimpleCell: features activation_fn= kernel_init= recurrent_kernel_init= bias_init= dtype=
    param_dtype= carry_init= residual= parent= name=
SpectralNorm: layer_instance n_steps= epsilon= dtype= param_dtype= error_on_non_matrix=
    collection_name= parent= name=
switch: index branches mdl *operands variables= rngs=
tabulate: module rngs depth= show_repeated= mutable= console_kwargs= table_kwargs=
    column_kwargs= compute_flops= compute_vjp_flops= **
Variable: scope collection name unbox
vjp: fn mdl *primals has_aux= reduce_axes= vjp_variables= variables= rngs= multi_scope=
vmap: target variable_axes= split_rngs= in_axes= out_axes= axis_size= axis_name= spmd_axis_name=
    metadata_params= methods=
WeightNorm: layer_instance epsilon= dtype= param_dtype= use_scale= scale_init= feature_axes=
    variable_filter= parent= name=
while_loop: cond_fn body_fn mdl init carry_variables= broadcast_variables= split_rngs=
with_logical_constraint: x logical_axis_resources rules= mesh= fallback=
with_logical_partitioning: fn names mesh= rules=
with_partitioning: fn names mesh=
""",
    "flax.nnx": """\
A Carry Data Dict Everything Initializer M Metric Module MultiMetric Nothing Object
    PARTITION_NAME PureState Pytree RNNCellBase Static bridge compat deprecations display
    extract filterlib graph graphlib helpers ids initializers metrics module nn object optimizer
    proxy_caller pytreelib reprlib rnglib spmd statelib summary tracers training transforms
    traversals using_eager_sharding variablelib visualization wrappers:
abstract_with_sharding as_abstract: tree graph=
All Any: *filters
as_pure get_partition_spec pure: tree
avg_pool: inputs window_shape strides= padding= count_include_pad=
BatchNorm: num_features * use_running_average= axis= momentum= epsilon= dtype= param_dtype=
    use_bias= use_scale= bias_init= scale_init= axis_name= axis_index_groups= use_fast_variance=
    promote_dtype= rngs bias_metadata= scale_metadata=
BatchStat Cache Intermediate LoRAParam OptArray OptState OptVariable Param Perturbation RngCount
    RngKey RngState Variable: value * hijax= ref= eager_sharding= **
Bidirectional: forward_rnn backward_rnn * merge_fn= time_major= return_carry= rngs=
cached_partial: f *cached_args graph= graph_updates=
call: graphdef_state
capture: fn *var_types init= method_outputs=
celu elu: x alpha=
check_pytree: pytree
checkify: f errors= graph= graph_updates=
clone: node variables= * arrays= graph=
combine_masks: *masks dtype=
cond: pred true_fun false_fun *operands graph= graph_updates=
Conv: in_features out_features kernel_size strides= * padding= input_dilation= kernel_dilation=
    feature_group_count= use_bias= mask= dtype= param_dtype= precision= kernel_init= bias_init=
    conv_general_dilated= promote_dtype= preferred_element_type= rngs kernel_metadata=
    bias_metadata=
ConvTranspose: in_features out_features kernel_size strides= * padding= kernel_dilation=
    use_bias= mask= dtype= param_dtype= precision= kernel_init= bias_init= transpose_kernel=
    promote_dtype= preferred_element_type= rngs kernel_metadata= bias_metadata=
custom_vjp: fun= * nondiff_argnums= graph= graph_updates=
data static: value= **
dataclass: cls= * init= eq= order= unsafe_hash= match_args= kw_only= slots= weakref_slot=
DiffState: argnum filter
dot_product_attention: query key value bias= mask= broadcast_dropout= dropout_rng= dropout_rate=
    deterministic= dtype= precision= module= promote_dtype= is_causal=
Dropout: rate * broadcast_dims= deterministic= rng_collection= rngs=
Einsum: einsum_str kernel_shape bias_shape= * dtype= param_dtype= precision= kernel_init=
    bias_init= promote_dtype= einsum_op= preferred_element_type= rngs kernel_metadata=
    bias_metadata=
EMA: params decay * only= graph=
Embed: num_embeddings features * dtype= param_dtype= embedding_init= promote_dtype= rngs
    embedding_metadata=
eval_shape: f *args graph= graph_updates= **
filter_state split_state: state first *filters
find_duplicates: node * only=
FlatState: items * sort
flatten: node * with_paths= ref_index= ref_outer_index= graph=
fori_loop: lower upper body_fun init_val * unroll= graph= graph_updates=
fork_rngs: node= * split= graph= graph_updates=
from_flat_state: flat_state * cls=
from_tree: tree * prefix= merge_fn= is_node_leaf= is_leaf= map_non_graph_nodes= is_inner=
    ctxtag=
gelu: x approximate=
get_abstract_model: init_fn mesh * graph=
get_named_sharding: tree mesh
glu: x axis=
grad value_and_grad: f= * argnums= has_aux= holomorphic= allow_int= reduce_axes= graph=
    graph_updates=
GraphDef: nodes attributes num_leaves
graphdef iter_children iter_graph iter_module_children: node * graph=
GraphState: _graphdef _state
GroupNorm: num_features num_groups= group_size= * epsilon= dtype= param_dtype= use_bias=
    use_scale= bias_init= scale_init= reduction_axes= axis_name= axis_index_groups=
    use_fast_variance= promote_dtype= rngs bias_metadata= scale_metadata=
GRUCell LSTMCell OptimizedLSTMCell: in_features hidden_features * gate_fn= activation_fn=
    kernel_init= recurrent_kernel_init= bias_init= dtype= param_dtype= carry_init=
    promote_dtype= keep_rngs= rngs kernel_metadata= recurrent_kernel_metadata= bias_metadata=
hard_sigmoid hard_silu hard_swish hard_tanh identity log_sigmoid relu relu6 selu sigmoid silu
    soft_sign softplus swish tanh: x
has_data is_data set_graph_mode set_graph_updates use_eager_sharding: value
InstanceNorm: num_features * epsilon= dtype= param_dtype= use_bias= use_scale= bias_init=
    scale_init= feature_axes= axis_name= axis_index_groups= use_fast_variance= promote_dtype=
    rngs bias_metadata= scale_metadata=
iter_modules: module * graph=
jit: fun= * in_shardings= out_shardings= static_argnums= static_argnames= donate_argnums=
    donate_argnames= keep_unused= device= backend= inline= graph= graph_updates=
jit_partial: fun *partial_args in_shardings= out_shardings= static_argnums= static_argnames=
    donate_argnums= donate_argnames= keep_unused= device= backend= inline= graph= graph_updates=
jvp: f= primals= tangents= * has_aux= graph= graph_updates=
LayerNorm: num_features * epsilon= dtype= param_dtype= use_bias= use_scale= bias_init=
    scale_init= reduction_axes= feature_axes= axis_name= axis_index_groups= use_fast_variance=
    promote_dtype= rngs bias_metadata= scale_metadata=
leaky_relu: x negative_slope=
Linear: in_features out_features * use_bias= dtype= param_dtype= precision= kernel_init=
    bias_init= dot_general= promote_dtype= preferred_element_type= rngs kernel_metadata=
    bias_metadata=
LinearGeneral: in_features out_features * axis= batch_axis= use_bias= dtype= param_dtype=
    kernel_init= bias_init= precision= promote_dtype= dot_general= dot_general_cls=
    preferred_element_type= rngs kernel_metadata= bias_metadata=
List: it=
log_softmax softmax: x axis= where=
logical_axis_rules: rules
logsumexp: a axis= b= keepdims= return_sign= where=
LoRA: in_features lora_rank out_features * base_module= dtype= param_dtype= a_initializer=
    b_initializer= lora_param_type= promote_dtype= rngs a_metadata= b_metadata=
LoRALinear: in_features out_features * lora_rank lora_dtype= lora_param_dtype= a_initializer=
    b_initializer= lora_param_type= lora_promote_dtype= rngs a_metadata= b_metadata= **
make_attention_mask: query_input key_input pairwise_fn= extra_batch_dims= dtype=
make_causal_mask: x extra_batch_dims= dtype=
make_jaxpr: f= * graph= graph_updates= static_argnums=
map: f node * graph= recreate_variables=
map_state: f state
max_pool min_pool: inputs window_shape strides= padding=
merge: graphdef_or_graphstate *states copy= recreate_variables=
merge_context: ctxtag= inner=
merge_state: state *states cls=
MergeContext: ctxtag index_ref is_inner
ModelAndOptimizer: model tx * wrt=
MultiHeadAttention: num_heads in_features qkv_features= out_features= num_kv_heads=
    in_kv_features= * dtype= param_dtype= broadcast_dropout= dropout_rate= deterministic=
    precision= kernel_init= out_kernel_init= bias_init= out_bias_init= use_bias= attention_fn=
    decode= normalize_qk= qkv_promote_dtype= out_promote_dtype= ln_promote_dtype=
    qkv_dot_general= out_dot_general= qkv_dot_general_cls= out_dot_general_cls= rngs keep_rngs=
    kernel_metadata= out_kernel_metadata= bias_metadata= out_bias_metadata=
    query_ln_scale_metadata= key_ln_scale_metadata=
NodeStates: _graphdef states metadata
Not: collection_filter
OfType: type
one_hot: x num_classes * dtype= axis=
Optimizer: model tx * wrt graph=
PathContains: key exact=
pmap: f= * axis_name= in_axes= out_axes= static_broadcasted_argnums= devices= backend=
    axis_size= donate_argnums= transform_metadata= graph= graph_updates=
pool: inputs init reduce_fn window_shape strides padding
pop: node *filters
prefix: node filter_map * graph=
PReLU: negative_slope_init= * dtype= param_dtype= promote_dtype= negative_slope_metadata=
recursive_map: f node * graph=
register_data_type: type_
register_variable_name: name typ= * overwrite=
remat: f= * prevent_cse= static_argnums= policy= graph= graph_updates=
replace_by_pure_dict: state pure_dict replace_fn=
reseed: node * graph= policy= **
restore_int_paths: pure_dict
restore_rngs: backups
RMSNorm: num_features * epsilon= dtype= param_dtype= use_scale= scale_init= reduction_axes=
    feature_axes= axis_name= axis_index_groups= use_fast_variance= promote_dtype= rngs
    scale_metadata=
Rngs: default= **
RngStream: key * tag
RNN: cell * time_major= return_carry= reverse= keep_order= unroll= state_axes= broadcast_rngs=
    rngs=
scan: f= * length= reverse= unroll= _split_transpose= in_axes= out_axes= transform_metadata=
    graph= graph_updates=
Sequential: *fns
set_metadata: node * only= **
shard_map: f= * mesh in_specs out_specs axis_names= check_vma= graph= graph_updates=
SimpleCell: in_features hidden_features * dtype= param_dtype= carry_init= residual=
    activation_fn= kernel_init= recurrent_kernel_init= bias_init= promote_dtype= keep_rngs= rngs
    kernel_metadata= recurrent_kernel_metadata= bias_metadata=
SpectralNorm: layer_instance * n_steps= epsilon= dtype= param_dtype= error_on_non_matrix=
    update_stats= rngs
split state unpack variables: node *filters graph=
split_context: ctxtag=
split_rngs: node= * splits only= squeeze= graph= graph_updates=
SplitContext: ctxtag ref_index is_inner
standardize: x axis= mean= variance= epsilon= where= * algorithm=
State: mapping * _copy=
StateAxes: filter_axes
StateSharding: filter_sharding
switch: index branches *operands graph= graph_updates=
tabulate: obj *input_args depth= method= row_filter= table_kwargs= column_kwargs=
    console_kwargs= compute_flops= compute_vjp_flops= **
to_flat_state: state
to_pure_dict: state extract_fn=
to_tree: tree * prefix= split_fn= map_non_graph_nodes= ctxtag= check_aliasing=
TrainState: graphdef params opt_state step tx
transform_metadata: f= * in_axes= out_axes= partition graph=
unflatten: graphdef state * index_ref= outer_index_outer_ref= copy_variables=
    recreate_variables=
update: node state *states
UpdateContext: tag outer_ref_outer_index outer_index_inner_ref outer_index_outer_ref
    inner_ref_outer_index static_cache
var_defaults: * hijax= ref=
variable_name_from_type: typ * allow_register=
variable_type_from_name: name * base= allow_register=
VariableMetadata: raw_value on_set_value= on_get_value= on_create_value= on_add_axis=
    on_remove_axis= metadata=
vars_as with_vars: node * hijax= ref= mutable= only= allow_duplicates=
view with_attributes: node * only= raise_if_not_found= graph= **
view_info: node * only= graph=
vjp: f= *primals has_aux= reduce_axes= graph= graph_updates=
vmap: f= * in_axes= out_axes= axis_name= axis_size= spmd_axis_name= transform_metadata= graph=
    graph_updates=
WeightNorm: layer_instance * feature_axes= use_scale= scale_init= epsilon= dtype= param_dtype=
    variable_filter= promote_dtype= rngs
while_loop: cond_fun body_fun init_val * graph= graph_updates=
with_metadata: initializer on_set_value= on_get_value= on_create_value= on_add_axis=
    on_remove_axis= **
with_partitioning: initializer sharding mesh= **
with_rngs: node= * split= fork= broadcast= only= graph= graph_updates=
WithTag current_update_context update_context: tag
""",
    "flax.serialization": """\
Any MAX_CHUNK_SIZE current_path enum jax msgpack np threading:
contextmanager: func
from_bytes: target encoded_bytes
from_state_dict: target state name=
is_serializable to_bytes to_state_dict: target
msgpack_restore: encoded_pytree
msgpack_serialize: pytree in_place=
register_serialization_state: ty ty_to_state_dict ty_from_state_dict override=
""",
    "flax.struct": """\
Callable PyTreeNode TNode dataclasses functools jax serialization:
dataclass: clz= **
dataclass_transform: * eq_default= order_default= kw_only_default= frozen_default=
    field_specifiers= **
field: pytree_node= * metadata= **
overload: func
TypeVar: name *constraints bound= covariant= contravariant=
""",
    "flax.training": """\
checkpoints common_utils dynamic_scale early_stopping lr_schedule orbax_utils prefetch_iterator
    train_state:
""",
    "flax.training.train_state": """\
Any Callable OVERWRITE_WITH_GRADIENT core jax optax struct:
TrainState: step apply_fn params tx opt_state
""",
    "flax.traverse_util": """\
Any Callable PathParts Traversal TraverseEach TraverseId TraverseTree VariableDict abc copy
    dataclasses empty_node flax jax struct t_identity warnings:
flatten_dict: xs keep_empty_nodes= is_leaf= sep=
ModelParamTraversal: filter_fn
path_aware_map: f nested_dict
TraverseAttr: attr
TraverseCompose: x y
TraverseFilter: fn
TraverseItem: key
TraverseMerge: *traversals
unflatten_dict: xs sep=
""",
}
