"""What Python's builtins and the functions of NumPy take: `register` describes a row's form."""

HOST = {
    "builtins": """\
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
    Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
    ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
    SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError
    UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
    UserWarning ValueError Warning ZeroDivisionError anext bool breakpoint bytearray bytes
    classmethod copyright credits dict dir filter frozenset getattr globals help int iter
    license locals map max min next object range set slice staticmethod str super type vars zip:
abs: x
aiter: async_iterable
all any: iterable
ascii callable hash id len repr: obj
bin hex oct: number
chr: i
compile: source filename mode flags= dont_inherit= optimize= * _feature_version=
complex: real= imag=
delattr hasattr: obj name
divmod: x y
enumerate sum: iterable start=
eval: source globals= locals=
exec: source globals= locals= * closure=
exit quit: code=
float: x=
format: value format_spec=
input: prompt=
isinstance: obj class_or_tuple
issubclass: cls class_or_tuple
list tuple: iterable=
memoryview: object
open: file mode= buffering= encoding= errors= newline= closefd= opener=
ord: c
pow: base exp mod=
print: *args sep= end= file= flush=
property: fget= fset= fdel= doc=
reversed: sequence
round: number ndigits=
setattr: obj name value
sorted: iterable * key= reverse=
""",
    "numpy": """\
False_ ScalarType True_ broadcast_shapes c_ char character complexfloating conftest core
    ctypeslib distutils dtypes e emath euler_gamma exceptions f2py fft flatiter flexible
    floating fromstring generic get_include get_printoptions getbufsize geterr geterrcall
    index_exp inexact inf integer ix_ lib linalg little_endian ma mgrid nan newaxis number ogrid
    pi polynomial printoptions r_ random rec s_ sctypeDict show_runtime signedinteger strings
    testing tests typecodes typing ufunc unsignedinteger:
abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh
    bitwise_count bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh deg2rad degrees
    exp exp2 expm1 fabs floor frexp invert isfinite isinf isnan isnat log log10 log1p log2
    logical_not modf negative positive rad2deg radians reciprocal rint sign signbit sin sinh
    spacing sqrt square tan tanh trunc: x out= * where= casting= order= dtype= subok= signature=
add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
    copysign divide divmod equal float_power floor_divide fmax fmin fmod gcd greater
    greater_equal heaviside hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2
    logical_and logical_or logical_xor maximum minimum mod multiply nextafter not_equal pow
    power remainder right_shift subtract true_divide: x1 x2 out= * where= casting= order= dtype=
    subok= signature=
all any: a axis= out= keepdims= * where=
allclose isclose: a b rtol= atol= equal_nan=
amax amin max min nanmax nanmin: a axis= out= keepdims= initial= where=
angle: z deg=
append: arr values axis=
apply_along_axis: func1d axis arr *args **
apply_over_axes: func a axes
arange: start_or_stop stop= step= * dtype= device= like=
argmax argmin nanargmax nanargmin: a axis= out= * keepdims=
argpartition partition: a kth axis= kind= order=
argsort sort: a axis= kind= order= * stable=
argwhere flatnonzero isfortran min_scalar_type ndim nonzero shape sort_complex: a
around round: a decimals= out=
array: object dtype= * copy= order= subok= ndmin= ndmax= like=
array2string: a max_line_width= precision= suppress_small= separator= prefix= * formatter=
    threshold= edgeitems= sign= floatmode= suffix= legacy=
array_equal: a1 a2 equal_nan=
array_equiv polyadd polymul polysub: a1 a2
array_repr: arr max_line_width= precision= suppress_small=
array_split split: ary indices_or_sections axis=
array_str: a max_line_width= precision= suppress_small=
asanyarray asarray: a dtype= order= * device= copy= like=
asarray_chkfinite: a dtype= order=
ascontiguousarray asfortranarray: a dtype= * like=
asmatrix: data dtype=
astype: x dtype * copy= device=
atleast_1d atleast_2d atleast_3d: *arys
average: a axis= weights= returned= * keepdims=
bartlett blackman hamming hanning: M
base_repr: number base= padding=
binary_repr: num width=
bincount: x weights= minlength=
block: arrays
bmat: obj ldict= gdict=
bool bool_ byte double float128 float16 float32 float64 half int16 int32 int64 int8 int_ intc
    intp long longdouble longlong object_ short single ubyte uint uint16 uint32 uint64 uint8
    uintc uintp ulong ulonglong ushort: value=
broadcast common_type: *arrays
broadcast_arrays: *args subok=
broadcast_to: array shape subok=
busday_count: begindates enddates weekmask= holidays= busdaycal= out=
busday_offset: dates offsets roll= weekmask= holidays= busdaycal= out=
busdaycalendar: weekmask= holidays=
bytes_ str_: value= *args **
can_cast: from_ to casting=
cdouble clongdouble complex128 complex256 complex64 csingle: real= imag=
choose: a choices out= mode=
clip: a a_min= a_max= out= * min= max= **
column_stack dstack: tup
compress: condition a axis= out=
concat concatenate stack: arrays axis= out= * dtype= casting=
convolve correlate: a v mode=
copy: a order= subok=
copyto: dst src casting= where=
corrcoef: x y= rowvar= * dtype=
count_nonzero: a axis= * keepdims=
cov: m y= rowvar= bias= ddof= fweights= aweights= * dtype=
cross: a b axisa= axisb= axisc= axis=
cumprod cumsum nancumprod nancumsum: a axis= dtype= out=
cumulative_prod cumulative_sum: x * axis= dtype= out= include_initial=
datetime64 timedelta64: value= *args
datetime_as_string: arr unit= timezone= casting=
datetime_data finfo: dtype
delete: arr obj axis=
diag diagflat: v k=
diag_indices: n ndim=
diag_indices_from ndenumerate: arr
diagonal: a offset= axis1= axis2=
diff: a n= axis= prepend= append=
digitize: x bins right=
dot outer: a b out=
dsplit hsplit vsplit: ary indices_or_sections
dtype: dtype align= copy= **
ediff1d: ary to_end= to_begin=
einsum: *operands out= optimize= **
einsum_path: *operands optimize= einsum_call=
empty ones zeros: shape dtype= order= * device= like=
empty_like: prototype dtype= order= subok= shape= * device=
errstate: * call= all= divide= over= under= invalid=
expand_dims: a axis
extract: condition arr
eye: N M= k= dtype= order= * device= like=
fill_diagonal: a val wrap=
fix isneginf isposinf: x out=
flip: m axis=
fliplr flipud: m
format_float_positional: x precision= unique= fractional= trim= sign= pad_left= pad_right=
    min_digits=
format_float_scientific: x precision= unique= trim= sign= pad_left= exp_digits= min_digits=
from_dlpack: x * device= copy=
frombuffer: buffer dtype= count= offset= * like=
fromfile: file dtype= count= sep= offset= * like=
fromfunction: function shape * dtype= like= **
fromiter: iter dtype count= * like=
frompyfunc: func nin nout **
fromregex: file regexp dtype encoding=
full: shape fill_value dtype= order= * device= like=
full_like: a fill_value dtype= order= subok= shape= * device=
genfromtxt: fname dtype= comments= delimiter= skip_header= skip_footer= converters=
    missing_values= filling_values= usecols= names= excludelist= deletechars= replace_space=
    autostrip= case_sensitive= defaultfmt= unpack= usemask= loose= invalid_raise= max_rows=
    encoding= * ndmin= like=
geomspace: start stop num= endpoint= dtype= axis=
gradient: f *varargs axis= edge_order=
histogram: a bins= range= density= weights=
histogram2d: x y bins= range= density= weights=
histogram_bin_edges: a bins= range= weights=
histogramdd: sample bins= range= density= weights=
hstack row_stack vstack: tup * dtype= casting=
i0 iscomplex iscomplexobj isreal isrealobj matrix_transpose sinc unique_all unique_counts
    unique_inverse unique_values: x
identity: n dtype= * like=
iinfo: int_type
imag real: val
indices: dimensions dtype= sparse=
info: object= maxwidth= output= toplevel=
inner kron vdot: a b
insert: arr obj values axis=
interp: x xp fp left= right= period=
intersect1d: ar1 ar2 assume_unique= return_indices=
is_busday: dates weekmask= holidays= busdaycal= out=
isdtype: dtype kind
isin: element test_elements assume_unique= invert= * kind=
isscalar: element
issubdtype: arg1 arg2
iterable: y
kaiser: M beta
lexsort: keys axis=
linspace: start stop num= endpoint= retstep= dtype= axis= * device=
load: file mmap_mode= allow_pickle= fix_imports= encoding= * max_header_size=
loadtxt: fname dtype= comments= delimiter= converters= skiprows= usecols= unpack= ndmin=
    encoding= max_rows= * quotechar= like=
logspace: start stop num= endpoint= base= dtype= axis=
mask_indices: n mask_func k=
matmul matvec vecdot vecmat: x1 x2 out= * axes= axis= keepdims= casting= order= dtype= subok=
    signature=
matrix: data dtype= copy=
may_share_memory shares_memory: a b max_work=
mean nanmean: a axis= dtype= out= keepdims= * where=
median nanmedian: a axis= out= overwrite_input= keepdims=
memmap: filename dtype= mode= offset= shape= order=
meshgrid: *xi copy= sparse= indexing=
mintypecode: typechars typeset= default=
moveaxis: a source destination
nan_to_num: x copy= nan= posinf= neginf=
nanpercentile nanquantile percentile quantile: a q axis= out= overwrite_input= method= keepdims=
    * weights=
nanprod nansum prod sum: a axis= dtype= out= keepdims= initial= where=
nanstd nanvar std var: a axis= dtype= out= ddof= keepdims= * where= mean= correction=
ndarray: shape dtype= buffer= offset= strides= order=
ndindex: *shape
nditer: op flags= op_flags= op_dtypes= order= casting= op_axes= itershape= buffersize=
nested_iters: op axes flags= op_flags= op_dtypes= order= casting= buffersize=
ones_like zeros_like: a dtype= order= subok= shape= * device=
packbits: a axis= bitorder=
pad: array pad_width mode= **
permute_dims transpose: a axes=
piecewise: x condlist funclist *args **
place: arr mask vals
poly: seq_of_zeros
poly1d: c_or_r r= variable=
polyder: p m=
polydiv: u v
polyfit: x y deg rcond= full= w= cov=
polyint: p m= k=
polyval: p x
promote_types: type1 type2
ptp: a axis= out= keepdims=
put: a ind v mode=
put_along_axis: arr indices values axis
putmask: a mask values
ravel: a order=
ravel_multi_index: multi_index dims mode= order=
real_if_close: a tol=
recarray: shape dtype= buf= offset= strides= formats= names= titles= byteorder= aligned= order=
record void: length_or_data dtype=
repeat: a repeats axis=
require: a dtype= requirements= * like=
reshape: a shape order= * copy=
resize: a new_shape
result_type: *arrays_and_dtypes
roll: a shift axis=
rollaxis: a axis start=
roots: p
rot90: m k= axes=
save: file arr allow_pickle=
savetxt: fname X fmt= delimiter= newline= header= footer= comments= encoding=
savez savez_compressed: file *args allow_pickle= **
searchsorted: a v side= sorter=
select: condlist choicelist default=
set_printoptions: precision= threshold= edgeitems= linewidth= suppress= nanstr= infstr=
    formatter= sign= floatmode= * legacy= override_repr=
setbufsize: size
setdiff1d setxor1d: ar1 ar2 assume_unique=
seterr: all= divide= over= under= invalid=
seterrcall: func
show_config: mode=
size squeeze: a axis=
swapaxes: a axis1 axis2
take: a indices axis= out= mode=
take_along_axis: arr indices axis=
tensordot: a b axes=
test: label= verbose= extra_argv= doctests= coverage= durations= tests=
tile: A reps
trace: a offset= axis1= axis2= dtype= out=
trapezoid: y x= dx= axis=
tri: N M= k= dtype= * like=
tril triu: m k=
tril_indices triu_indices: n k= m=
tril_indices_from triu_indices_from: arr k=
trim_zeros: filt trim= axis=
typename: char
union1d: ar1 ar2
unique: ar return_index= return_inverse= return_counts= axis= * equal_nan= sorted=
unpackbits: a axis= count= bitorder=
unravel_index: indices shape order=
unstack: x * axis=
unwrap: p discont= axis= * period=
vander: x N= increasing=
vectorize: pyfunc= otypes= doc= excluded= cache= signature=
where: condition x= y=
""",
    "numpy.fft": """\
tests:
fft hfft ifft ihfft irfft rfft: a n= axis= norm= out=
fft2 fftn ifft2 ifftn irfft2 irfftn rfft2 rfftn: a s= axes= norm= out=
fftfreq rfftfreq: n d= device=
fftshift ifftshift: x axes=
test: label= verbose= extra_argv= doctests= coverage= durations= tests=
""",
    "numpy.linalg": """\
LinAlgError lapack_lite tests:
cholesky: a * upper=
cond: x p=
cross vecdot: x1 x2 * axis=
det eig eigvals inv slogdet: a
diagonal: x * offset=
eigh eigvalsh: a UPLO=
lstsq: a b rcond=
matmul outer: x1 x2
matrix_norm: x * keepdims= ord=
matrix_power: a n
matrix_rank: A tol= hermitian= * rtol=
matrix_transpose svdvals: x
multi_dot: arrays * out=
norm: x ord= axis= keepdims=
pinv: a rcond= hermitian= * rtol=
qr: a mode=
solve: a b
svd: a full_matrices= compute_uv= hermitian=
tensordot: x1 x2 * axes=
tensorinv: a ind=
tensorsolve: a b axes=
test: label= verbose= extra_argv= doctests= coverage= durations= tests=
trace: x * offset= dtype=
vector_norm: x * axis= keepdims= ord=
""",
    "numpy.random": """\
bit_generator get_bit_generator mtrand rand randn ranf sample tests:
beta: a b size=
binomial negative_binomial: n p size=
BitGenerator MT19937 PCG64 PCG64DXSM RandomState SFC64 default_rng seed: seed=
bytes: length
chisquare standard_t: df size=
choice: a size= replace= p=
dirichlet: alpha size=
exponential rayleigh: scale= size=
f: dfnum dfden size=
gamma: shape scale= size=
Generator: bit_generator
geometric logseries: p size=
get_state: legacy=
gumbel laplace logistic normal: loc= scale= size=
hypergeometric: ngood nbad nsample size=
lognormal: mean= sigma= size=
multinomial: n pvals size=
multivariate_normal: mean cov size= check_valid= tol=
noncentral_chisquare: df nonc size=
noncentral_f: dfnum dfden nonc size=
pareto power weibull zipf: a size=
permutation shuffle: x
Philox: seed= counter= key=
poisson: lam= size=
randint: low high= size= dtype=
random random_sample standard_cauchy standard_exponential standard_normal: size=
random_integers: low high= size=
SeedSequence: entropy= * spawn_key= pool_size= n_children_spawned=
set_bit_generator: bitgen
set_state: state
standard_gamma: shape size=
test: label= verbose= extra_argv= doctests= coverage= durations= tests=
triangular: left mode right size=
uniform: low= high= size=
vonmises: mu kappa size=
wald: mean scale size=
""",
}
