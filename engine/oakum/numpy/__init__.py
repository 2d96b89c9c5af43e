"""NumPy's functions, traced: JAX's `jax.numpy`."""

from typing import TYPE_CHECKING, Final

from oakum.numpy import lazy_bodies as lazy_bodies
from oakum.values import lazy_names

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.numpy import linalg as linalg, fft as fft
    from oakum.numpy.array_api import (
        __array_api_version__ as __array_api_version__,
        __array_namespace_info__ as __array_namespace_info__,
    )
    from oakum.numpy.constants import (
        e as e, euler_gamma as euler_gamma, inf as inf, nan as nan, newaxis as newaxis, pi as pi,
    )
    from oakum.numpy.contractions import (
        cross as cross, dot as dot, einsum as einsum, inner as inner, kron as kron,
        matmul as matmul, matvec as matvec, outer as outer, tensordot as tensordot, vdot as vdot,
        vecdot as vecdot, vecmat as vecmat,
    )
    from oakum.numpy.creation import (
        arange as arange, array as array, asarray as asarray, astype as astype,
        bartlett as bartlett, blackman as blackman, copy as copy, diag as diag,
        diagflat as diagflat, empty as empty, empty_like as empty_like, eye as eye, full as full,
        full_like as full_like, geomspace as geomspace, hamming as hamming, hanning as hanning,
        identity as identity, indices as indices, kaiser as kaiser, linspace as linspace,
        logspace as logspace, meshgrid as meshgrid, ones as ones, ones_like as ones_like,
        tri as tri, tril as tril, triu as triu, vander as vander, zeros as zeros,
        zeros_like as zeros_like,
    )
    from oakum.numpy.dtypes import (
        DTypeGroup as DTypeGroup, ScalarType as ScalarType, bfloat16 as bfloat16, bool as bool,
        bool_ as bool_, cdouble as cdouble, character as character, complex128 as complex128,
        complex64 as complex64, complex_ as complex_, complexfloating as complexfloating,
        csingle as csingle, double as double, dtype as dtype, finfo as finfo, flexible as flexible,
        float16 as float16, float32 as float32, float4_e2m1fn as float4_e2m1fn, float64 as float64,
        float6_e2m3fn as float6_e2m3fn, float6_e3m2fn as float6_e3m2fn, float8_e3m4 as float8_e3m4,
        float8_e4m3 as float8_e4m3, float8_e4m3b11fnuz as float8_e4m3b11fnuz,
        float8_e4m3fn as float8_e4m3fn, float8_e4m3fnuz as float8_e4m3fnuz,
        float8_e5m2 as float8_e5m2, float8_e5m2fnuz as float8_e5m2fnuz,
        float8_e8m0fnu as float8_e8m0fnu, float_ as float_, floating as floating,
        generic as generic, iinfo as iinfo, inexact as inexact, int1 as int1, int16 as int16,
        int2 as int2, int32 as int32, int4 as int4, int64 as int64, int8 as int8, int_ as int_,
        integer as integer, ndarray as ndarray, number as number, object_ as object_,
        signedinteger as signedinteger, single as single, uint as uint, uint1 as uint1,
        uint16 as uint16, uint2 as uint2, uint32 as uint32, uint4 as uint4, uint64 as uint64,
        uint8 as uint8, unsignedinteger as unsignedinteger,
    )
    from oakum.numpy.elementwise import (
        abs as abs, absolute as absolute, add as add, angle as angle, around as around,
        cbrt as cbrt, ceil as ceil, clip as clip, conj as conj, conjugate as conjugate,
        copysign as copysign, divide as divide, divmod as divmod, fabs as fabs,
        float_power as float_power, floor as floor, floor_divide as floor_divide, fmax as fmax,
        fmin as fmin, fmod as fmod, frexp as frexp, gcd as gcd, heaviside as heaviside,
        hypot as hypot, imag as imag, interp as interp, lcm as lcm, ldexp as ldexp,
        maximum as maximum, minimum as minimum, mod as mod, modf as modf, multiply as multiply,
        nan_to_num as nan_to_num, negative as negative, nextafter as nextafter,
        positive as positive, pow as pow, power as power, real as real, reciprocal as reciprocal,
        remainder as remainder, rint as rint, round as round, sign as sign, spacing as spacing,
        sqrt as sqrt, square as square, subtract as subtract, true_divide as true_divide,
        trunc as trunc, unwrap as unwrap,
    )
    from oakum.numpy.files import (
        array_repr as array_repr, array_str as array_str, from_dlpack as from_dlpack,
        frombuffer as frombuffer, fromfile as fromfile, fromiter as fromiter,
        fromstring as fromstring, load as load, save as save, savez as savez,
    )
    from oakum.numpy.functional import (
        apply_along_axis as apply_along_axis, apply_over_axes as apply_over_axes,
        fromfunction as fromfunction, frompyfunc as frompyfunc, vectorize as vectorize,
    )
    from oakum.numpy.functions import (
        acos as acos, acosh as acosh, arccos as arccos, arccosh as arccosh, arcsin as arcsin,
        arcsinh as arcsinh, arctan as arctan, arctan2 as arctan2, arctanh as arctanh, asin as asin,
        asinh as asinh, atan as atan, atan2 as atan2, atanh as atanh, cos as cos, cosh as cosh,
        deg2rad as deg2rad, degrees as degrees, exp as exp, exp2 as exp2, expm1 as expm1, i0 as i0,
        log as log, log10 as log10, log1p as log1p, log2 as log2, logaddexp as logaddexp,
        logaddexp2 as logaddexp2, rad2deg as rad2deg, radians as radians, sin as sin, sinc as sinc,
        sinh as sinh, tan as tan, tanh as tanh,
    )
    from oakum.numpy.grids import (
        c_ as c_, index_exp as index_exp, mgrid as mgrid, ogrid as ogrid, r_ as r_, s_ as s_,
    )
    from oakum.numpy.indexing import (
        argwhere as argwhere, choose as choose, compress as compress, diag_indices as diag_indices,
        diag_indices_from as diag_indices_from, extract as extract, fill_diagonal as fill_diagonal,
        flatnonzero as flatnonzero, ix_ as ix_, mask_indices as mask_indices, nonzero as nonzero,
        piecewise as piecewise, place as place, put as put, put_along_axis as put_along_axis,
        ravel_multi_index as ravel_multi_index, select as select, take as take,
        take_along_axis as take_along_axis, tril_indices as tril_indices,
        tril_indices_from as tril_indices_from, triu_indices as triu_indices,
        triu_indices_from as triu_indices_from, unravel_index as unravel_index, where as where,
    )
    from oakum.numpy.inspection import (
        broadcast_shapes as broadcast_shapes, can_cast as can_cast, einsum_path as einsum_path,
        get_printoptions as get_printoptions, iscomplexobj as iscomplexobj, isdtype as isdtype,
        isrealobj as isrealobj, isscalar as isscalar, issubdtype as issubdtype,
        iterable as iterable, ndim as ndim, printoptions as printoptions,
        promote_types as promote_types, result_type as result_type,
        set_printoptions as set_printoptions, shape as shape, size as size,
    )
    from oakum.numpy.joining import (
        append as append, array_split as array_split, block as block, column_stack as column_stack,
        concat as concat, concatenate as concatenate, delete as delete, dsplit as dsplit,
        dstack as dstack, hsplit as hsplit, hstack as hstack, insert as insert, split as split,
        stack as stack, unstack as unstack, vsplit as vsplit, vstack as vstack,
    )
    from oakum.numpy.logic import (
        allclose as allclose, array_equal as array_equal, array_equiv as array_equiv,
        bitwise_and as bitwise_and, bitwise_count as bitwise_count,
        bitwise_invert as bitwise_invert, bitwise_left_shift as bitwise_left_shift,
        bitwise_not as bitwise_not, bitwise_or as bitwise_or,
        bitwise_right_shift as bitwise_right_shift, bitwise_xor as bitwise_xor, equal as equal,
        greater as greater, greater_equal as greater_equal, invert as invert, isclose as isclose,
        iscomplex as iscomplex, isfinite as isfinite, isin as isin, isinf as isinf, isnan as isnan,
        isneginf as isneginf, isposinf as isposinf, isreal as isreal, left_shift as left_shift,
        less as less, less_equal as less_equal, logical_and as logical_and,
        logical_not as logical_not, logical_or as logical_or, logical_xor as logical_xor,
        not_equal as not_equal, right_shift as right_shift, signbit as signbit,
    )
    from oakum.numpy.polynomials import (
        poly as poly, polyadd as polyadd, polyder as polyder, polydiv as polydiv,
        polyfit as polyfit, polyint as polyint, polymul as polymul, polysub as polysub,
        polyval as polyval, roots as roots,
    )
    from oakum.numpy.reductions import (
        all as all, amax as amax, amin as amin, any as any, argmax as argmax, argmin as argmin,
        count_nonzero as count_nonzero, cumprod as cumprod, cumsum as cumsum,
        cumulative_prod as cumulative_prod, cumulative_sum as cumulative_sum, max as max,
        mean as mean, min as min, nanargmax as nanargmax, nanargmin as nanargmin,
        nancumprod as nancumprod, nancumsum as nancumsum, nanmax as nanmax, nanmean as nanmean,
        nanmin as nanmin, nanprod as nanprod, nanstd as nanstd, nansum as nansum, nanvar as nanvar,
        prod as prod, ptp as ptp, std as std, sum as sum, var as var,
    )
    from oakum.numpy.sets import (
        intersect1d as intersect1d, setdiff1d as setdiff1d, setxor1d as setxor1d,
        union1d as union1d, unique as unique, unique_all as unique_all,
        unique_counts as unique_counts, unique_inverse as unique_inverse,
        unique_values as unique_values,
    )
    from oakum.numpy.shapes import (
        atleast_1d as atleast_1d, atleast_2d as atleast_2d, atleast_3d as atleast_3d,
        broadcast_arrays as broadcast_arrays, broadcast_to as broadcast_to, diagonal as diagonal,
        diff as diff, ediff1d as ediff1d, expand_dims as expand_dims, flip as flip,
        fliplr as fliplr, flipud as flipud, gradient as gradient,
        matrix_transpose as matrix_transpose, moveaxis as moveaxis, packbits as packbits,
        pad as pad, permute_dims as permute_dims, ravel as ravel, repeat as repeat,
        reshape as reshape, resize as resize, roll as roll, rollaxis as rollaxis, rot90 as rot90,
        squeeze as squeeze, swapaxes as swapaxes, tile as tile, trace as trace,
        transpose as transpose, trim_zeros as trim_zeros, unpackbits as unpackbits,
    )
    from oakum.numpy.sorting import (
        argpartition as argpartition, argsort as argsort, lexsort as lexsort,
        partition as partition, searchsorted as searchsorted, sort as sort,
        sort_complex as sort_complex,
    )
    from oakum.numpy.statistics import (
        average as average, bincount as bincount, convolve as convolve, corrcoef as corrcoef,
        correlate as correlate, cov as cov, digitize as digitize, histogram as histogram,
        histogram2d as histogram2d, histogram_bin_edges as histogram_bin_edges,
        histogramdd as histogramdd, median as median, nanmedian as nanmedian,
        nanpercentile as nanpercentile, nanquantile as nanquantile, percentile as percentile,
        quantile as quantile, trapezoid as trapezoid,
    )
    from oakum.numpy.ufuncs import ufunc as ufunc
    # isort: on
    # fmt: on

