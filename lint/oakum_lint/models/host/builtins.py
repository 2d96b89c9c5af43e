"""What Python's builtins and standard library do with a tracer.

The truth value of a tracer, its conversion to a Python number, its `__index__` and its hash are
asked for in many places of the standard library; the tables say where.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, Literal

from oakum.values.records import dataclass
from oakum_lint.models.host.builtin_functions import BUILTIN_FUNCTIONS
from oakum_lint.models.host.stdlib import STDLIB
from oakum_lint.models.parameter import CallFacts, Row, Use, index_rows

SHOWING_ALL: Final = frozenset(
    """
    builtins.print builtins.repr builtins.str pickle.dump pickle.dumps pprint.pp pprint.pprint
    """.split()
)
"""What reads all that the lists, dicts and tuples hold which it gets."""
NOTEBOOK_NAMES: Final = ("In", "Out", "display", "get_ipython")
"""What IPython binds beside the builtins."""
Effect = Literal[
    "",
    "random",  # draws from hidden state: once, when tracing
    "clock",  # says the time, for differences: once, when tracing
    "time",  # reads another clock: once, when tracing
    "input",  # reads what a person or another program writes: once, when tracing
    "output",  # prints or logs: once, when tracing
    "warning",  # issues a warning, which is shown once however often that is
    "io",  # writes a file
    "exhausts",  # asks an iterator that it gets first for all that it has
    "cache",  # keeps arguments or results beyond the call
    "mutates",  # changes its object, or its first argument where it is a function
]

_EFFECTS: Mapping[Effect, str] = {
    "clock": """
        datetime.datetime.now datetime.datetime.utcnow time.monotonic time.monotonic_ns
        time.perf_counter time.perf_counter_ns time.time time.time_ns timeit.default_timer
    """,
    "time": """
        datetime.date.today datetime.datetime.today time.ctime time.gmtime time.localtime
        time.process_time time.process_time_ns time.thread_time time.thread_time_ns
    """,
    "input": "input getpass.getpass sys.stdin.read sys.stdin.readline sys.stdin.readlines",
    "output": """
        print pprint.pp pprint.pprint sys.stdout.write sys.stderr.write
        logging.critical logging.debug logging.error logging.exception logging.info logging.log
        logging.warning
        logging.Logger.critical logging.Logger.debug logging.Logger.error logging.Logger.exception
        logging.Logger.info logging.Logger.log logging.Logger.warning
    """,
    "warning": "warnings.warn",
    "io": """
        io.IOBase.write io.IOBase.writelines json.dump pathlib.Path.mkdir pathlib.Path.touch
        pathlib.Path.unlink pathlib.Path.write_bytes pathlib.Path.write_text pickle.dump
    """,
    "exhausts": "dict frozenset list max min set sorted sum tuple",
    "cache": "functools.cache functools.cached_property functools.lru_cache",
    "random": """
        os.getrandom os.urandom secrets.choice secrets.randbelow secrets.randbits
        secrets.token_bytes secrets.token_hex secrets.token_urlsafe uuid.uuid1 uuid.uuid4
    """,
    "mutates": """
        bisect.insort bisect.insort_left bisect.insort_right
        collections.Counter.subtract collections.Counter.update
        collections.OrderedDict.move_to_end collections.OrderedDict.popitem
        collections.OrderedDict.setdefault collections.OrderedDict.update
        collections.OrderedDict.__setitem__
        collections.defaultdict.setdefault collections.defaultdict.update
        collections.defaultdict.__setitem__
        collections.deque.append collections.deque.appendleft collections.deque.clear
        collections.deque.extend collections.deque.extendleft collections.deque.insert
        collections.deque.pop collections.deque.popleft collections.deque.remove
        collections.deque.reverse collections.deque.rotate
        delattr dict.__delitem__ dict.__setitem__ dict.clear dict.pop dict.popitem dict.setdefault
        dict.update
        io.StringIO.write io.StringIO.writelines
        heapq.heapify heapq.heappop heapq.heappush heapq.heappushpop heapq.heapreplace
        list.__delitem__ list.__imul__ list.__setitem__ list.append list.clear list.extend
        list.insert list.pop list.remove list.reverse list.sort
        operator.delitem operator.setitem
        set.add set.clear set.difference_update set.discard set.intersection_update set.pop
        set.remove set.symmetric_difference_update set.update
        setattr
    """,
}

_WITHOUT_ELEMENTS = frozenset({"enumerate", "len", "range", "zip"})
_WITHOUT_DRAW = frozenset({"Random", "SystemRandom", "getstate", "seed", "setstate"})
"""What the module `random` holds that draws nothing."""

_CALLS: Mapping[str, tuple[str, ...]] = {
    "filter": ("function",),
    "functools.reduce": ("function",),
    "itertools.accumulate": ("func",),
    "itertools.dropwhile": ("predicate",),
    "itertools.filterfalse": ("predicate",),
    "itertools.groupby": ("key",),
    "itertools.starmap": ("function",),
    "itertools.takewhile": ("predicate",),
    "heapq.nlargest": ("key",),
    "heapq.nsmallest": ("key",),
    "list.sort": ("key",),
    "map": ("function",),
    "max": ("key",),
    "min": ("key",),
    "sorted": ("key",),
}
"""Functions that call another; by keyword or, but for `key`, as the first positional argument
(the second of `accumulate` and `groupby`)."""


@dataclass(frozen=True, slots=True)
class BuiltinFacts(CallFacts):
    """The facts of one builtin, method of a builtin type, or function of the standard library.

    `calls` names the parameters that are functions which it calls.
    """

    calls: tuple[str, ...]
    effect: Effect
    reads: bool
    """Whether it may look at the elements of an array that it gets."""


@lru_cache(maxsize=4096)
def builtin_facts(name: str) -> BuiltinFacts | None:
    """The facts of a function by its canonical name, or None if it is not modelled.

    >>> builtin_facts("math.sqrt").parameter(0).use, builtin_facts("list.index").parameter(0).use
    ('float', 'compare')
    """
    name = name.removeprefix("builtins.")
    row = _rows().get(name)
    effect = _effect(name)
    if row is None and not effect and name not in _CALLS:
        return None
    return BuiltinFacts(
        name=name,
        parameters=row.parameters if row else (),
        result=row.result if row else "object",
        calls=_CALLS.get(name, ()),
        effect=effect,
        reads=name not in _WITHOUT_ELEMENTS,
    )


def modelled_names() -> tuple[str, ...]:
    """All names that the tables hold."""
    return tuple(_rows())


@cache
def _rows() -> Mapping[str, Row]:
    return index_rows(BUILTIN_FUNCTIONS, _INSIDE, "object") | index_rows(STDLIB, _INSIDE, "object")


_INSIDE: Mapping[Use, Use] = {"bool": "ok", "compare": "ok"}
"""A container is true or false, and is compared, without a look at its elements."""


def _effect(name: str) -> Effect:
    if name.startswith("random.") and name.rpartition(".")[2] not in _WITHOUT_DRAW:
        return "random"
    return _effects().get(name, "")


@cache
def _effects() -> Mapping[str, Effect]:
    return {name: effect for effect, names in _EFFECTS.items() for name in names.split()}
