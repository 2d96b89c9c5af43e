"""What the functions and classes of Python's standard library do with a tracer.

Each row is measured on JAX; `models.parameter` describes its form. The parameters of a method
start after `self`.
"""

STDLIB = {
    "math": """\
acos acosh asin asinh atan atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 fabs gamma lgamma
    log10 log1p log2 radians sin sinh sqrt tan tanh ulp: x:float -> number
ceil floor isfinite isinf isnan frexp modf: x:float -> static
atan2: y:float x:float -> number
copysign fmod nextafter pow remainder: x:float y:float -> number
comb: n:index k:index -> static
perm: n:index k:index~ -> static
dist: p:float q:float -> number
factorial isqrt: x:index -> static
fsum: seq:float -> number
gcd lcm: *integers:index -> static
hypot: *coordinates:float -> number
isclose: a:float b:float * rel_tol:float abs_tol:float -> static
ldexp: x:float i:index -> static
log: x:float base:float -> number
prod: iterable:iteration * start:ok -> tracer
trunc: x:error -> static
""",
    "cmath": """\
acos acosh asin asinh atan atanh cos cosh exp isfinite isinf isnan log10 phase polar sin sinh sqrt
    tan tanh: z:complex -> static
isclose: a:complex b:complex -> static
log: z:complex base:complex -> static
rect: r:float phi:float -> static
""",
    "operator": """\
abs inv invert neg pos: a:ok -> tracer
add and_ floordiv lshift mod mul or_ pow rshift sub truediv xor eq ge gt le lt ne iadd iand
    ifloordiv ilshift imod imul ior ipow irshift isub itruediv ixor: a:ok b:ok -> tracer
attrgetter itemgetter methodcaller: *args:unknown -> callable
concat iconcat: a:error(ok) b:error(ok) -> list
contains countOf indexOf: a:compare(compare) b:compare -> static
delitem: a:error(ok) b:unknown -> none
getitem: a:ok b:unknown -> tracer
index: a:index -> static
is_ is_not: a:ok b:ok -> static
length_hint: obj:ok -> static
not_ truth: a:bool -> static
setitem: a:error(ok) b:unknown c:unknown -> none
imatmul matmul: a:ok(unknown) b:ok(unknown) -> tracer
""",
    "itertools": """\
accumulate: iterable:iteration ? -> iterator
chain: *iterables:iteration -> iterator
combinations combinations_with_replacement: iterable:iteration r:index -> iterator
permutations: iterable:iteration r:index~ -> iterator
compress: data:iteration selectors:bool(bool) -> iterator
count: start:ok step:ok -> iterator
cycle pairwise: iterable:iteration -> iterator
dropwhile filterfalse takewhile starmap: ? iterable:iteration(unknown) -> iterator
groupby: iterable:compare(compare) -> iterator
islice: iterable:iteration *bounds:index~ -> iterator
product: *iterables:iteration repeat:index -> iterator
repeat: object:ok times:index -> iterator
tee: iterable:iteration n:index -> object
zip_longest: *iterables:iteration fillvalue:ok -> iterator
""",
    "itertools.chain": """\
from_iterable: iterable:iteration -> iterator
""",
    "functools": """\
cache lru_cache singledispatch cached_property cmp_to_key partial partialmethod total_ordering
    update_wrapper wraps: ? -> callable
reduce: ? iterable:iteration initial:ok -> tracer
""",
    "statistics": """\
fmean geometric_mean: data:float -> number
harmonic_mean: data:bool/error(bool) -> number
mean pstdev pvariance stdev variance: data:error -> number
median median_high median_low: data:compare(compare) -> static
mode multimode: data:hash -> static
""",
    "random": """\
betavariate: alpha:bool/float beta:bool/float -> static
choice: seq:ok -> element
choices: population:ok * weights:unknown k:unknown -> list
expovariate: lambd:unknown -> static
gammavariate: alpha:bool/float beta:bool/unknown -> static
gauss normalvariate: mu:ok sigma:ok -> tracer
getrandbits: k:index -> static
lognormvariate: mu:float sigma:float -> static
random: -> static
randint: a:unknown b:unknown -> static
randrange: start:int stop:int~ step:unknown -> static
sample: population:error(ok) k:unknown -> list
seed: a:error -> none
shuffle: x:error(ok) -> none
triangular: low:unknown high:unknown mode:unknown -> static
uniform: a:ok b:ok -> tracer
weibullvariate: alpha:ok beta:unknown -> tracer
""",
    "time": """\
monotonic perf_counter perf_counter_ns process_time thread_time time time_ns: -> static
sleep: seconds:unknown -> none
""",
    "json": """\
dump: obj:error fp:unknown -> none
dumps: obj:error -> static
loads: s:error -> object
""",
    "pickle": """\
dumps: obj:error -> static
loads: data:error -> object
""",
    "copy": """\
copy deepcopy: x:ok -> argument
""",
    "collections": """\
Counter: iterable:hash -> dict
OrderedDict: other:error -> dict
deque: iterable:iteration maxlen:index~ -> list
namedtuple: typename:unknown -> callable
""",
    "collections.deque": """\
append appendleft: item:ok -> none
count index: value:compare -> static
extend extendleft: iterable:iteration -> none
insert: index:index value:ok -> none
remove: value:compare -> none
rotate: n:index -> none
__contains__: key:compare -> static
__getitem__: index:index -> element
""",
    "collections.Counter": """\
elements most_common: -> list
__getitem__: key:hash -> element
""",
    "collections.OrderedDict": """\
get setdefault: key:hash default:ok -> element
move_to_end: key:hash -> none
__contains__: key:hash -> static
__getitem__: key:hash -> element
__setitem__: key:hash value:ok -> none
""",
    "collections.defaultdict": """\
get setdefault: key:hash default:ok -> element
__contains__: key:hash -> static
__getitem__: key:hash -> element
__setitem__: key:hash value:ok -> none
""",
    "bisect": """\
bisect bisect_left bisect_right: a:compare(compare) x:compare lo:index hi:index~ -> static
insort insort_left insort_right: ? x:compare lo:index hi:index~ -> none
""",
    "heapq": """\
heapify: heap:error(compare) -> none
heappush: heap:error(compare) item:compare -> none
heappushpop heapreplace: heap:error(compare) item:compare -> element
heappop: heap:error(compare) -> element
merge: *iterables:compare(compare) -> iterator
nlargest nsmallest: n:unknown iterable:compare(compare) -> list
""",
    "decimal": """\
Decimal: value:error -> static
""",
    "fractions": """\
Fraction: numerator:error denominator:error -> static
""",
    "array": """\
array: typecode:error initializer:unknown(float) -> object
""",
    "struct": """\
pack: fmt:error *values:unknown -> static
""",
    "dataclasses": """\
asdict astuple: obj:error -> object
is_dataclass: obj:ok -> static
""",
    "typing": """\
cast: typ:unknown val:ok -> object
""",
    "pprint": """\
pformat: object:ok -> static
pprint pp: object:ok -> none
""",
    "logging": """\
critical debug error exception info log warning: ? *args:ok -> none
""",
    "warnings": """\
warn: message:error -> none
""",
    "contextlib": """\
nullcontext: enter_result:ok -> object
""",
    "inspect": """\
isclass isfunction ismethod: object:ok -> static
""",
    "secrets": """\
randbelow: exclusive_upper_bound:unknown -> static
token_bytes token_hex: nbytes:index~ -> static
""",
    "os": """\
urandom: size:index -> static
""",
    "uuid": """\
uuid1 uuid4: -> object
""",
    "datetime": """\
timedelta: days:unknown -> object
""",
}
