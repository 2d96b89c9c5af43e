"""Places in which users keep values: for each a function that stores its argument there.

The line that stores ends with `# leak`; a shape whose values are stored on a line of a helper has
the mark in the helper.
"""

import collections
import contextvars
import dataclasses
import functools
import heapq
import itertools
import queue
import sys
import types
from collections.abc import Callable, Generator, Iterator
from typing import Any, ClassVar

Store = Callable[[Any], object]

results: list[Any] = []
TABLE: dict[str, Any] = {}
SEEN: set[Any] = set()
latest: Any = None
RECENT: collections.deque[Any] = collections.deque(maxlen=8)
WAITING: queue.Queue[Any] = queue.Queue()
HEAP: list[Any] = []
GROUPS: collections.defaultdict[str, list[Any]] = collections.defaultdict(list)
VARIABLE: contextvars.ContextVar[Any] = contextvars.ContextVar("variable", default=None)
NAMESPACE = types.SimpleNamespace()
HERE: Any = sys.modules[__name__]


class Box:
    """Hashable, whatever it holds."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Model:
    shared: Any = None
    log: ClassVar[list[Any]] = []

    def __init__(self) -> None:
        self.hidden: Any = None
        self.cache: dict[str, Any] = {}
        self.outs: list[Any] = []

    def attribute(self, x: Any) -> None:
        scale = 2
        self.hidden = x  # leak
        assert scale

    def item(self, x: Any) -> None:
        self.cache["n"] = 1
        self.cache["h"] = x  # leak

    def append(self, x: Any) -> None:
        self.outs.append(0)
        self.outs.append(x)  # leak

    def remember(self, x: Any) -> None:
        if "h" not in self.cache:
            self.cache["h"] = x  # leak

    def through_helper(self, x: Any) -> None:
        self._note("other", 1)
        self._note("value", x)

    def _note(self, name: str, value: Any) -> None:
        self.cache[name] = value  # leak

    def __setitem__(self, name: str, value: Any) -> None:
        self.cache[name] = value  # leak


MODEL = Model()


@dataclasses.dataclass
class Record:
    last: Any = None
    all: list[Any] = dataclasses.field(default_factory=list[Any])


RECORD = Record()


class Slotted:
    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: Any = None


SLOTTED = Slotted()


def list_append(x: Any) -> None:
    results.append(1)
    results.append(x)  # leak


def list_extend(x: Any) -> None:
    results.extend([1, x])  # leak


def list_insert(x: Any) -> None:
    results.insert(0, x)  # leak


def list_added(x: Any) -> None:
    global results
    results += [x]  # leak


def list_item(x: Any) -> None:
    results.append(None)
    results[-1] = x  # leak


def list_slice(x: Any) -> None:
    results[:] = [x, x]  # leak


def dict_item(x: Any) -> None:
    TABLE["kind"] = "item"
    TABLE["x"] = x  # leak


def dict_setdefault(x: Any) -> None:
    TABLE.setdefault("x", x)  # leak


def dict_update(x: Any) -> None:
    TABLE.update(kind="update", x=x)  # leak


def dict_of_lists(x: Any) -> None:
    GROUPS["all"].append(x)  # leak


def guarded_item(x: Any) -> None:
    if "first" not in TABLE:
        TABLE["first"] = x  # leak


def set_add(x: Any) -> None:
    SEEN.add(Box(x))  # leak


def global_name(x: Any) -> None:
    global latest
    latest = x  # leak


def globals_item(x: Any) -> None:
    globals()["latest"] = x  # leak


def module_attribute(x: Any) -> None:
    HERE.latest = x  # leak


def nested_containers(x: Any) -> None:
    TABLE["nested"] = {"list": [1, (x, [x])]}  # leak


def deque_append(x: Any) -> None:
    RECENT.appendleft(x)  # leak


def queue_put(x: Any) -> None:
    WAITING.put(x)  # leak


def heap_push(x: Any) -> None:
    heapq.heappush(HEAP, (len(HEAP), x))  # leak


def class_attribute(x: Any) -> None:
    Model.shared = x  # leak


def class_list(x: Any) -> None:
    Model.log.append(x)  # leak


def set_attribute(x: Any) -> None:
    setattr(MODEL, "hidden", x)  # noqa: B010  # leak


def namespace(x: Any) -> None:
    NAMESPACE.value = x  # leak


def dataclass_field(x: Any) -> None:
    RECORD.last = x  # leak


def dataclass_list(x: Any) -> None:
    RECORD.all.append(x)  # leak


def slot(x: Any) -> None:
    SLOTTED.value = x  # leak


def function_attribute(x: Any) -> None:
    function_attribute.last = x  # type: ignore[attr-defined]  # leak


def default_argument(x: Any, kept: list[Any] = []) -> None:  # noqa: B006
    kept.append(x)  # leak


def alias_of_global(x: Any) -> None:
    first = [0]
    first.append(1)
    rows = TABLE.setdefault("rows", [])
    rows.append(x)  # leak


def context_variable(x: Any) -> None:
    VARIABLE.set(x)  # leak


def lambda_closure(x: Any) -> None:
    TABLE["closure"] = lambda: x  # leak


def lambda_default(x: Any) -> None:
    TABLE["default"] = lambda y=x: y  # leak


def partial_object(x: Any) -> None:
    TABLE["partial"] = functools.partial(max, x)  # leak


def exception_argument(x: Any) -> None:
    TABLE["error"] = ValueError(x)  # leak


def exception_attribute(x: Any) -> None:
    error = ValueError("no")
    error.value = x  # type: ignore[attr-defined]
    TABLE["error"] = error  # leak


def generator(x: Any) -> None:
    def generate() -> Iterator[Any]:
        yield 1
        yield x

    values = generate()
    next(values)
    TABLE["generator"] = values  # leak


def iterator(x: Any) -> None:
    TABLE["iterator"] = iter([x, x])  # leak


def chained(x: Any) -> None:
    TABLE["chain"] = itertools.chain([x], [1])  # leak


def bound_method(x: Any) -> None:
    TABLE["method"] = Box(x).__init__  # leak


def helper(x: Any) -> None:
    _keep("a", 1)
    _keep("b", x)


def _keep(name: str, value: Any) -> None:
    TABLE[name] = value  # leak


def in_loop(x: Any) -> None:
    for i in range(3):
        if i == 1:
            results.append(x)  # leak
        else:
            results.append(i)


def in_try(x: Any) -> None:
    try:
        TABLE["try"] = x  # leak
        raise KeyError
    except KeyError:
        pass


def in_with(x: Any) -> None:
    with Noted():
        results.append(x)  # leak


class Noted:
    def __enter__(self) -> None:
        TABLE["in"] = True

    def __exit__(self, *_: object) -> None:
        TABLE["in"] = False


def two_in_one_list(x: Any) -> None:
    results.append(x)  # leak
    results.append(3)


def over_lines(x: Any) -> None:
    TABLE[  # leak
        "long"
    ] = x


@functools.lru_cache
def _cached(value: Any) -> int:
    return 1


def cache_argument(x: Any) -> None:
    _cached(Box(x))  # leak


def walrus(x: Any) -> None:
    global latest
    if (latest := x) is not None:  # leak
        pass


def unpacked(x: Any) -> None:
    MODEL.hidden, other = x, 1  # leak
    assert other


def for_target(x: Any) -> None:
    for MODEL.hidden in (1, x):  # leak
        pass


def made_closure() -> Store:
    outs: list[Any] = []
    count = 0
    best: Any = None

    def store(x: Any) -> None:
        nonlocal count
        count += 1
        outs.append(x)  # leak

    TABLE["reader"] = lambda: (outs, count, best)
    return store


def made_cell() -> Store:
    best: Any = None
    count = 0

    def store(x: Any) -> None:
        nonlocal best, count
        count += 1
        best = x  # leak

    TABLE["reader"] = lambda: (best, count)
    return store


def made_running_generator() -> Store:
    def collect() -> Generator[Any, Any, None]:
        kept: Any = None
        while True:
            kept = yield kept

    values: Any = collect()
    next(values)
    TABLE["collector"] = values

    def store(x: Any) -> None:
        values.send(x)  # leak

    return store


MAKERS: dict[str, Callable[[], Store]] = {
    "closure list": made_closure,
    "cell variable": made_cell,
    "running generator": made_running_generator,
}

STORES: tuple[Store, ...] = (
    *(list_append, list_extend, list_insert, list_added, list_item, list_slice, dict_item),
    *(dict_setdefault, dict_update, dict_of_lists, guarded_item, set_add, global_name),
    *(globals_item, module_attribute, nested_containers, deque_append, queue_put, heap_push),
    *(class_attribute, class_list, set_attribute, namespace, dataclass_field, dataclass_list),
    *(slot, function_attribute, default_argument, alias_of_global, context_variable),
    *(lambda_closure, lambda_default, partial_object, exception_argument, exception_attribute),
    *(generator, iterator, chained, bound_method, helper, in_loop, in_try, in_with),
    *(two_in_one_list, over_lines, cache_argument, walrus, unpacked, for_target),
    *(MODEL.attribute, MODEL.item, MODEL.append, MODEL.remember, MODEL.through_helper),
)


def _same(store: Store) -> Store:
    return store


SHAPES: dict[str, Callable[[], Store]] = {
    **{store.__name__: functools.partial(_same, store) for store in STORES},
    "set item of a class": lambda: functools.partial(MODEL.__setitem__, "h"),
    **MAKERS,
}


def code_of(store: Any) -> types.CodeType:
    if isinstance(store, functools.partial):
        store = store.func
    return store.__code__


def forget() -> None:
    """Empties all places."""
    global latest, results
    latest = None
    results = []
    for each in (TABLE, SEEN, RECENT, HEAP, GROUPS, MODEL.cache, MODEL.outs, Model.log):
        each.clear()
    RECORD.all.clear()
    MODEL.hidden = Model.shared = RECORD.last = SLOTTED.value = NAMESPACE.value = None
    function_attribute.last = None  # type: ignore[attr-defined]
    default_argument.__defaults__[0].clear()  # type: ignore[index]
    while not WAITING.empty():
        WAITING.get()
    VARIABLE.set(None)
    _cached.cache_clear()
