"""What the functions of Equinox take: `register` describes the form of a row."""

EQUINOX = {
    "equinox": """\
AbstractClassVar AbstractVar Enumeration EquinoxRuntimeError EquinoxTracetimeError Module
    clear_caches debug importlib internal nn static_field:
apply_updates: model updates
branched_error_if: x pred index msgs * on_error=
combine: *pytrees is_leaf=
default_deserialise_filter_spec default_serialise_filter_spec: f x
error_if: x pred msg * on_error=
field: * converter= static= **
filter: pytree filter_spec inverse= replace= is_leaf=
filter_checkpoint: fun= * prevent_cse= policy=
filter_closure_convert: fn *args **
filter_custom_jvp filter_custom_vjp: fn
filter_eval_shape: fun *args **
filter_grad filter_value_and_grad: fun= * has_aux= **
filter_hessian filter_jacfwd filter_jacrev: fun has_aux=
filter_jit: fun= * donate= **
filter_jvp: fn primals tangents **
filter_make_jaxpr: fun
filter_pmap: fun= * in_axes= out_axes= axis_name= axis_size= donate= **
filter_pure_callback: callback *args result_shape_dtypes sharding= vmap_method= vectorized= **
filter_shard: x device_or_shardings
filter_vjp: fun *primals has_aux=
filter_vmap: fun= * in_axes= out_axes= axis_name= axis_size= **
if_array: axis
is_array is_array_like is_inexact_array is_inexact_array_like: element
module_update_wrapper: wrapper wrapped=
Partial: func *args **
partition: pytree filter_spec replace= is_leaf=
StrictConfig: force_abstact= **
tree_at: where pytree replace= replace_fn= is_leaf=
tree_check tree_flatten_one_level: pytree
tree_deserialise_leaves: path_or_file like filter_spec= is_leaf=
tree_equal: *pytrees typematch= rtol= atol=
tree_inference: pytree value=
tree_pformat tree_pprint: pytree * width= indent= short_arrays= struct_as_array= truncate_leaf=
tree_serialise_leaves: path_or_file pytree filter_spec= is_leaf=
""",
    "equinox.nn": """\
Identity StatefulLayer:
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
    AdaptiveMaxPool3d: target_shape
AdaptivePool: target_shape num_spatial_dims operation
AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d: kernel_size stride= padding=
    use_ceil=
BatchNorm: input_size axis_name eps= channelwise_affine= momentum= inference= dtype= mode=
Conv: num_spatial_dims in_channels out_channels kernel_size stride= padding= dilation= groups=
    use_bias= padding_mode= dtype= * key
Conv1d Conv2d Conv3d: in_channels out_channels kernel_size stride= padding= dilation= groups=
    use_bias= padding_mode= dtype= * key
ConvTranspose: num_spatial_dims in_channels out_channels kernel_size stride= padding=
    output_padding= dilation= groups= use_bias= padding_mode= dtype= * key
ConvTranspose1d ConvTranspose2d ConvTranspose3d: in_channels out_channels kernel_size stride=
    output_padding= padding= dilation= groups= use_bias= padding_mode= dtype= * key
Dropout: p= inference= * deterministic=
Embedding: num_embeddings= embedding_size= weight= dtype= * key=
GroupNorm: groups channels= eps= channelwise_affine= dtype=
GRUCell LSTMCell: input_size hidden_size use_bias= dtype= * key
inference_mode: pytree value=
Lambda: fn
LayerNorm: shape eps= use_weight= use_bias= dtype= * elementwise_affine=
Linear: in_features out_features use_bias= dtype= * key
make_with_state: make_model
MLP: in_size out_size width_size depth activation= final_activation= use_bias= use_final_bias=
    dtype= * scan= key
MultiheadAttention: num_heads query_size key_size= value_size= output_size= qk_size= vo_size=
    use_query_bias= use_key_bias= use_value_bias= use_output_bias= dropout_p= inference= dtype=
    * key
Pool: init operation num_spatial_dims kernel_size stride= padding= use_ceil=
PReLU: init_alpha=
RMSNorm: shape eps= use_weight= use_bias= dtype=
RotaryPositionalEmbedding: embedding_size theta= dtype=
Sequential: layers
Shared: pytree where get
SpectralNorm: layer weight_name num_power_iterations= eps= inference= * key
State delete_init_state: model
StateIndex: init
WeightNorm: layer weight_name= axis=
""",
}
