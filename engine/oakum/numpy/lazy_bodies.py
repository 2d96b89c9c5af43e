"""What only the bodies of this package need, deferred: the linter wants its declarations alone."""

from oakum.values.lazy_modules import defer

defer(
    "oakum.numpy",
    """
    accumulating arguments arithmetic assembly binary_parts bits choosing coefficients combining
    comparing contraction_order convolution covariance data determinants differences distinct
    division dtype_queries edits factorizations filling fitting formulas fourier_transforms
    grid_parts histograms labelled lanes layout log_sums matrices moments norms orders pads places
    planes powers products promoting putting quantiles quotients ranges reducing repetition rounding
    searching segment_reductions selecting shifts signals solving statics taking vectorizing views
    windows
    """.split(),
)
