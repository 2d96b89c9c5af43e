"""What NumPy's own functions do with a tracer.

Each row is measured on JAX; `models.parameter` describes its form.
"""

NUMPY_FUNCTIONS = {
    "numpy": """\
abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh
    bitwise_count bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees exp
    exp2 expm1 fabs fix floor invert isfinite isinf isnan isneginf isposinf log log10 log1p log2
    matrix_transpose negative positive rad2deg radians reciprocal rint sign signbit sin sinc sinh
    spacing sqrt square tan tanh trunc: x
i0 iscomplex logical_not unique_values: x~
add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
    copysign divide float_power floor_divide fmax fmin fmod gcd greater greater_equal heaviside
    hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_xor matmul matvec
    maximum minimum mod multiply nextafter pow power remainder right_shift subtract true_divide
    vecdot vecmat: x1 x2
equal logical_and logical_or not_equal: x1~ x2~
bool bool_ bytes_ double float128 float16 float32 float64 half longdouble single: value~
byte int16 int32 int64 int8 int_ intc intp long longlong short ubyte uint uint16 uint32 uint64
    uint8 uintc uintp ulong ulonglong ushort: value
asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray copy flatnonzero ravel
    real_if_close require: a~
sort_complex: a
count_nonzero nanargmax nanargmin nancumprod nancumsum: a~ axis:index~
expand_dims: a~ axis:index
nanmean packbits ptp sort unpackbits median nanmedian: a axis:index~
all any argmax argmin cumprod cumsum mean squeeze: a:ok axis:index~
cdouble clongdouble complex128 complex256 complex64 csingle: real~
dtype isdtype issubdtype mintypecode promote_types typename: -> static
column_stack dstack hstack row_stack vstack: tup~
dot inner kron outer vdot: a b
frexp modf: x -> tuple
unique_all unique_counts unique_inverse: x~ -> tuple
amax amin max min: a:ok axis:index~ ? ? initial:item~
bartlett blackman hamming hanning: M
intersect1d setxor1d union1d: ar1 ar2
setdiff1d: ar1~ ar2~
nanpercentile nanquantile percentile quantile: a q axis:index~
atleast_1d atleast_2d atleast_3d: *arys~
concat concatenate: arrays axis:index~
stack: arrays~ axis:index
dsplit hsplit vsplit: ary:ok indices_or_sections:bool(index) -> tuple
empty ones zeros: shape:index
polyadd polymul polysub: a1 a2
argpartition partition: a kth axis:index~
around round: a:ok decimals:index
array2string: a -> static
min_scalar_type: a~ -> static
array_equal array_equiv: a1:ok(ok) a2:ok(ok) -> static
broadcast_arrays: *args~ -> tuple
ix_: *args -> tuple
convolve correlate: a v
cumulative_prod cumulative_sum: x~ * axis:index~
diag: v k:index
diagflat: v~ k:index
diagonal trace: a offset:index axis1:index axis2:index
fliplr flipud: m
format_float_positional format_float_scientific: x:float -> static
iinfo vectorize: -> object
imag real: val:ok
iscomplexobj isrealobj: x:ok -> static
linspace logspace: start stop num:index ? ? ? axis:bool(index)
may_share_memory shares_memory: a~ b~ -> static
nanmax nanmin: a axis:index~ ? ? initial:item~
nanprod nansum: a axis:index~ ? ? ? initial:item~
nanstd nanvar: a axis:index~ ? ? ddof
ndim shape: a:ok -> static
ones_like zeros_like: a~ ? ? ? shape:index~
permute_dims transpose: a:ok axes:index~
prod sum: a:ok axis:index~ ? ? ? initial:item~
savez savez_compressed: ? *args~ -> none
std var: a:ok axis:index~ ? ? ddof:bool(array)
tril triu: m k:bool
tril_indices triu_indices: n:bool k:bool -> tuple
tril_indices_from triu_indices_from: arr:ok k:bool -> object
allclose: a b rtol atol -> static
angle: z deg:bool(ok)
append: arr values axis:index~
apply_along_axis: ? axis:index arr
apply_over_axes: ? a axes
arange: start_or_stop stop~ step~
argsort: a:ok/array axis:index~
argwhere: a/ok~
array: object~
array_split: ary:ok indices_or_sections:int(index) axis:index -> tuple
astype: x:error
average: a axis:index~ weights~
base_repr: number:int base:bool -> static
binary_repr: num:index -> static
bincount: x weights~ minlength:index
block: arrays~
broadcast: *arrays~ -> object
broadcast_shapes: *args:index -> static
broadcast_to: array~ shape:bool
can_cast: from_:ok -> static
choose: a choices
clip: a a_min~ a_max~ * min~ max~
common_type: *arrays:ok -> static
compress: condition a:unknown axis:index~
copyto: dst:error src -> none
corrcoef: x y~
cov: m y~ ? ? ddof:int~
cross: a b ? ? ? axis:index~
delete: arr obj axis:index~
diag_indices: n ndim:error -> tuple
diag_indices_from: arr:ok -> object
diff: a n:bool axis:index prepend append
digitize: x bins right:bool(ok)
divmod: x1 x2 -> tuple
ediff1d: ary~
einsum: *operands
einsum_path: *operands -> static
empty_like: prototype~ ? ? ? shape:index~
extract: condition~ arr
eye: N:index M:index~ k:bool
fill_diagonal: a:error val~ -> none
finfo: dtype:ok -> object
flip: m:ok axis:index~
fromfunction: ? shape:index
fromiter: iter:item
frompyfunc: ? nin:index nout:index -> object
full: shape:index fill_value~
full_like: a~ fill_value~ ? ? ? shape:index~
geomspace: start stop num:float ? ? axis:bool(index)
gradient: f *varargs axis:index~
histogram: a bins:index(array) -> tuple
histogram2d: x y bins:bool ? ? weights~ -> tuple
histogram_bin_edges: a bins:index(array) ? weights~
histogramdd: sample bins:bool ? ? weights~ -> tuple
identity: n:index
indices: dimensions:index
insert: arr obj values~ axis:index~
interp: x~ xp fp
isclose: a b rtol atol
isin: element~ test_elements~
isreal: x:ok
isscalar: element:ok(ok) -> static
iterable: y:ok(ok) -> static
kaiser: M beta
lexsort: keys axis:index
mask_indices: n:index ? k:bool -> tuple
meshgrid: *xi~ -> tuple
moveaxis: a:ok source:index destination:index
nan_to_num: x~ ? nan posinf~
ndarray: shape:index ? ? offset:index
ndenumerate: arr~ -> object
ndindex: *shape:bool -> object
nditer: op:error -> object
nonzero: a/ok -> tuple
pad: array~ pad_width
piecewise: x condlist funclist
place: arr:error mask vals~ -> none
poly: seq_of_zeros
poly1d: c_or_r~ -> object
polyder: p m:int
polydiv: u v -> tuple
polyfit: x y deg:int
polyint: p m:int k~
polyval: p x
put: a:error ind v~ -> none
put_along_axis: arr:error indices values~ axis:index~ -> none
putmask: a:error mask values~ -> none
ravel_multi_index: multi_index dims:index
repeat: a:ok repeats axis:index~
reshape: a:ok shape:index~
resize: a~ new_shape:bool
result_type: *arrays_and_dtypes:ok -> static
roll: a shift axis:index~
rollaxis: a:ok axis:index start:bool
roots: p
rot90: m k:bool axes:bool
save: ? arr~ -> none
savetxt: ? X -> none
searchsorted: a:ok v
select: condlist choicelist default~
size: a:ok axis:index~ -> static
split: ary:ok indices_or_sections:bool(index) axis:index -> tuple
str_: value:ok(ok) -> object
swapaxes: a:ok axis1:index axis2:index
take: a:error(array) indices axis:index~
take_along_axis: arr:ok indices axis:index~
tensordot: a b axes:index
tile: A~ reps:bool
trapezoid: y x~ dx:ok axis:index
tri: N:bool M:bool k:bool
trim_zeros: filt ? axis:index~
unique: ar ? ? ? axis:index~
unravel_index: indices shape:index -> tuple
unstack: x:ok * axis:index -> tuple
unwrap: p ? axis:index * period
vander: x N:index~
where: condition~ x~ y~
""",
}
