"""Parameters of JAX's functions that take arrays and numbers only: a list or tuple passed for one
raises TypeError. Measured, as JAX's own signatures do not say.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_MEASURED = {
    "nn": """
        celu:x elu:x gelu:x glu:x hard_silu:x hard_swish:x hard_tanh:x identity:x leaky_relu:x
        log1mexp:x log_sigmoid:x log_softmax:x,where logmeanexp:x,where logsumexp:a,b,where
        mish:x relu:x relu6:x selu:x silu:x soft_sign:x softmax:x,where softplus:x sparse_plus:x
        squareplus:x,b standardize:x swish:x tanh:x
    """,
    "numpy": """
        abs:x absolute:x acos:x acosh:x add:x,y all:a allclose:a,b amax:a,where amin:a,where
        angle:z any:a append:arr,values apply_along_axis:arr arccos:x arccosh:x arcsin:x
        arcsinh:x arctan:x arctan2:x1,x2 arctanh:x argmax:a argmin:a argpartition:a argsort:a
        argwhere:a around:a array_split:ary asin:x asinh:x astype:x atan:x atan2:x1,x2 atanh:x
        average:weights bincount:x bitwise_and:x,y bitwise_count:x bitwise_invert:x
        bitwise_left_shift:x,y bitwise_not:x bitwise_or:x,y bitwise_right_shift:x1,x2
        bitwise_xor:x,y broadcast_to:array cbrt:x ceil:x choose:a clip:arr,min,max
        compress:condition,a conj:x conjugate:x convolve:a,v copy:a copysign:x1,x2 corrcoef:x,y
        correlate:a,v cos:x cosh:x count_nonzero:a cov:m,y,fweights,aweights cross:a,b cumprod:a
        cumsum:a cumulative_prod:x cumulative_sum:x deg2rad:x degrees:x delete:arr,obj diag:v
        diag_indices_from:arr diagflat:v diagonal:a diff:a,prepend,append digitize:x,bins
        divide:x1,x2 divmod:x1,x2 dot:a,b dsplit:ary ediff1d:ary,to_end,to_begin
        empty_like:prototype equal:x,y exp:x exp2:x expand_dims:a expm1:x extract:condition,arr
        fabs:x flatnonzero:a flip:m fliplr:m flipud:m float_power:x,y floor:x floor_divide:x1,x2
        fmax:x1,x2 fmin:x1,x2 fmod:x1,x2 frexp:x full_like:a,fill_value gcd:x1,x2 greater:x,y
        greater_equal:x,y heaviside:x1,x2 histogram:a,bins,weights histogram2d:x,y,weights
        histogram_bin_edges:a,bins histogramdd:sample,weights hsplit:ary hypot:x1,x2 i0:x
        imag:val inner:a,b insert:arr,obj,values interp:x,xp,fp,left intersect1d:ar1,ar2
        invert:x isclose:a,b iscomplex:x isfinite:x isin:element,test_elements isinf:x isnan:x
        isneginf:x isposinf:x isreal:x kron:a,b lcm:x1,x2 ldexp:x1,x2 left_shift:x,y less:x,y
        less_equal:x,y linspace:start,stop log:x log10:x log1p:x log2:x logaddexp:x,y
        logaddexp2:x,y logical_and:x,y logical_not:x logical_or:x,y logical_xor:x,y
        logspace:base matmul:a,b matrix_transpose:x matvec:x1,x2 max:a,where maximum:x,y mean:a
        median:a min:a,where minimum:x,y mod:x1,x2 modf:x moveaxis:a multiply:x,y nan_to_num:x
        nanargmax:a nanargmin:a nancumprod:a nancumsum:a nanmax:a,where nanmean:a,where
        nanmedian:a nanmin:a,where nanpercentile:a,q nanprod:a nanquantile:a,q nanstd:a nansum:a
        nanvar:a negative:x nextafter:x,y nonzero:a not_equal:x,y ones_like:a outer:a,b
        packbits:a pad:array partition:a percentile:a,q permute_dims:a piecewise:x
        place:arr,mask,vals poly:seq_of_zeros polyadd:a1,a2 polyder:p polydiv:u,v polyfit:x,y
        polyint:p,k polymul:a1,a2 polysub:a1,a2 polyval:p,x positive:x pow:x1,x2 power:x1,x2
        prod:a ptp:a quantile:a,q rad2deg:x radians:x ravel:a real:val reciprocal:x
        remainder:x1,x2 repeat:a,repeats reshape:a resize:a right_shift:x1,x2 rint:x roll:a
        rollaxis:a roots:p rot90:m round:a searchsorted:a,v,sorter select:default
        setdiff1d:ar1,ar2 setxor1d:ar1,ar2 sign:x signbit:x sin:x sinc:x sinh:x sort:a
        sort_complex:a spacing:x split:ary sqrt:x square:x squeeze:a std:a subtract:x,y sum:a
        swapaxes:a take:a,indices take_along_axis:arr,indices tan:x tanh:x tensordot:a,b tile:A
        trace:a,offset transpose:a trapezoid:y,x tril:m tril_indices_from:arr trim_zeros:filt
        triu:m triu_indices_from:arr true_divide:x1,x2 trunc:x union1d:ar1,ar2 unique:ar
        unique_all:x unique_counts:x unique_inverse:x unique_values:x unpackbits:a
        unravel_index:indices unstack:x unwrap:p vander:x var:a vdot:a,b vecdot:x1,x2
        vecmat:x1,x2 vsplit:ary where:condition,x,y zeros_like:a
    """,
    "numpy.fft": """
        fft:a fft2:a fftn:a fftshift:x hfft:a ifft:a ifft2:a ifftn:a ifftshift:x irfft:a
        irfft2:a irfftn:a rfft:a rfft2:a rfftn:a
    """,
    "numpy.linalg": """
        cholesky:a cond:x cross:x1,x2 det:a diagonal:x eig:a eigh:a eigvals:a eigvalsh:a inv:a
        lstsq:a,b matmul:x1,x2 matrix_norm:x matrix_power:a matrix_rank:M matrix_transpose:x
        norm:x outer:x1,x2 pinv:a qr:a slogdet:a solve:a,b svd:a svdvals:x tensordot:x1,x2
        tensorinv:a tensorsolve:a,b trace:x vecdot:x1,x2 vector_norm:x
    """,
    "scipy.linalg": """
        circulant:c companion:a det:a fiedler:a fiedler_companion:a hankel:c,r inv:a leslie:f,s
        solve:a,b toeplitz:c,r
    """,
    "scipy.special": """
        beta:a,b betainc:a,b,x betaln:a,b boxcox:x,lmbda boxcox1p:x,lmbda comb:N,k dawsn:x
        digamma:x entr:x erf:x erfc:x erfcx:x erfinv:x exp1:x expi:x expit:x factorial:n
        fresnel:x gamma:x gammainc:a,x gammaincc:a,x gammaln:x gammasgn:x i0:x i0e:x i1:x i1e:x
        kl_div:p,q log_softmax:x loggamma:x logit:x logsumexp:a,b,where owens_t:h,a poch:z,m
        polygamma:x rel_entr:p,q sici:x softmax:x sph_harm_y:theta wofz:z xlog1py:x,y xlogy:x,y
        zeta:q
    """,
    "lax": """
        abs:x acos:x add:x,y asin:x atan:x atan2:x,y
        cbrt:x ceil:x clamp:min,x,max cos:x cosh:x cumlogsumexp:operand
        cummax:operand cummin:operand cumprod:operand cumsum:operand digamma:x div:x,y
        dot:lhs,rhs eq:x,y erf:x exp:x exp2:x expm1:x floor:x ge:x,y gt:x,y
        integer_pow:x is_finite:x le:x,y lgamma:x log:x log1p:x logistic:x lt:x,y max:x,y
        min:x,y mul:x,y ne:x,y neg:x pad:operand pow:x,y reciprocal:x rem:x,y reshape:operand
        rev:operand round:x rsqrt:x select:pred,on_true,on_false sign:x sin:x sinh:x sqrt:x
        square:x squeeze:array sub:x,y tan:x tanh:x top_k:operand transpose:operand
    """,
    "random": """
        categorical:logits choice:a permutation:x poisson:lam
    """,
    "ops": """
        segment_max:data,segment_ids segment_min:data,segment_ids segment_prod:data,segment_ids
        segment_sum:data,segment_ids
    """,
    "scipy.stats.norm": """
        cdf:x,loc,scale logcdf:x,loc,scale logpdf:x,loc,scale pdf:x,loc,scale
        sf:x,loc,scale
    """,
}
"""For each namespace, its functions and their parameters: `name:parameter,parameter`."""


def _read() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for namespace, entries in _MEASURED.items():
        for entry in entries.split():
            name, _, parameters = entry.partition(":")
            found[f"{namespace}.{name}"] = tuple(parameters.split(","))
    return found


ARRAY_PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_read())
"""The parameters by the canonical name of the function."""

SEQUENCES_OF_ARRAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lax.concatenate": "operands",
        "numpy.column_stack": "tup",
        "numpy.concat": "arrays",
        "numpy.concatenate": "arrays",
        "numpy.dstack": "tup",
        "numpy.hstack": "tup",
        "numpy.stack": "arrays",
        "numpy.vstack": "tup",
    }
)
"""The parameter that takes a sequence of arrays, none of which may be a list or tuple itself."""

_OF_NUMBERS: Final = frozenset(
    """
    abs absolute add around astype ceil clip divide divmod equal exp exp2 expm1 fabs float_power
    floor floor_divide fmax fmin fmod full_like greater greater_equal hypot isclose less less_equal
    linspace log log10 log1p log2 logspace maximum minimum mod multiply negative not_equal
    ones_like positive pow power reciprocal remainder rint round sign square sqrt subtract
    true_divide trunc zeros_like
    """.split()
)
"""Functions that are also used of sizes, rates and other numbers of Python."""
TAKES_ARRAYS: Final[frozenset[str]] = frozenset(
    {
        "numpy.asarray",
        *(
            name
            for name in ARRAY_PARAMETERS
            if not name.startswith("lax.") and name.rpartition(".")[2] not in _OF_NUMBERS
        ),
    }
)
"""Functions whose first parameter is an array, and hardly a number in its place."""
