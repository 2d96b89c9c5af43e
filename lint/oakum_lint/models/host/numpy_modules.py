"""What NumPy's submodules and the methods of its objects do with a tracer.

The parameters of a method start after `self`.
Each row is measured on JAX; `models.parameter` describes its form.
"""

NUMPY_MODULES = {
    "numpy.c_": """\
__getitem__: key~
""",
    "numpy.emath": """\
arccos arcsin arctanh log log10 log2 sqrt: x
logn: n x
power: x p
""",
    "numpy.fft": """\
fft hfft ifft ihfft irfft rfft: a n:bool axis:index
fft2 ifft2 irfft2 rfft2: a s:bool axes:index~
fftn ifftn: a~
irfftn rfftn: a
fftfreq rfftfreq: n:index d:ok
fftshift ifftshift: x axes:index~
""",
    "numpy.lib.stride_tricks": """\
as_strided: x~ shape:index~ strides:index~
sliding_window_view: x window_shape axis:index~
""",
    "numpy.linalg": """\
cholesky det eigvals eigvalsh inv: a
eig eigh qr slogdet svd: a -> tuple
cond matrix_norm matrix_transpose svdvals: x
cross vecdot: x1 x2 * axis:index
diagonal trace: x * offset:index
matmul outer: x1 x2
lstsq: a b -> tuple
matrix_power: a n:index
matrix_rank: A~ tol~
multi_dot: arrays
norm: x ord:bool(array) axis:index~
pinv: a rcond~
solve: a b
tensordot: x1 x2 * axes:index
tensorinv: a ind:bool
tensorsolve: a b axes:bool
vector_norm: x * axis:index~
""",
    "numpy.ndarray": """\
all any argmax argmin argsort cumprod cumsum mean squeeze: axis:index~
astype conj copy flatten ravel view:
max min prod sum: axis:index~ * initial:item~
diagonal trace: offset:index axis1:index axis2:index
std var: axis:index~ ? ? ddof:bool(array)
tobytes tolist: -> static
__getitem__: key~
__setitem__: key~ value:unknown(array) -> none
argpartition: kth axis:index~
choose: choices
clip: min~ max~
compress: condition axis:index~
dot: other
fill: value:item~ -> none
item: *args:index -> static
nonzero: -> tuple
partition: kth axis:index -> none
put: indices values~ -> none
repeat: repeats axis:index~
reshape: *shape:index~
resize: *new_shape:index~ -> none
round: decimals:index
searchsorted: v
sort: axis:index -> none
swapaxes: axis1:index axis2:index
take: indices axis:index~
transpose: *axes:index~
""",
    "numpy.poly1d": """\
__call__: val
""",
    "numpy.polynomial": """\
Polynomial: coef~ -> object
""",
    "numpy.polynomial.Polynomial": """\
__call__: arg
""",
    "numpy.polynomial.chebyshev": """\
chebval: x:ok c
chebgauss: deg:index -> tuple
""",
    "numpy.polynomial.hermite": """\
hermval: x:ok c
hermgauss: deg:index -> tuple
""",
    "numpy.polynomial.hermite_e": """\
hermegauss: deg:index -> tuple
""",
    "numpy.polynomial.laguerre": """\
lagval: x:ok c
laggauss: deg:index -> tuple
""",
    "numpy.polynomial.legendre": """\
legval: x:ok c
leggauss: deg:index -> tuple
""",
    "numpy.polynomial.polynomial": """\
polyval: x:ok c
""",
    "numpy.r_": """\
__getitem__: key~
""",
    "numpy.testing": """\
assert_almost_equal assert_array_almost_equal assert_array_equal assert_equal: actual desired ->
    none
assert_: val:bool(ok) -> none
assert_allclose: actual desired rtol:format atol:format -> none
assert_approx_equal: actual:float desired:float -> none
assert_array_less: x y -> none
""",
    "numpy.ufunc": """\
accumulate: array axis:index~
reduce: array~ axis:index~
at: a:error indices~ b -> none
outer: A B
reduceat: array indices
""",
    "numpy.vectorize": """\
__call__: *args~
""",
}
