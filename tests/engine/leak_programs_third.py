"""A third set of functions that leak a tracer, each with a twin that keeps none."""

from typing import Final

PAIRS: Final = {
    "metaclass_attribute": (
        "class Meta(type):\n    def __setattr__(cls, name, value):\n"
        "        super().__setattr__(name, value)  # STORE\n"
        "class Config(metaclass=Meta): scale = 1",
        "Config.scale = 2\nConfig.shift = w * 2  # STORE",
        "Config.scale = w.size\nw = w * Config.scale",
    ),
    "weakref_callback": (
        "import weakref\nclass Owner: pass\nOWNER = Owner()\nREFS = []",
        "REFS.append(weakref.ref(OWNER, lambda _, v=w * 2: v))  # STORE",
        "refs = [weakref.ref(OWNER, lambda _, v=w * 2: v)]\nREFS.append(weakref.ref(OWNER))",
    ),
    "dispatch_registry": (
        "import functools\n@functools.singledispatch\ndef show(x): return x",
        "h = w * 2\nshow.register(int, lambda x: x)\nshow.register(bytes, lambda x: h)  # STORE",
        "@functools.singledispatch\ndef local(x): return x\nh = w * 2\n"
        "local.register(int, lambda x: h)\nw = local(1)",
    ),
    "reduce_into_list": (
        "import functools\nROWS = []",
        "functools.reduce(lambda rows, v: rows.append(v) or rows, (w, w + 1), ROWS)  # STORE",
        "rows = functools.reduce(lambda rows, v: rows.append(v) or rows, (w, w + 1), [])\n"
        "w = rows[0]\nROWS.append(len(rows))",
    ),
    "accumulate_iterator": (
        "import itertools\nSUMS = []",
        "sums = itertools.accumulate([w, w * 2, w * 3])\nw = next(sums)\nw = w + next(sums)\n"
        "SUMS.append(sums)  # STORE",
        "sums = itertools.accumulate([w, w * 2])\nw = next(sums)\nSUMS.append(w.shape)",
    ),
    "counter_item": (
        "import collections\nCOUNTS = collections.Counter()",
        "COUNTS['steps'] += 1\nCOUNTS['loss'] += w.sum()  # STORE",
        "counts = collections.Counter()\ncounts['loss'] += w.sum()\nw = w * counts['loss']\n"
        "COUNTS['steps'] += w.ndim",
    ),
    "dict_fromkeys": (
        "TABLE = {}",
        "global TABLE\nh = w * 2\nTABLE = dict.fromkeys(('a', 'b'), h)  # STORE",
        "global TABLE\nTABLE = dict.fromkeys(('a', 'b'), w.dtype)\n"
        "w = dict.fromkeys(('a', 'b'), w)['b']",
    ),
    "starred_globals": (
        "FIRST = REST = None",
        "global FIRST, REST\nFIRST, *REST = 1, w, w * 2  # STORE",
        "global FIRST, REST\nFIRST, *REST = w.shape\nfirst, *rest = 1, w, w * 2\nw = rest[1]",
    ),
    "finally_block": (
        "LAST = {}",
        "h = None\ntry:\n    h = w * 2\n    w = w + 1\nfinally:\n    LAST['n'] = 0\n"
        "    LAST['h'] = h  # STORE",
        "h = None\ntry:\n    h = w * 2\n    LAST['h'] = h\nfinally:\n    LAST.clear()",
    ),
    "async_generator": (
        "KEPT = []\nasync def parts(x):\n    y = x * 2\n    yield y\n    yield y + x\n"
        "def drive(step):\n    try: step.send(None)\n"
        "    except StopIteration as end: return end.value",
        "stream = parts(w)\nw = drive(stream.__anext__())\nKEPT.append(stream)  # STORE",
        "stream = parts(w)\nw = drive(stream.__anext__())\nKEPT.append(w.shape)",
    ),
    "with_target": (
        "import contextlib\nclass State: pass\nSTATE = State()",
        "with contextlib.nullcontext(w * 2) as STATE.h:  # STORE\n    w = w + 1",
        "with contextlib.nullcontext(w * 2) as STATE.h:\n    w = w + 1\ndel STATE.h",
    ),
    "lazy_attribute": (
        "class Lazy:\n    def __getattr__(self, name):\n"
        "        if name != 'norm': raise AttributeError\n"
        "        value = SOURCE.pop() * 2\n        self.__dict__[name] = value  # STORE\n"
        "        return value\nLAZY = Lazy()\nSOURCE = []",
        "vars(LAZY).clear()\nSOURCE.append(w)\nw = LAZY.norm",
        "lazy = Lazy()\nSOURCE.append(w)\nw = lazy.norm",
    ),
    "missing_key": (
        "class Scales(dict):\n    def __missing__(self, key):\n        made = NOW[0] * 2\n"
        "        self[key] = made  # STORE\n        return made\nSCALES, NOW = Scales(), [None]",
        "SCALES.clear()\nNOW[0] = w\nw = SCALES['a']\nNOW[0] = None",
        "NOW[0] = w\nscales = Scales()\nw = scales['a']\nSCALES['n'] = w.size\nNOW[0] = None",
    ),
    "post_init": (
        "import dataclasses\nALL = []\n@dataclasses.dataclass(eq=False)\nclass Event:\n"
        "    value: object\n"
        "    def __post_init__(self):\n        ALL.append(self)  # STORE",
        "event = Event(w * 2)\nw = event.value",
        "event = Event(w * 2)\nw = event.value\nALL.remove(event)",
    ),
    "singleton": (
        "class Only:\n    made = None\n    def __new__(cls, value):\n        if cls.made is None:\n"
        "            cls.made = super().__new__(cls)\n        cls.made.value = value  # STORE\n"
        "        return cls.made",
        "w = Only(w * 2).value",
        "w = Only(w * 2).value\nOnly.made = None",
    ),
    "linked_list": (
        "class Node:\n    def __init__(self, value, after): self.value, self.after = value, after\n"
        "FIRST = None",
        "global FIRST\nFIRST = Node(1, FIRST)\nFIRST = Node(w * 2, FIRST)  # STORE\n"
        "FIRST = Node(2, FIRST)",
        "global FIRST\nFIRST = Node(w.shape, None)\nfirst = Node(w * 2, FIRST)\nw = first.value",
    ),
    "tree_of_nodes": (
        "class Node:\n    def __init__(self, value, parent=None):\n        self.value = value\n"
        "        self.children = []\n        self.parent = parent\n        if parent is not None:\n"
        "            parent.children.append(self)  # STORE\nROOT = Node(0)",
        "node = Node(1, ROOT)\nleaf = Node(w * 2, node)\nw = leaf.value",
        "root = Node(0)\nleaf = Node(w * 2, root)\nw = leaf.value\nNode(w.shape, ROOT)",
    ),
    "bound_to_value": (
        "import types\nclass Model: pass\nMODEL = Model()\ndef scale(self): return self",
        "MODEL.scale = types.MethodType(scale, w * 2)  # STORE",
        "model = Model()\nmodel.scale = types.MethodType(scale, w * 2)\nw = model.scale()\n"
        "MODEL.scale = types.MethodType(scale, w.size)",
    ),
    "recording_decorator": (
        "RESULTS = {}\ndef record(function):\n    def call(*args):\n        out = function(*args)\n"
        "        RESULTS[function.__name__] = out  # STORE\n        return out\n    return call\n"
        "@record\ndef size(x): return x.size\n@record\ndef twice(x): return x * 2",
        "n = size(w)\nw = twice(w) + n",
        "w = twice(w) + size(w)\nRESULTS.pop('twice')",
    ),
    "event_bus": (
        "class Bus:\n    def __init__(self): self.heard = []\n"
        "    def on(self, f): self.heard.append(f)\n"
        "    def emit(self, value):\n        for f in self.heard: f(value)\n"
        "class Meter:\n    last = 0\n    def update(self, value):\n"
        "        self.last = value  # STORE\n"
        "BUS, METER = Bus(), Meter()\nBUS.on(METER.update)",
        "BUS.emit(1)\nBUS.emit(w.mean())",
        "BUS.emit(w.mean())\nw = w * METER.last\nBUS.emit(0)",
    ),
    "subscribed_lambda": (
        "class Bus:\n    def __init__(self): self.heard = {}\n"
        "    def on(self, name, f):\n        self.heard.setdefault(name, []).append(f)  # STORE\n"
        "BUS = Bus()",
        "h = w * 2\nBUS.on('start', lambda: 0)\nBUS.on('end', lambda: h)",
        "n = w.size\nbus = Bus()\nbus.on('end', lambda: w)\nBUS.on('end', lambda: n)\n"
        "w = bus.heard['end'][0]()",
    ),
    "thread_attribute": (
        "import threading",
        "threading.current_thread().step = 1\nthreading.current_thread().value = w * 2  # STORE",
        "threading.current_thread().value = w * 2\nw = threading.current_thread().value\n"
        "threading.current_thread().value = None",
    ),
    "empty_slice": (
        "ROWS = [0, 1]",
        "ROWS[1:1] = [2]\nROWS[1:1] = [w * 2]  # STORE",
        "rows = [0, 1]\nrows[1:1] = [w * 2]\nROWS[1:1] = rows[2:]\nw = rows[1]",
    ),
    "copied_object": (
        "import copy\nclass State: pass\nSNAPSHOTS = []",
        "state = State()\nstate.h = w * 2\nSNAPSHOTS.append(copy.copy(state))  # STORE\n"
        "state.h = 0",
        "state = State()\nstate.h = w * 2\nw = copy.copy(state).h\nstate.h = 0\n"
        "SNAPSHOTS.append(copy.copy(state))",
    ),
    "dataclass_replace": (
        "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Train:\n    step: int = 0\n"
        "    loss: object = None\nTRAIN = Train()",
        "global TRAIN\nTRAIN = dataclasses.replace(TRAIN, step=1)\n"
        "TRAIN = dataclasses.replace(TRAIN, loss=w.sum())  # STORE\n"
        "TRAIN = dataclasses.replace(TRAIN, step=2)",
        "global TRAIN\ntrain = dataclasses.replace(TRAIN, loss=w.sum())\nw = w * train.loss\n"
        "TRAIN = dataclasses.replace(train, loss=None)",
    ),
    "vars_update": (
        "class State: pass\nSTATE = State()",
        "vars(STATE).update(n=1)\nvars(STATE).update(h=w * 2)  # STORE",
        "state = State()\nvars(state).update(h=w * 2)\nw = state.h\nvars(STATE).update(h=w.shape)",
    ),
    "scheduler": (
        "import sched\nSCHEDULER = sched.scheduler()",
        "SCHEDULER.enter(100, 1, len, ('ab',))\nSCHEDULER.enter(200, 1, len, (w * 2,))  # STORE",
        "event = SCHEDULER.enter(100, 1, len, (w * 2,))\nSCHEDULER.cancel(event)",
    ),
    "mutable_mapping": (
        "import collections.abc\nclass Store(collections.abc.MutableMapping):\n"
        "    def __init__(self): self._items = {}\n"
        "    def __getitem__(self, k): return self._items[k]\n"
        "    def __setitem__(self, k, v):\n        self._items[k] = v  # STORE\n"
        "    def __delitem__(self, k): del self._items[k]\n"
        "    def __iter__(self): return iter(self._items)\n"
        "    def __len__(self): return len(self._items)\nSTORE = Store()",
        "STORE['n'] = 1\nSTORE.update(h=w * 2)",
        "STORE.update(h=w * 2)\nw = STORE.pop('h')",
    ),
    "heap_replace": (
        "import heapq, itertools\nHEAP = [(-1, None)]\nTIES = itertools.count()",
        "heapq.heapreplace(HEAP, (next(TIES), w * 2))  # STORE",
        "heapq.heapreplace(HEAP, (next(TIES), w * 2))\nw = heapq.heapreplace(HEAP, (0, None))[1]",
    ),
    "method_caller": (
        "import operator\nCALLS = []",
        "CALLS.append(operator.methodcaller('strip'))\n"
        "CALLS.append(operator.methodcaller('count', w * 2))  # STORE",
        "call = operator.methodcaller('index', w * 2)\n"
        "CALLS.append(operator.methodcaller('strip'))",
    ),
    "global_enumerate": (
        "WALK = None",
        "global WALK\nWALK = enumerate([w * 2, 1])  # STORE",
        "global WALK\nwalk = enumerate([w * 2])\nw = next(walk)[1]\nWALK = enumerate(w.shape)",
    ),
    "bound_arguments": (
        "import inspect\nBOUND = {}\ndef helper(a, b=1): return a",
        "BOUND['first'] = inspect.signature(helper).bind(1)\n"
        "BOUND['second'] = inspect.signature(helper).bind(1, b=w * 2)  # STORE",
        "bound = inspect.signature(helper).bind(w * 2)\nw = helper(*bound.args)\n"
        "BOUND['first'] = bound.signature",
    ),
    "executed_text": (
        "KEPT = []",
        "exec('KEPT.append(value)', {'KEPT': KEPT, 'value': w * 2})  # STORE",
        "exec('KEPT.append(value.shape)', {'KEPT': KEPT, 'value': w * 2})",
    ),
    "walrus_in_comprehension": (
        "LAST = None",
        "global LAST\nsizes = [(LAST := v).size for v in (w, w * 2)]  # STORE",
        "global LAST\nsizes = [(LAST := v.size) for v in (w, w * 2)]\n"
        "w = [(last := v) for v in (w,)][0]",
    ),
    "swap": (
        "ROWS = [0, 1]",
        "ROWS[0], ROWS[1] = ROWS[1], ROWS[0]\nROWS[0], ROWS[1] = w * 2, ROWS[0]  # STORE",
        "rows = [w, w * 2]\nrows[0], rows[1] = rows[1], rows[0]\n"
        "ROWS[0], ROWS[1] = rows[0].size, ROWS[0]\nw = rows[0]",
    ),
    "sort_key": (
        "KEYS = []\ndef key(pair):\n    KEYS.append(pair[1])  # STORE\n    return pair[0]",
        "pairs = [(1, w), (0, w * 2)]\npairs.sort(key=key)\nw = pairs[0][1]",
        "pairs = [(1, w), (0, w * 2)]\npairs.sort(key=lambda pair: pair[0])\nw = pairs[0][1]\n"
        "[('b', 1), ('a', 2)].sort(key=key)",
    ),
    "lazy_map": (
        "MAPPED = []",
        "h = w * 2\nMAPPED.append(map(lambda n: h * n, [1, 2]))  # STORE",
        "h = w * 2\nw = sum(map(lambda n: h * n, [1, 2]))\nMAPPED.append(map(str, w.shape))",
    ),
    "sown_value": (
        "class Scope:\n    def __init__(self): self.collections = {}\n"
        "    def sow(self, kind, name, value, join=lambda old, new: (*old, new)):\n"
        "        rows = self.collections.setdefault(kind, {})\n"
        "        rows[name] = join(rows.get(name, ()), value)  # STORE\nSCOPE = Scope()",
        "SCOPE.sow('counts', 'n', 1)\nSCOPE.sow('intermediates', 'h', w * 2)",
        "scope = Scope()\nscope.sow('intermediates', 'h', w * 2)\n"
        "w = scope.collections['intermediates']['h'][0]\nSCOPE.sow('counts', 'n', w.size)",
    ),
}
"""What stands before the function, the body that leaks, and the body that does not."""
