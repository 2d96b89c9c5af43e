"""Operations close to the compiler, control flow and collectives: JAX's `jax.lax`."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    # A name stands beside its own alias so that type checkers see it as exported.
    # fmt: off
    # isort: off
    from oakum.api.control_flow import (
        associative_scan as associative_scan, composite as composite, cond as cond,
        custom_linear_solve as custom_linear_solve, custom_root as custom_root,
        fori_loop as fori_loop, map as map, platform_dependent as platform_dependent,
        reduce as reduce, reduce_window as reduce_window, scan as scan, switch as switch,
        while_loop as while_loop,
    )
    from oakum.lax import linalg as linalg
    from oakum.lax.collectives import (
        all_gather as all_gather, all_to_all as all_to_all, axis_index as axis_index,
        axis_size as axis_size, pbroadcast as pbroadcast, pcast as pcast, pmax as pmax,
        pmean as pmean, pmin as pmin, ppermute as ppermute, precv as precv, psend as psend,
        pshuffle as pshuffle, psum as psum, psum_scatter as psum_scatter, pswapaxes as pswapaxes,
        ragged_all_to_all as ragged_all_to_all,
    )
    from oakum.lax.contractions import (
        batch_matmul as batch_matmul, conv as conv,
        conv_dimension_numbers as conv_dimension_numbers,
        conv_general_dilated as conv_general_dilated,
        conv_general_dilated_local as conv_general_dilated_local,
        conv_general_dilated_patches as conv_general_dilated_patches,
        conv_general_permutations as conv_general_permutations,
        conv_general_shape_tuple as conv_general_shape_tuple, conv_shape_tuple as conv_shape_tuple,
        conv_transpose as conv_transpose, conv_transpose_shape_tuple as conv_transpose_shape_tuple,
        conv_with_general_padding as conv_with_general_padding, dot as dot,
        dot_general as dot_general, fft as fft, padtype_to_pads as padtype_to_pads,
        ragged_dot as ragged_dot, ragged_dot_general as ragged_dot_general,
        reduce_window_shape_tuple as reduce_window_shape_tuple,
        rng_bit_generator as rng_bit_generator, rng_uniform as rng_uniform,
        scaled_dot as scaled_dot,
    )
    from oakum.lax.elementary import *  # noqa: F403  # each stands in its row there
    from oakum.lax.elementwise import (
        abs as abs, add as add, atan2 as atan2, bitwise_and as bitwise_and,
        bitwise_not as bitwise_not, bitwise_or as bitwise_or, bitwise_xor as bitwise_xor,
        ceil as ceil, clamp as clamp, clz as clz, complex as complex, conj as conj, div as div,
        eq as eq, floor as floor, ge as ge, gt as gt, imag as imag, integer_pow as integer_pow,
        is_finite as is_finite, le as le, lt as lt, max as max, min as min, mul as mul,
        mulhi as mulhi, ne as ne, neg as neg, nextafter as nextafter,
        population_count as population_count, pow as pow, real as real, reciprocal as reciprocal,
        reduce_precision as reduce_precision, rem as rem, round as round, select as select,
        select_n as select_n, shift_left as shift_left,
        shift_right_arithmetic as shift_right_arithmetic,
        shift_right_logical as shift_right_logical, sign as sign, square as square, sub as sub,
    )
    from oakum.lax.indexing import (
        dynamic_index_in_dim as dynamic_index_in_dim, dynamic_slice as dynamic_slice,
        dynamic_slice_in_dim as dynamic_slice_in_dim,
        dynamic_update_index_in_dim as dynamic_update_index_in_dim,
        dynamic_update_slice as dynamic_update_slice,
        dynamic_update_slice_in_dim as dynamic_update_slice_in_dim, gather as gather,
        index_in_dim as index_in_dim, index_take as index_take, scatter as scatter,
        scatter_add as scatter_add, scatter_apply as scatter_apply, scatter_max as scatter_max,
        scatter_min as scatter_min, scatter_mul as scatter_mul, scatter_sub as scatter_sub,
    )
    from oakum.lax.options import (
        AccuracyMode as AccuracyMode, ConvDimensionNumbers as ConvDimensionNumbers,
        DotAlgorithm as DotAlgorithm, DotAlgorithmPreset as DotAlgorithmPreset, FftType as FftType,
        GatherDimensionNumbers as GatherDimensionNumbers, GatherScatterMode as GatherScatterMode,
        Precision as Precision, RaggedDotDimensionNumbers as RaggedDotDimensionNumbers,
        RandomAlgorithm as RandomAlgorithm, RoundingMethod as RoundingMethod,
        ScatterDimensionNumbers as ScatterDimensionNumbers, Tolerance as Tolerance,
    )
    from oakum.lax.reductions import (
        approx_max_k as approx_max_k, approx_min_k as approx_min_k, argmax as argmax,
        argmin as argmin, cumlogsumexp as cumlogsumexp, cummax as cummax, cummin as cummin,
        cumprod as cumprod, cumsum as cumsum, reduce_and as reduce_and, reduce_max as reduce_max,
        reduce_min as reduce_min, reduce_or as reduce_or, reduce_prod as reduce_prod,
        reduce_sum as reduce_sum, reduce_xor as reduce_xor, sort as sort,
        sort_key_val as sort_key_val, top_k as top_k,
    )
    from oakum.lax.shapes import (
        after_all as after_all, bitcast_convert_type as bitcast_convert_type,
        broadcast as broadcast, broadcast_in_dim as broadcast_in_dim,
        broadcast_like as broadcast_like, broadcast_shapes as broadcast_shapes,
        broadcast_to_rank as broadcast_to_rank, broadcasted_iota as broadcasted_iota,
        collapse as collapse, concatenate as concatenate,
        convert_element_type as convert_element_type, create_token as create_token,
        dce_sink as dce_sink, dtype as dtype, empty as empty, expand_dims as expand_dims,
        full as full, full_like as full_like, iota as iota,
        optimization_barrier as optimization_barrier, pad as pad, reshape as reshape, rev as rev,
        shape_as_value as shape_as_value, slice as slice, slice_in_dim as slice_in_dim,
        split as split, squeeze as squeeze, stack as stack, stage as stage,
        stop_gradient as stop_gradient, tile as tile, transpose as transpose, unstack as unstack,
        with_sharding_constraint as with_sharding_constraint,
    )
    from oakum.api.gamma_functions import (
        betainc as betainc, digamma as digamma, igamma as igamma, igamma_grad_a as igamma_grad_a,
        igammac as igammac, lgamma as lgamma, polygamma as polygamma,
        random_gamma_grad as random_gamma_grad, zeta as zeta,
    )
    from oakum.lax.special import (
        bessel_i0e as bessel_i0e, bessel_i1e as bessel_i1e, erf as erf, erf_inv as erf_inv,
        erfc as erfc,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.lax")