_DECLARED: Final = {
    "oakum.numpy.constants": "e euler_gamma inf nan newaxis pi",
    "oakum.numpy.contractions": (
        "cross dot einsum inner kron matmul matvec outer tensordot vdot vecdot vecmat"
    ),
    "oakum.numpy.creation": (
        "arange array asarray astype bartlett blackman copy diag diagflat empty empty_like eye "
        "full full_like geomspace hamming hanning identity indices kaiser linspace logspace "
        "meshgrid ones ones_like tri tril triu vander zeros zeros_like"
    ),
    "oakum.numpy.dtypes": (
        "DTypeGroup ScalarType bfloat16 bool bool_ cdouble character complex128 complex64 complex_ "
        "complexfloating csingle double dtype finfo flexible float16 float32 float4_e2m1fn float64 "
        "float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn "
        "float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float_ floating generic iinfo "
        "inexact int1 int16 int2 int32 int4 int64 int8 int_ integer ndarray number object_ "
        "signedinteger single uint uint1 uint16 uint2 uint32 uint4 uint64 uint8 unsignedinteger"
    ),
    "oakum.numpy.elementwise": (
        "abs absolute add angle around cbrt ceil clip conj conjugate copysign divide divmod fabs "
        "float_power floor floor_divide fmax fmin fmod frexp gcd heaviside hypot imag interp lcm "
        "ldexp maximum minimum mod modf multiply nan_to_num negative nextafter positive pow power "
        "real reciprocal remainder rint round sign spacing sqrt square subtract true_divide trunc "
        "unwrap"
    ),
    "oakum.numpy.files": (
        "array_repr array_str from_dlpack frombuffer fromfile fromiter fromstring load save savez"
    ),
    "oakum.numpy.functional": "apply_along_axis apply_over_axes fromfunction frompyfunc vectorize",
    "oakum.numpy.functions": (
        "acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 "
        "atanh cos cosh deg2rad degrees exp exp2 expm1 i0 log log10 log1p log2 logaddexp "
        "logaddexp2 rad2deg radians sin sinc sinh tan tanh"
    ),
    "oakum.numpy.grids": "c_ index_exp mgrid ogrid r_ s_",
    "oakum.numpy.indexing": (
        "argwhere choose compress diag_indices diag_indices_from extract fill_diagonal flatnonzero "
        "ix_ mask_indices nonzero piecewise place put put_along_axis ravel_multi_index select take "
        "take_along_axis tril_indices tril_indices_from triu_indices triu_indices_from "
        "unravel_index where"
    ),
    "oakum.numpy.inspection": (
        "broadcast_shapes can_cast einsum_path get_printoptions iscomplexobj isdtype isrealobj "
        "isscalar issubdtype iterable ndim printoptions promote_types result_type set_printoptions "
        "shape size"
    ),
    "oakum.numpy.joining": (
        "append array_split block column_stack concat concatenate delete dsplit dstack hsplit "
        "hstack insert split stack unstack vsplit vstack"
    ),
    "oakum.numpy.logic": (
        "allclose array_equal array_equiv bitwise_and bitwise_count bitwise_invert "
        "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor equal greater "
        "greater_equal invert isclose iscomplex isfinite isin isinf isnan isneginf isposinf isreal "
        "left_shift less less_equal logical_and logical_not logical_or logical_xor not_equal "
        "right_shift signbit"
    ),
    "oakum.numpy.polynomials": (
        "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots"
    ),
    "oakum.numpy.reductions": (
        "all amax amin any argmax argmin count_nonzero cumprod cumsum cumulative_prod "
        "cumulative_sum max mean min nanargmax nanargmin nancumprod nancumsum nanmax nanmean "
        "nanmin nanprod nanstd nansum nanvar prod ptp std sum var"
    ),
    "oakum.numpy.sets": (
        "intersect1d setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
        "unique_values"
    ),
    "oakum.numpy.shapes": (
        "atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to diagonal diff ediff1d "
        "expand_dims flip fliplr flipud gradient matrix_transpose moveaxis packbits pad "
        "permute_dims ravel repeat reshape resize roll rollaxis rot90 squeeze swapaxes tile trace "
        "transpose trim_zeros unpackbits"
    ),
    "oakum.numpy.sorting": "argpartition argsort lexsort partition searchsorted sort sort_complex",
    "oakum.numpy.statistics": (
        "average bincount convolve corrcoef correlate cov digitize histogram histogram2d "
        "histogram_bin_edges histogramdd median nanmedian nanpercentile nanquantile percentile "
        "quantile trapezoid"
    ),
    "oakum.numpy.ufuncs": "ufunc",
    "oakum.numpy.array_api": "__array_api_version__ __array_namespace_info__",
}
"""The public names, under the modules that declare them."""

if not TYPE_CHECKING:  # to whom any name would be one of the module
    __getattr__, __dir__ = lazy_names.deferred("oakum.numpy", _DECLARED, "fft linalg")
