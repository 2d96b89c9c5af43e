"""What Python's builtins, and the methods of its containers and strings, do with a tracer.

Each row is measured on JAX; `models.parameter` describes its form. The parameters of a method
start after `self`. Truth values and comparisons of the elements of an argument are its `inside`.
"""

BUILTIN_FUNCTIONS = {
    "": """\
abs: x:ok -> tracer
aiter anext: x:error -> object
all any: iterable:bool(bool) -> static
ascii repr str: object:ok -> static
bin hex oct: number:index -> static
bool: object:bool -> static
bytearray bytes: source:error -> static
callable hasattr id isinstance len: obj:ok -> static
chr: i:index -> static
complex: real:complex imag:float -> static
dict: iterable:error -> dict
dir type: object:ok -> object
divmod: x:ok y:ok -> tuple
enumerate: iterable:iteration start:index -> iterator
eval exec: source:error -> object
filter: ? iterable:iteration(unknown) -> iterator
float: x:float -> static
format: value:ok format_spec:error -> static
frozenset set: iterable:hash -> set
getattr: object:ok name:error default:ok -> object
hash: obj:hash -> static
int: x:int base:index -> static
iter: object:iteration -> iterator
list: iterable:iteration -> list
map: ? *iterables:iteration -> iterator
max min: *args:compare(compare) default:ok -> element
memoryview: object:error -> object
next: iterator:error default:ok -> element
open: file:error -> object
ord: character:error -> static
pow: base:ok exp:ok -> tracer
print: *values:ok -> none
range: *args:index -> sequence
reversed: sequence:iteration -> iterator
round: number:ok ndigits:index~ -> tracer
setattr delattr: object:error -> none
slice: *args:ok -> object
sorted: iterable:compare(compare) -> list
sum: iterable:iteration start:ok -> tracer
tuple: iterable:iteration -> sequence
vars: object:error -> dict
zip: *iterables:iteration -> iterator
""",
    "list": """\
append: object:ok -> none
count: value:compare -> static
extend: iterable:iteration -> none
index: value:compare start:index stop:index -> static
insert: index:index object:ok -> none
pop __delitem__ __getitem__: index:index -> element
remove: value:compare -> none
__contains__: key:compare -> static
__imul__ __mul__: value:index -> list
__setitem__: index:index value:ok -> none
""",
    "tuple": """\
count: value:compare -> static
index: value:compare start:index stop:index -> static
__contains__: key:compare -> static
__getitem__: index:index -> element
__mul__: value:index -> sequence
""",
    "dict": """\
fromkeys: iterable:hash value:ok -> dict
get setdefault pop: key:hash default:ok -> element
__contains__: key:hash -> static
__delitem__ __getitem__: key:hash -> element
__setitem__: key:hash value:ok -> none
""",
    "set": """\
add discard remove: object:hash -> none
difference difference_update intersection intersection_update union update: *others:hash -> set
issubset issuperset isdisjoint: other:hash -> static
__contains__: key:hash -> static
""",
    "frozenset": """\
difference intersection union: *others:hash -> set
__contains__: key:hash -> static
""",
    "str": """\
center ljust rjust zfill: width:index -> static
endswith startswith: prefix:error start:index~ end:index~ -> static
expandtabs: tabsize:index -> static
find index rfind rindex count: sub:error start:index~ end:index~ -> static
format: *args:ok -> static
join: iterable:error -> static
replace: old:error new:error count:index -> static
split rsplit: sep:error maxsplit:index -> list
__getitem__: index:index -> static
__mul__: value:index -> static
""",
    "bytes": """\
__getitem__: index:index -> static
__mul__: value:index -> static
""",
    "range": """\
count index: value:compare -> static
__contains__: key:compare -> static
__getitem__: index:index -> static
""",
    "int": """\
from_bytes: bytes:error byteorder:error -> static
to_bytes: length:index byteorder:error -> static
""",
}
