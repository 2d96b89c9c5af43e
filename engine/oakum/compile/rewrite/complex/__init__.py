"""Complex numbers as pairs of real ones: programs without complex numbers, except where the host
computes.

`lower_complex` rewrites a program with the rules that `trace_rule` traces; `complex_arithmetic`,
`elementary`, `products`, `fourier_passes` and `complex_movement` define operations on pairs, and
`complex_pair` the pairs.
"""
