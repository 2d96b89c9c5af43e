"""Example calls of builtins and of the standard library.

Each row is a call that works with concrete arguments, and the functions that take it. A method's
first argument is its object.
"""

BUILTIN_EXAMPLES = {
    "": """\
(0.5): abs bool float format hash id callable repr str ascii round type dir
(0.5, 'real'): hasattr getattr
(5): bin hex oct chr
(0.5, 0.2): divmod max min pow complex
([0.5, 0.2]): all any max min sorted sum iter list tuple set frozenset enumerate reversed len
([0.5, 0.2], 1.0): sum
([0.5, 0.2], 2): enumerate
(repr, [0.5, 0.2]): map
([0.5], [0.2]): zip
(1, 5, 2): range slice
(0.5, 1): round
('5', 10): int
(0.5): int
(0.5, 0.2, file=io.StringIO()): print
(0.5, float): isinstance
""",
    "list": """\
([0.5, 0.2], 0.7): append
([0.5, 0.2], 0.2): count index remove __contains__
([0.5, 0.2, 0.1], 0.2, 0, 3): index
([0.5, 0.2], [0.7]): extend
([0.5, 0.2], 1, 0.7): insert __setitem__
([0.5, 0.2], 1): pop __delitem__ __getitem__
([0.5, 0.2], 2): __mul__ __imul__
""",
    "tuple": """\
((0.5, 0.2), 0.2): count index __contains__
((0.5, 0.2, 0.1), 0.2, 0, 3): index
((0.5, 0.2), 1): __getitem__
((0.5, 0.2), 2): __mul__
""",
    "dict": """\
({0.5: 1}, 0.5): get pop setdefault __contains__ __getitem__ __delitem__
({0.5: 1}, 0.5, 1.0): get pop setdefault __setitem__
""",
    "set": """\
({0.5}, 0.5): add discard remove __contains__
({0.5}, [0.5]): difference difference_update intersection intersection_update union update
    issubset issuperset isdisjoint
""",
    "frozenset": """\
(frozenset({0.5}), 0.5): __contains__
(frozenset({0.5}), [0.5]): difference intersection union
""",
    "str": """\
('a', 3): center ljust rjust zfill __mul__ expandtabs
('abc', 'a', 0, 2): find index rfind rindex count startswith endswith
('{} {}', 0.5, 0.2): format
('abc', 'a', 'b', 1): replace
('a b', ' ', 1): split rsplit
('abc', 1): __getitem__
""",
    "bytes": """\
(b'abc', 1): __getitem__ __mul__
""",
    "range": """\
(range(5), 2): count index __contains__ __getitem__
""",
    "int": """\
(5, 2, 'big'): to_bytes
""",
    "math": """\
(0.5): acos asin asinh atan atanh ceil cos cosh degrees erf erfc exp expm1 fabs floor gamma
    isfinite isinf isnan lgamma log log10 log1p log2 radians sin sinh sqrt tan tanh trunc ulp
    frexp modf cbrt exp2
(1.5): acosh
(0.5, 0.2): atan2 copysign fmod nextafter pow remainder log hypot
(0.5, 0.2, rel_tol=0.1, abs_tol=0.1): isclose
(5, 2): comb perm gcd lcm
(5): factorial isqrt
((0.5, 0.2), (0.1, 0.2)): dist
([0.5, 0.2]): fsum prod
([0.5, 0.2], start=2.0): prod
(0.5, 2): ldexp
""",
    "cmath": """\
(0.5): acos acosh asin asinh atan atanh cos cosh exp isfinite isinf isnan log log10 phase polar sin
    sinh sqrt tan tanh
(0.5, 0.2): isclose log rect
""",
    "operator": """\
(0.5): abs neg pos not_ truth
(5): index inv invert
(0.5, 0.2): add floordiv mod mul pow sub truediv iadd ifloordiv imod imul ipow isub itruediv eq ge
    gt le lt ne is_ is_not
(5, 2): and_ lshift or_ rshift xor iand ilshift ior irshift ixor
(w, v): matmul imatmul
([0.5, 0.2], 0.2): contains countOf indexOf
(v, 1): getitem
([0.5, 0.2]): length_hint
""",
    "itertools": """\
([0.5, 0.2]): accumulate chain cycle pairwise product tee groupby
([0.5, 0.2], 2): combinations combinations_with_replacement permutations tee
([0.5, 0.2], [0.5, 0.2]): compress
(0.5, 0.2): count
(repr, [0.5, 0.2]): dropwhile filterfalse takewhile
([0.5, 0.2, 0.1], 0, 2, 1): islice
([0.5, 0.2], repeat=2): product
(0.5, 2): repeat
([0.5, 0.2], [0.1], fillvalue=0.5): zip_longest
""",
    "itertools.chain": """\
([[0.5], [0.2]]): from_iterable
""",
    "functools": """\
(operator.add, [0.5, 0.2]): reduce
(operator.add, [0.5, 0.2], 1.0): reduce
""",
    "statistics": """\
([0.5, 0.2, 0.7]): fmean geometric_mean harmonic_mean mean pstdev pvariance stdev variance median
    median_high median_low mode multimode
""",
    "random": """\
(0.5, 0.2): betavariate gammavariate gauss lognormvariate normalvariate uniform weibullvariate
(0.5): expovariate seed
([0.5, 0.2]): choice choices shuffle
(5): getrandbits
(1, 5): randint randrange
([0.5, 0.2], 1): sample
(0.2, 0.5, 0.3): triangular
(): random
""",
    "time": """\
(0.001): sleep
(): monotonic perf_counter perf_counter_ns process_time thread_time time time_ns
""",
    "json": """\
(0.5): dumps
([0.5, 0.2]): dumps
(0.5, io.StringIO()): dump
('5'): loads
""",
    "pickle": """\
(0.5): dumps
""",
    "copy": """\
(0.5): copy deepcopy
""",
    "collections": """\
([0.5, 0.2]): Counter deque
([0.5, 0.2], 2): deque
""",
    "collections.deque": """\
(collections.deque([0.5]), 0.5): append appendleft count index remove __contains__
(collections.deque([0.5]), [0.5]): extend extendleft
(collections.deque([0.5]), 0, 0.5): insert
(collections.deque([0.5]), 0): rotate __getitem__
""",
    "collections.Counter": """\
(collections.Counter(), 0.5): __getitem__
""",
    "collections.OrderedDict": """\
(collections.OrderedDict({0.5: 1}), 0.5): get setdefault move_to_end __contains__ __getitem__
(collections.OrderedDict({0.5: 1}), 0.5, 1.0): get setdefault __setitem__
""",
    "collections.defaultdict": """\
(collections.defaultdict(int), 0.5): get setdefault __contains__ __getitem__
(collections.defaultdict(int), 0.5, 1.0): get setdefault __setitem__
""",
    "bisect": """\
([0.2, 0.5], 0.5): bisect bisect_left bisect_right insort insort_left insort_right
([0.2, 0.5], 0.5, 0, 1): bisect bisect_left bisect_right insort insort_left insort_right
""",
    "heapq": """\
([0.2, 0.5, 0.7]): heapify heappop
([0.2, 0.5], 0.5): heappush heappushpop heapreplace
([0.2, 0.5], [0.1]): merge
(2, [0.2, 0.5]): nlargest nsmallest
""",
    "decimal": """\
(0.5): Decimal
""",
    "fractions": """\
(0.5): Fraction
(1, 2): Fraction
""",
    "array": """\
('f', [0.5]): array
""",
    "struct": """\
('f', 0.5): pack
""",
    "dataclasses": """\
(0.5): is_dataclass
""",
    "typing": """\
(float, 0.5): cast
""",
    "pprint": """\
(0.5): pformat
(0.5, io.StringIO()): pprint pp
""",
    "logging": """\
('%s', 0.5): critical debug error exception info warning
""",
    "contextlib": """\
(0.5): nullcontext
""",
    "inspect": """\
(0.5): isclass isfunction ismethod
""",
    "secrets": """\
(5): randbelow token_bytes token_hex
""",
    "os": """\
(5): urandom
""",
    "datetime": """\
(5): timedelta
""",
}
