"""What the functions of Haiku take: `register` describes the form of a row."""

HAIKU = {
    "haiku": """\
DO_NOT_STORE LayerStackTransparencyMapping ModuleProtocol MutableParams MutableState Params
    State SupportsCall config current_name data_structures experimental get_current_state
    get_initial_state get_params initializers maybe_get_rng_sequence_state maybe_next_rng_key
    mixed_precision nets next_rng_key pad running_init testing typing:
avg_pool max_pool: value window_shape strides padding channel_axis=
AvgPool MaxPool: window_shape strides padding channel_axis= name=
BatchApply: f num_dims=
BatchNorm: create_scale create_offset decay_rate eps= scale_init= offset_init= axis=
    cross_replica_axis= cross_replica_axis_index_groups= data_format= name=
Bias: output_size= bias_dims= b_init= name=
cond: pred true_fun false_fun *operands operand=
Conv1D Conv2D Conv3D: output_channels kernel_shape stride= rate= padding= with_bias= w_init=
    b_init= data_format= mask= feature_group_count= name=
Conv1DLSTM Conv2DLSTM Conv3DLSTM: input_shape output_channels kernel_shape name=
Conv1DTranspose Conv2DTranspose Conv3DTranspose: output_channels kernel_shape stride=
    output_shape= padding= with_bias= w_init= b_init= data_format= mask= name=
ConvND: num_spatial_dims output_channels kernel_shape stride= rate= padding= with_bias= w_init=
    b_init= data_format= mask= feature_group_count= name=
ConvNDTranspose: num_spatial_dims output_channels kernel_shape stride= output_shape= padding=
    with_bias= w_init= b_init= data_format= mask= name=
custom_creator: creator * params= state=
custom_getter: getter * params= state=
custom_setter: setter
DeepRNN Sequential deep_rnn_with_skip_connections: layers name=
Deferred: factory call_methods=
DepthwiseConv1D DepthwiseConv2D DepthwiseConv3D: channel_multiplier kernel_shape stride= rate=
    padding= with_bias= w_init= b_init= data_format= name=
dropout: rng rate x broadcast_dims=
dynamic_unroll: core input_sequence initial_state time_major= reverse= return_all_states=
    unroll=
EMAParamsTree: decay zero_debias= warmup_length= ignore_regex= name=
Embed: vocab_size= embed_dim= embedding_matrix= w_init= lookup_style= name= precision=
EmbedLookupStyle: value names= * module= qualname= type= start= boundary=
eval_shape: fun *args **
expand_apply: f axis=
ExponentialMovingAverage: decay zero_debias= warmup_length= name=
Flatten: preserve_dims= name=
fori_loop: lower upper body_fun init_val
get_channel_index: data_format
get_parameter: name shape dtype= init=
get_state: name shape= dtype= init=
GetterContext: full_name module original_dtype original_shape original_init lifted_prefix_name
grad value_and_grad: fun argnums= has_aux= holomorphic=
GroupNorm: groups axis= create_scale= create_offset= eps= scale_init= offset_init= data_format=
    name=
GRU: hidden_size w_i_init= w_h_init= b_init= name=
IdentityCore Module RNNCore: name=
InstanceNorm: create_scale create_offset eps= scale_init= offset_init= data_format= name=
intercept_methods: interceptor
layer_stack: num_layers with_per_layer_inputs= unroll= pass_reverse_to_layer_fn= transparent=
    transparency_map= name=
LayerNorm: axis create_scale create_offset eps= scale_init= offset_init= use_fast_variance=
    name= * param_axis=
lift lift_with_state: init_fn * allow_reuse= name=
LiftWithStateUpdater force_name: name
Linear: output_size with_bias= w_init= b_init= name=
LSTM: hidden_size name=
LSTMState: hidden cell
map: f xs
MethodContext: module method_name orig_method orig_class
multi_transform multi_transform_with_state to_module transform_with_state with_empty_state
    without_apply_rng without_state: f
MultiHeadAttention: num_heads key_size w_init_scale= * w_init= with_bias= b_init= value_size=
    model_size= name=
multinomial: rng logits num_samples
MultiTransformed MultiTransformedWithState Transformed TransformedWithState: init apply
name_like: method_name
name_scope: name * method_name=
next_rng_keys reserve_rng_keys: num
one_hot: x num_classes dtype=
PRNGSequence: key_or_seed
remat: fun * prevent_cse= policy= static_argnums= concrete=
replace_rng_sequence_state: state
ResetCore: core name=
Reshape: output_shape preserve_dims= name=
RMSNorm: axis eps= scale_init= name= create_scale= * param_axis=
scan: f init xs length= reverse= unroll=
SeparableDepthwiseConv2D: channel_multiplier kernel_shape stride= padding= with_bias= w_init=
    b_init= data_format= name=
set_state: name value
SetterContext: full_name module original_dtype original_shape lifted_prefix_name
SNParamsTree: eps= n_steps= ignore_regex= name=
SpectralNorm: eps= n_steps= name=
static_unroll: core input_sequence initial_state time_major=
switch: index branches *operands
to_dot: fun
transform: f * apply_rng=
transparent: method
transparent_lift transparent_lift_with_state: init_fn * allow_reuse=
VanillaRNN: hidden_size double_bias= name=
vmap: fun in_axes= out_axes= axis_name= axis_size= * split_rng spmd_axis_name=
while_loop: cond_fun body_fun init_val
with_rng: key
""",
    "haiku.initializers": """\
Initializer:
Constant: constant
Identity: gain=
Orthogonal: scale= axis=
RandomNormal: stddev= mean=
RandomUniform: minval= maxval=
TruncatedNormal: stddev= mean= lower= upper=
UniformScaling: scale=
VarianceScaling: scale= mode= distribution= fan_in_axes=
""",
    "haiku.nets": """\
MLP: output_sizes w_init= b_init= with_bias= activation= activate_final= name=
MobileNetV1: strides= channels= num_classes= use_bn= name=
ResNet: blocks_per_group num_classes bn_config= resnet_v2= bottleneck= channels_per_group=
    use_projection= logits_config= name= initial_conv_config= strides=
ResNet101 ResNet152 ResNet18 ResNet200 ResNet34 ResNet50: num_classes bn_config= resnet_v2=
    logits_config= name= initial_conv_config= strides=
VectorQuantizer: embedding_dim num_embeddings commitment_cost dtype= name= cross_replica_axis=
VectorQuantizerEMA: embedding_dim num_embeddings commitment_cost decay epsilon= dtype=
    cross_replica_axis= name=
""",
    "haiku.experimental": """\
DO_NOT_STORE LayerStackTransparencyMapping current_name flax get_current_state get_initial_state
    get_params jaxpr_info maybe_get_rng_sequence_state:
abstract_to_dot optimize_rng_use to_dot: fun
ArraySpec: shape dtype
check_jax_usage: enabled=
custom_creator: creator * params= state=
custom_getter: getter * params= state=
eval_summary: f
fast_eval_shape: fun *args **
GetterContext ParamContext: full_name module original_dtype original_shape original_init
    lifted_prefix_name
intercept_methods: interceptor
layer_stack: num_layers with_per_layer_inputs= unroll= pass_reverse_to_layer_fn= transparent=
    transparency_map= name=
lift lift_with_state: init_fn * allow_reuse= name=
LiftWithStateUpdater force_name: name
MethodContext: module method_name orig_method orig_class
MethodInvocation: module_details args_spec kwargs_spec output_spec context call_stack
module_auto_repr: enabled
ModuleDetails: module method_name params state
name_like: method_name
name_scope: name * method_name=
replace_rng_sequence_state: state
rng_reserve_size: size
tabulate: f * columns= filters= tabulate_kwargs=
transparent_lift transparent_lift_with_state: init_fn * allow_reuse=
""",
    "haiku.pad": """\
PadFn:
causal full reverse_causal same valid: effective_kernel_size
create create_from_padfn: padding kernel rate n
create_from_tuple: padding n
is_padfn: padding
""",
    "haiku.mixed_precision": """\
current_policy:
clear_policy get_policy: cls
push_policy set_policy: cls policy
""",
}
