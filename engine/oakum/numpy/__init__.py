"""JAX's `jax.numpy`: each function stands with its declaration in a module of its subject."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.numpy", __path__, "array_api dtypes fft")

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.numpy import (
        fft as fft, linalg as linalg,
    )
    from oakum.numpy.arithmetic import (
        abs as abs, absolute as absolute, add as add, angle as angle, cbrt as cbrt, conj as conj,
        conjugate as conjugate, divide as divide, divmod as divmod, fabs as fabs,
        float_power as float_power, floor_divide as floor_divide, fmod as fmod, gcd as gcd,
        hypot as hypot, imag as imag, lcm as lcm, mod as mod, multiply as multiply,
        negative as negative, positive as positive, pow as pow, power as power, real as real,
        reciprocal as reciprocal, remainder as remainder, sign as sign, sqrt as sqrt,
        square as square, subtract as subtract, true_divide as true_divide,
    )
    from oakum.numpy.array_api import (
        __array_api_version__ as __array_api_version__,
        __array_namespace_info__ as __array_namespace_info__, e as e, euler_gamma as euler_gamma,
        inf as inf, nan as nan, newaxis as newaxis, pi as pi,
    )
    from oakum.numpy.linalg.einsum import (
        einsum as einsum, einsum_path as einsum_path,
    )
    from oakum.numpy.linalg.dot_products import (
        cross as cross, dot as dot, inner as inner, kron as kron, matmul as matmul,
        matvec as matvec, outer as outer, tensordot as tensordot, vdot as vdot, vecdot as vecdot,
        vecmat as vecmat,
    )
    from oakum.numpy.creation.conversion import (
        array as array, array_repr as array_repr, array_str as array_str, asarray as asarray,
        astype as astype, copy as copy, from_dlpack as from_dlpack, frombuffer as frombuffer,
        fromfile as fromfile, fromiter as fromiter, fromstring as fromstring, load as load,
        save as save, savez as savez,
    )
    from oakum.numpy.creation.filled import (
        diag as diag, diagflat as diagflat, empty as empty, empty_like as empty_like, eye as eye,
        full as full, full_like as full_like, identity as identity, ones as ones,
        ones_like as ones_like, tri as tri, tril as tril, triu as triu, vander as vander,
        zeros as zeros, zeros_like as zeros_like,
    )
    from oakum.numpy.creation.ranges import (
        arange as arange, c_ as c_, geomspace as geomspace, index_exp as index_exp,
        indices as indices, linspace as linspace, logspace as logspace, meshgrid as meshgrid,
        mgrid as mgrid, ogrid as ogrid, r_ as r_, s_ as s_,
    )
    from oakum.numpy.cumulative import (
        cumprod as cumprod, cumsum as cumsum, cumulative_prod as cumulative_prod,
        cumulative_sum as cumulative_sum,
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
    from oakum.numpy.exp_log_trig import *  # noqa: F403  # each stands in its row there
    from oakum.numpy.indexing.positions import (
        argwhere as argwhere, diag_indices as diag_indices, diag_indices_from as diag_indices_from,
        flatnonzero as flatnonzero, ix_ as ix_, mask_indices as mask_indices, nonzero as nonzero,
        ravel_multi_index as ravel_multi_index, tril_indices as tril_indices,
        tril_indices_from as tril_indices_from, triu_indices as triu_indices,
        triu_indices_from as triu_indices_from, unravel_index as unravel_index,
    )
    from oakum.numpy.indexing.gather import (
        compress as compress, extract as extract, take as take, take_along_axis as take_along_axis,
    )
    from oakum.numpy.indexing.updates import (
        fill_diagonal as fill_diagonal, place as place, put as put,
        put_along_axis as put_along_axis,
    )
    from oakum.numpy.inspection import (
        broadcast_shapes as broadcast_shapes, can_cast as can_cast,
        get_printoptions as get_printoptions, iscomplexobj as iscomplexobj, isdtype as isdtype,
        isrealobj as isrealobj, isscalar as isscalar, issubdtype as issubdtype,
        iterable as iterable, ndim as ndim, printoptions as printoptions,
        promote_types as promote_types, result_type as result_type,
        set_printoptions as set_printoptions, shape as shape, size as size,
    )
    from oakum.numpy.concatenation import (
        append as append, array_split as array_split, block as block, column_stack as column_stack,
        concat as concat, concatenate as concatenate, delete as delete, dsplit as dsplit,
        dstack as dstack, hsplit as hsplit, hstack as hstack, insert as insert, split as split,
        stack as stack, unstack as unstack, vsplit as vsplit, vstack as vstack,
    )
    from oakum.numpy.log_sums import (
        logaddexp as logaddexp, logaddexp2 as logaddexp2,
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
        not_equal as not_equal, packbits as packbits, right_shift as right_shift,
        signbit as signbit, unpackbits as unpackbits,
    )
    from oakum.numpy.padding import pad as pad
    from oakum.numpy.polynomials import (
        poly as poly, polyadd as polyadd, polyder as polyder, polydiv as polydiv,
        polyfit as polyfit, polyint as polyint, polymul as polymul, polysub as polysub,
        polyval as polyval, roots as roots,
    )
    from oakum.numpy.rearrangement import (
        diagonal as diagonal, flip as flip, fliplr as fliplr, flipud as flipud, repeat as repeat,
        roll as roll, rot90 as rot90, tile as tile, trace as trace, trim_zeros as trim_zeros,
    )
    from oakum.numpy.reductions import (
        all as all, amax as amax, amin as amin, any as any, argmax as argmax, argmin as argmin,
        count_nonzero as count_nonzero, max as max, min as min, prod as prod, ptp as ptp,
        sum as sum,
    )
    from oakum.numpy.rounding import (
        around as around, ceil as ceil, copysign as copysign, floor as floor, frexp as frexp,
        ldexp as ldexp, modf as modf, nextafter as nextafter, rint as rint, round as round,
        spacing as spacing, trunc as trunc,
    )
    from oakum.numpy.selection import (
        choose as choose, clip as clip, fmax as fmax, fmin as fmin, heaviside as heaviside,
        maximum as maximum, minimum as minimum, nan_to_num as nan_to_num, piecewise as piecewise,
        select as select, where as where,
    )
    from oakum.numpy.sets import (
        intersect1d as intersect1d, setdiff1d as setdiff1d, setxor1d as setxor1d,
        union1d as union1d, unique as unique, unique_all as unique_all,
        unique_counts as unique_counts, unique_inverse as unique_inverse,
        unique_values as unique_values,
    )
    from oakum.numpy.shapes import (
        atleast_1d as atleast_1d, atleast_2d as atleast_2d, atleast_3d as atleast_3d,
        broadcast_arrays as broadcast_arrays, broadcast_to as broadcast_to,
        expand_dims as expand_dims, matrix_transpose as matrix_transpose, moveaxis as moveaxis,
        permute_dims as permute_dims, ravel as ravel, reshape as reshape, resize as resize,
        rollaxis as rollaxis, squeeze as squeeze, swapaxes as swapaxes, transpose as transpose,
    )
    from oakum.numpy.signals import (
        bartlett as bartlett, blackman as blackman, convolve as convolve, correlate as correlate,
        diff as diff, ediff1d as ediff1d, gradient as gradient, hamming as hamming,
        hanning as hanning, interp as interp, kaiser as kaiser, trapezoid as trapezoid,
        unwrap as unwrap,
    )
    from oakum.numpy.sorting import (
        argpartition as argpartition, argsort as argsort, lexsort as lexsort,
        partition as partition, searchsorted as searchsorted, sort as sort,
        sort_complex as sort_complex,
    )
    from oakum.numpy.statistics.histograms import (
        bincount as bincount, digitize as digitize, histogram as histogram,
        histogram2d as histogram2d, histogram_bin_edges as histogram_bin_edges,
        histogramdd as histogramdd,
    )
    from oakum.numpy.statistics.moments import (
        average as average, corrcoef as corrcoef, cov as cov, mean as mean, std as std, var as var,
    )
    from oakum.numpy.statistics.nan_reductions import (
        nanargmax as nanargmax, nanargmin as nanargmin, nancumprod as nancumprod,
        nancumsum as nancumsum, nanmax as nanmax, nanmean as nanmean, nanmin as nanmin,
        nanprod as nanprod, nanstd as nanstd, nansum as nansum, nanvar as nanvar,
    )
    from oakum.numpy.statistics.quantiles import (
        median as median, nanmedian as nanmedian, nanpercentile as nanpercentile,
        nanquantile as nanquantile, percentile as percentile, quantile as quantile,
    )
    from oakum.numpy.ufuncs import ufunc as ufunc
    from oakum.numpy.vectorization import (
        apply_along_axis as apply_along_axis, apply_over_axes as apply_over_axes,
        fromfunction as fromfunction, frompyfunc as frompyfunc, vectorize as vectorize,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.numpy")
