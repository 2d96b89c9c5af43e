"""Example calls of NumPy functions.

Each row is a call that works with concrete arguments, and the functions that take it.
A method's first argument is its object.
"""

NUMPY_EXAMPLES = {
    "numpy": """\
(v): abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh argwhere array
    array2string asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray asin asinh
    atan atanh atleast_1d atleast_2d atleast_3d bytes_ cbrt ceil common_type conj conjugate copy
    cos cosh deg2rad degrees ediff1d exp exp2 expm1 fabs fix flatnonzero flipud floor frexp i0
    imag iscomplex iscomplexobj isfinite isinf isnan isneginf isposinf isreal isrealobj isscalar
    iterable log log10 log1p log2 logical_not min_scalar_type modf ndenumerate ndim nditer
    negative nonzero poly poly1d positive rad2deg radians ravel real real_if_close reciprocal
    require rint roots shape sign signbit sin sinc sinh sort_complex spacing sqrt square tan tanh
    trunc unique_all unique_counts unique_inverse unique_values
(v, v): add arctan2 array_equal array_equiv atan2 copysign divide divmod dot equal float_power
    floor_divide fmax fmin fmod greater greater_equal heaviside hypot inner intersect1d kron less
    less_equal logaddexp logaddexp2 logical_and logical_or logical_xor matmul maximum
    may_share_memory minimum mod multiply nextafter not_equal outer polyadd polydiv polymul
    polysub pow power remainder setdiff1d setxor1d shares_memory subtract true_divide union1d vdot
    vecdot
(v, axis=0): all any argmax argmin argsort count_nonzero cumprod cumsum cumulative_prod
    cumulative_sum mean median nanargmax nanargmin nancumprod nancumsum nanmean nanmedian ptp size
    sort trapezoid trim_zeros unique unstack
(v, w, 1e-05, 1e-08): allclose isclose
(v, axis=0, initial=1.0): amax amin max min nanmax nanmin nanprod nansum prod
(v, deg=1): angle
(v, w, axis=0): append cross
(np.sum, 0, m): apply_along_axis
(np.sum, m, (0,)): apply_over_axes
(0, 5, 2): arange
(v, 1, axis=0): argpartition delete partition roll
(v, 1): around pad round
([v, w]): array block column_stack dstack hstack row_stack vstack
(v, 3, axis=0): array_split split
(v, np.float32): astype
(v, axis=0, weights=w): average
(3): bartlett blackman empty hamming hanning identity ones zeros
(5, 2): base_repr
(5): binary_repr
(iv, v, 3): bincount
(iv, iv): bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor gcd ix_ lcm
    ldexp left_shift right_shift
(iv): bitwise_count bitwise_invert bitwise_not invert
(1): bool bool_ byte int16 int32 int64 int8 int_ intc intp longlong short ubyte uint uint16 uint32
    uint64 uint8 uintc uintp ulong ulonglong ushort
(v, w): broadcast broadcast_arrays convolve corrcoef correlate isin meshgrid polyval result_type
    searchsorted trapezoid
((3, 1), (3,)): broadcast_shapes
(v, (2, 3)): broadcast_to
(v, np.float64): can_cast
(0.5): cdouble clongdouble complex128 complex256 complex64 csingle double finfo float128 float16
    float32 float64 format_float_positional format_float_scientific half long longdouble single
    str_
(iv, [w, w, w]): choose
(v, 0.0, 1.0): clip
(v, min=0.0, max=1.0): clip
(b, v, axis=0): compress
([v, w], axis=0): concat concatenate stack
(np.zeros(3), v): copyto
(v, w, ddof=1): cov
(v, 0): diag expand_dims
(m, 0): diag tril triu
(3, 2): diag_indices
(m): diag_indices_from fliplr matrix_transpose
(v, k=1): diagflat
(m, 0, 0, 1): diagonal trace
(v, n=4, axis=0, prepend=0.0, append=0.0): diff
(v, w, right=1): digitize
(t, 3): dsplit
('float32'): dtype
('i,i', v, w): einsum einsum_path
((3, 2)): empty ones zeros
(v, shape=(3,)): empty_like ones_like zeros_like
(b, v): extract
(3, 4, 1): eye
(np.zeros((3, 3)), 1.0): fill_diagonal
(m, axis=0): flip
(np.add, (3, 3)): fromfunction
([1.0, 2.0], float): fromiter
(np.add, 2, 1): frompyfunc
((3, 2), 1.0): full
(3, 1.0): full
(v, 1.0, shape=(3,)): full_like
(1.0, 2.0, 5, axis=0): geomspace
(v, 0.5, axis=0): gradient nanquantile quantile
(v, 4): histogram
(v, w, 4, weights=v): histogram2d
(v, 4, weights=v): histogram_bin_edges
(m, 4, weights=v): histogramdd
(m, 3): hsplit vsplit
(np.int32): iinfo
((2, 3)): indices
(v, 1, 2.0, axis=0): insert
(v, w, w): interp
(np.dtype('float32'), 'real floating'): isdtype
(np.float32, np.floating): issubdtype
(5, 2.0): kaiser
((v, w), axis=0): lexsort
(0.0, 1.0, 5, axis=0): linspace logspace
(3, np.triu, 0): mask_indices
(m, m): matvec vecmat
('fd'): mintypecode
(m, 0, 1): moveaxis swapaxes
(v, nan=0.0): nan_to_num
(v, posinf=1.0): nan_to_num
(v, 50.0, axis=0): nanpercentile percentile
(v, axis=0, ddof=1): nanstd nanvar std var
((3,), offset=0): ndarray
(2, 3): ndindex
(b, axis=0): packbits
(m, (1, 0)): permute_dims transpose
(v, [v < 0.5, v >= 0.5], [0.0, 1.0]): piecewise
(np.zeros(3), b, v): place putmask
(w, 1): polyder
(v, w, 1): polyfit
(w, 1, k=1): polyint
(np.float32, np.int32): promote_types
(np.zeros(3), iv, v): put
(np.zeros(3), iv, v, 0): put_along_axis
((iv, iv), (3, 3)): ravel_multi_index
(v, 2, axis=0): repeat
(v, iv, axis=0): repeat take
(v, (3, 1)): reshape
(v, (4,)): resize
(m, 1, 0): rollaxis
(m, k=1, axes=(1, 0)): rot90
([b, b], [v, w], 0.0): select
(np.ones((1, 3)), 0): squeeze
(m, axis=0, initial=1.0): sum
(v, iv, 0): take_along_axis
(m, m, 1): tensordot
(v, 2): tile
(v, dx=0.5): trapezoid
(3, 3, 1): tri
(3, 0): tril_indices triu_indices
(m, k=1): tril_indices_from triu_indices_from
('f'): typename
(np.uint8(3), axis=0): unpackbits
(iv, (3, 3)): unravel_index
(v, axis=0, period=1): unwrap
(v, 3): vander
(np.add): vectorize
(b, v, w): where
(io.BytesIO(), v): save savez savez_compressed
(io.StringIO(), v): savetxt
""",
    "numpy.c_": """\
((v, w)): __getitem__
""",
    "numpy.emath": """\
(v): arccos arcsin arctanh log log10 log2 sqrt
(4, v): logn
(v, 0.5): power
""",
    "numpy.fft": """\
(v, n=4, axis=0): fft hfft ifft ihfft irfft rfft
(m, s=(3, 3), axes=(1, 0)): fft2 ifft2 irfft2 rfft2
(4, 1.0): fftfreq rfftfreq
(v): fftn ifftn irfftn rfftn
(v, axes=0): fftshift ifftshift
""",
    "numpy.lib.stride_tricks": """\
(v, (2,), (4,)): as_strided
(v, 2, axis=0): sliding_window_view
""",
    "numpy.linalg": """\
(m): cholesky cond det eig eigh eigvals eigvalsh inv matrix_norm matrix_transpose norm qr slogdet
    svd svdvals
(v, w, axis=0): cross
(m, offset=0): diagonal trace
(m, v): lstsq solve
(v, v): matmul outer
(m, 2): matrix_power
(m, 1e-05): matrix_rank pinv
([m, m, m]): multi_dot
(v, 2, axis=0): norm
(m, m, axes=1): tensordot
(m, 1): tensorinv
(m, v, axes=(1, 0)): tensorsolve
(v, v, axis=0): vecdot
(v, axis=0): vector_norm
""",
    "numpy.ndarray": """\
(m, axis=0): all any mean
(v, axis=0): argmax argmin argsort cumprod cumsum
(v, 1, axis=0): argpartition
(v, np.float64): astype
(iv, [w, w, w]): choose
(v, 0.0, 1.0): clip
(v, b, axis=0): compress
(m, 0, 0, 1): diagonal trace
(v, w): dot searchsorted
(m, v): dot
(np.zeros(3), 1.0): fill
(v): flatten nonzero ravel tolist copy tobytes conj
(v, 1): item round take __getitem__
(m, axis=0, initial=1.0): max min prod sum
(np.ones(3), 1, axis=0): partition
(np.ones(3), iv, v): put __setitem__
(np.ones(3), 1, 1.0): put __setitem__
(v, 2, axis=0): repeat
(v, iv): repeat __getitem__
(v, 3, 1): reshape
(v, (3, 1)): reshape
(np.ones(3), (3,)): resize
(np.ones(3), axis=0): sort
(np.ones((1, 3)), axis=0): squeeze
(m, axis=0, ddof=1): std var
(m, 0, 1): swapaxes
(v, iv, axis=0): take
(m, 1, 0): transpose
(m, (1, 0)): transpose
(v, np.int32): view
(np.ones(3), slice(None), v): __setitem__
""",
    "numpy.poly1d": """\
(np.poly1d([1.0, 2.0]), v): __call__
""",
    "numpy.polynomial": """\
(v): Polynomial
""",
    "numpy.polynomial.Polynomial": """\
(np.polynomial.Polynomial([1.0, 2.0]), v): __call__
""",
    "numpy.polynomial.chebyshev": """\
(v, w): chebval
(3,): chebgauss
""",
    "numpy.polynomial.hermite": """\
(v, w): hermval
(3,): hermgauss
""",
    "numpy.polynomial.hermite_e": """\
(3,): hermegauss
""",
    "numpy.polynomial.laguerre": """\
(v, w): lagval
(3,): laggauss
""",
    "numpy.polynomial.legendre": """\
(v, w): legval
(3,): leggauss
""",
    "numpy.polynomial.polynomial": """\
(v, w): polyval
""",
    "numpy.r_": """\
((v, w)): __getitem__
""",
    "numpy.random": """\
(0): RandomState default_rng seed
(v, v, size=3): beta f vonmises
(5, 0.5, size=3): binomial negative_binomial
(3): bytes
(3.0, size=3): chisquare standard_t
(5, 3): choice
(v, 3): choice
(w, size=3): dirichlet
(scale=1.0, size=3): exponential rayleigh
((3,), scale=1.0, size=3): gamma
(0.5, size=3): geometric logseries
(loc=0.0, scale=1.0, size=3): gumbel laplace logistic normal
(5, 5, 3, size=3): hypergeometric
(0.0, 1.0, 3): lognormal uniform
(5, [0.2, 0.8], size=3): multinomial
(v, m, size=3): multivariate_normal
(3.0, v, size=3): noncentral_chisquare
(v, v, v, size=3): noncentral_f
(v, size=3): pareto power weibull
(v): permutation
(5): permutation
(2.0, size=3): poisson zipf
(3, 2): rand randn
(0, 5, size=3): randint
(size=3): random random_sample standard_cauchy standard_exponential standard_normal
(1, 5): random_integers
(n): ranf sample
(np.ones(3)): shuffle
((3,), size=3): standard_gamma
(0.0, 0.5, 1.0, size=3): triangular
(v, 1.0, size=3): wald
""",
    "numpy.random.Generator": """\
(g, 1.0, 2.0, 3): beta
(g, 5, 0.5, 3): binomial negative_binomial
(g, 3.0, 3): chisquare standard_t
(g, 5, 3): choice
(g, v, 3): choice
(g, 1.0, 3): exponential pareto poisson power rayleigh standard_gamma weibull
(g, 1.0, 1.0, 3): gamma wald
(g, 0.5, 3): geometric
(g, 0.0, 1.0, 3): gumbel laplace logistic lognormal normal uniform vonmises
(g, 0, 5, 3): integers
(g, 5, [0.5, 0.5], 3): multinomial
(g, v, m, 3): multivariate_normal
(g, 5): permutation
(g, v): permutation
(g, v, axis=0): permuted
(g, 3): random standard_cauchy standard_exponential standard_normal
(g, np.ones(3)): shuffle
(g, 0.0, 0.5, 1.0, 3): triangular
(g, 2.0, 3): zipf
(g, w, 3): dirichlet
""",
    "numpy.random.RandomState": """\
(R, 1.0, 2.0, 3): beta
(R, 5, 0.5, 3): binomial negative_binomial
(R, 3.0, 3): chisquare standard_t
(R, 5, 3): choice
(R, v, 3): choice
(R, 1.0, 3): exponential pareto poisson power rayleigh standard_gamma weibull
(R, 1.0, 1.0, 3): gamma wald
(R, 0.5, 3): geometric
(R, 0.0, 1.0, 3): gumbel laplace logistic lognormal normal uniform vonmises
(R, 0, 5, 3): randint
(R, 5, [0.5, 0.5], 3): multinomial
(R, v, m, 3): multivariate_normal
(R, 5): permutation
(R, v): permutation
(R, 3): random_sample standard_cauchy standard_exponential standard_normal rand randn
(R, np.ones(3)): shuffle
(R, 0.0, 0.5, 1.0, 3): triangular
(R, 2.0, 3): zipf
(R, w, 3): dirichlet
""",
    "numpy.testing": """\
(True): assert_
(v, v, rtol=1e-5, atol=1e-8): assert_allclose
(v, v): assert_almost_equal assert_array_almost_equal assert_array_equal assert_equal
(s, s): assert_almost_equal assert_approx_equal assert_equal
(v, w): assert_array_less
""",
    "numpy.ufunc": """\
(np.add, v, 0): reduce accumulate
(np.add, v, w): outer
(np.add, np.ones(3), iv, v): at
(np.add, v, iv): reduceat
""",
    "numpy.vectorize": """\
(np.vectorize(np.float64), v): __call__
""",
}
