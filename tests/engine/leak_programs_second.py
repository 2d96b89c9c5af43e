"""A second set of functions that leak a tracer, each with a twin that keeps none."""

from typing import Final

PAIRS: Final = {
    "defaultdict_of_lists": (
        "import collections\nGROUPS = collections.defaultdict(list)",
        "GROUPS['n'].append(1)\nGROUPS['h'].append(w * 2)  # STORE",
        "GROUPS['h'].append(w.size)\nw = w * len(GROUPS['h'])",
    ),
    "shared_cell": (
        "def make():\n    last = None\n    def write(value):\n        nonlocal last\n"
        "        before = last\n        last = value  # STORE\n        return before\n"
        "    def read(): return last\n    return write, read\nWRITE, READ = make()",
        "WRITE(1)\nWRITE(w.sum())",
        "WRITE(w.sum())\nw = w * READ()\nWRITE(None)",
    ),
    "type_of_self": (
        "class Base:\n    last = None\n    def __call__(self, x):\n        y = x * 3\n"
        "        type(self).last = y  # STORE\n        return y\nclass Layer(Base): pass\n"
        "LAYER = Layer()",
        "w = LAYER(w)",
        "w = LAYER(w)\nType = type(LAYER)\ndel Type.last",
    ),
    "slotted_dataclass": (
        "import dataclasses\n@dataclasses.dataclass(slots=True)\nclass Stats:\n"
        "    n: int = 0\n    rows: list = dataclasses.field(default_factory=list)\nSTATS = Stats()",
        "STATS.n += 1\nSTATS.rows.append((STATS.n, w * 2))  # STORE",
        "STATS.n += 1\nSTATS.rows.append((STATS.n, w.shape))\n"
        "stats = Stats()\nstats.rows.append(w * 2)\nw = stats.rows[0]",
    ),
    "bounded_deque": (
        "import collections\nWINDOW = collections.deque([0, 0, 0], maxlen=3)",
        "WINDOW.appendleft(w.mean())  # STORE\nw = w - w[0]",
        "window = collections.deque([0, 0], maxlen=2)\nwindow.appendleft(w.mean())\n"
        "WINDOW.appendleft(w.ndim)\nw = w - window[0]",
    ),
    "suspended_generator": (
        "KEPT = []\ndef halves(x):\n    y = x / 2\n    yield y.shape\n    yield y",
        "steps = halves(w)\nnext(steps)\nKEPT.append(steps)  # STORE",
        "steps = halves(w)\nKEPT.append(next(steps))\nw = next(steps)\nsteps.close()",
    ),
    "default_of_method": (
        "class Model:\n    def apply(self, x, seen={}):\n        n = len(seen)\n"
        "        seen[n] = x + n  # STORE\n        return x\nMODEL = Model()",
        "w = MODEL.apply(w)",
        "w = MODEL.apply(w)\nMODEL.apply.__func__.__defaults__[0].clear()",
    ),
    "global_of_other_module": (
        "import sys, types\nOTHER = types.ModuleType('other_module')\n"
        "OTHER.last = None\nOTHER.best = 0",
        "OTHER.best = w.ndim\nsetattr(OTHER, 'last', w * 2)  # STORE",
        "OTHER.best = w.ndim\nsetattr(OTHER, 'last', w * 2)\nw = OTHER.last\nOTHER.last = None",
    ),
    "thread_local_subclass": (
        "import threading\nclass Stack(threading.local):\n    def __init__(self): self.items = []\n"
        "STACK = Stack()",
        "STACK.items.append('begin')\nSTACK.items.append(w * 2)  # STORE",
        "STACK.items.append(w * 2)\nw = STACK.items.pop()",
    ),
    "weak_values": (
        "import weakref\nclass Box: pass\nSEEN = weakref.WeakValueDictionary()\nSTRONG = []",
        "box = Box()\nbox.v = w * 2\nSEEN[len(SEEN)] = box\nSTRONG.append(box)  # STORE",
        "box = Box()\nbox.v = w * 2\nSEEN[len(SEEN)] = box\nw = box.v",
    ),
    "cached_result": (
        "import functools\nclass Scaler:\n    def __init__(self): self.current = None\n"
        "    @functools.cache\n    def scale(self, n):\n        return self.current * n  # STORE\n"
        "SCALER = Scaler()",
        "SCALER.current = w\nw = SCALER.scale(len(str(w)))  # STORE\nSCALER.current = None",
        "SCALER.current = w.size\nw = w * SCALER.scale(w.ndim)\nSCALER.current = None",
    ),
    "kept_context": (
        "import contextvars\nVAR = contextvars.ContextVar('v', default=None)\nKEPT = []",
        "context = contextvars.copy_context()\ncontext.run(VAR.set, w * 2)\n"
        "KEPT.append(context)  # STORE",
        "context = contextvars.copy_context()\ncontext.run(VAR.set, w * 2)\nw = context[VAR]",
    ),
    "exception_value": (
        "ERRORS = []\nclass Diverged(Exception):\n    def __init__(self, value):\n"
        "        super().__init__('diverged')\n        self.value = value",
        "try:\n    raise Diverged(w.sum())\nexcept Diverged as error:\n"
        "    ERRORS.append(error.with_traceback(None))  # STORE",
        "try:\n    raise Diverged(w.sum())\nexcept Diverged as error:\n"
        "    w = w * error.value\n    ERRORS.append(str(error))",
    ),
    "own_log_handler": (
        "import logging\nclass Keep(logging.Handler):\n    def __init__(self):\n"
        "        super().__init__()\n        self.seen = []\n    def emit(self, record):\n"
        "        self.seen.append(record.args)  # STORE\n"
        "LOG = logging.Logger('leaks', 'INFO')\nLOG.addHandler(Keep())",
        "LOG.info('h is %s', w * 2)  # STORE",
        "LOG.info('h is %s', (w * 2).shape)",
    ),
    "object_array": (
        "import numpy\nTABLE = numpy.empty(3, dtype=object)",
        "TABLE[0] = 1\nTABLE[1] = w * 2  # STORE",
        "TABLE[0] = w.shape\ntable = numpy.empty(1, dtype=object)\ntable[0] = w\nw = table[0]",
    ),
    "py_object": (
        "import ctypes\nPOINTERS = []",
        "pointer = ctypes.py_object(w * 2)\nPOINTERS.append(pointer)  # STORE",
        "pointer = ctypes.py_object(w * 2)\nw = pointer.value\nPOINTERS.append(w.size)",
    ),
    "asyncio_queue": (
        "import asyncio\nQUEUE = asyncio.Queue()",
        "QUEUE.put_nowait('n')\nQUEUE.put_nowait(w * 2)  # STORE",
        "QUEUE.put_nowait(w * 2)\nw = QUEUE.get_nowait()",
    ),
    "mock_calls": (
        "from unittest import mock\nSPY = mock.Mock(return_value=None)",
        "SPY.begin()\nSPY(w * 2)  # STORE",
        "SPY((w * 2).shape)\nspy = mock.Mock(return_value=w)\nw = spy(w)",
    ),
    "setitem_function": (
        "import operator, types\nOPEN = {'h': None}\nVIEW = types.MappingProxyType(OPEN)",
        "operator.setitem(OPEN, 'h', w * 2)  # STORE\nn = len(VIEW)",
        "operator.setitem(OPEN, 'h', w * 2)\nw = VIEW['h']\nOPEN['h'] = None",
    ),
    "tee": (
        "import itertools\nLEFT = []",
        "one, other = itertools.tee(x for x in (w, w * 2))\nw = sum(one)\n"
        "LEFT.append(other)  # STORE",
        "one, other = itertools.tee(x for x in (w, w * 2))\nw = sum(one) + sum(other)\n"
        "LEFT.append(w.shape)",
    ),
    "pool_future": (
        "import concurrent.futures\nDONE = []",
        "with concurrent.futures.ThreadPoolExecutor(1) as pool:\n"
        "    future = pool.submit(lambda value: [value], w * 2)\n    future.result()\n"
        "DONE.append(future)  # STORE",
        "with concurrent.futures.ThreadPoolExecutor(1) as pool:\n"
        "    future = pool.submit(lambda value: [value], w * 2)\nw = future.result()[0]\n"
        "DONE.append(future.done())",
    ),
    "pytree_node": (
        "class State:\n    def __init__(self, h): self.h = h\n"
        "jax.tree_util.register_pytree_node(\n    State, lambda s: ((s.h,), None),"
        " lambda _, leaves: State(*leaves))\nSTATE = State(0.0)",
        "global STATE\nSTATE = jax.tree_util.tree_map(lambda h: h + w.sum(), STATE)  # STORE",
        "state = jax.tree_util.tree_map(lambda h: h + w.sum(), STATE)\nw = w * state.h",
    ),
    "map_of_append": (
        "ROWS = []",
        "any(map(ROWS.append, [w, w * 2]))  # STORE",
        "rows = []\nany(map(rows.append, [w, w * 2]))\nany(map(ROWS.append, w.shape))\nw = rows[1]",
    ),
    "exit_of_block": (
        "HISTORY = []\nclass Record:\n    def __enter__(self):\n        self.seen = []\n"
        "        return self.seen\n    def __exit__(self, *_):\n"
        "        HISTORY.extend(self.seen)  # STORE",
        "with Record() as seen:\n    seen.append(w * 2)\nw = w + 1",
        "with Record() as seen:\n    seen.append(w.shape)\nw = w + 1",
    ),
    "subclass_registry": (
        "KINDS = []\nclass Base:\n    def __init_subclass__(cls):\n"
        "        KINDS.append(cls)  # STORE",
        "class Local(Base):\n    h = w * 2\nw = Local.h",
        "class Local(Base):\n    h = w.shape\nw = w * len(Local.h)",
    ),
    "in_place_operator": (
        "class Log:\n    def __init__(self): self.items = ()\n    def __iadd__(self, item):\n"
        "        self.items = (*self.items, item)  # STORE\n        return self\n"
        "    def __lshift__(self, item):\n        return self.__iadd__(item)\nLOG = Log()",
        "global LOG\nLOG += 1\nLOG += w * 2",
        "log = Log()\nlog += w * 2\nw = log.items[0]\nLOG << w.shape",
    ),
    "tree_map_of_append": (
        "LEAVES = []",
        "jax.tree_util.tree_map(LEAVES.append, {'a': w * 2, 'b': [w]})  # STORE",
        "leaves = []\njax.tree_util.tree_map(leaves.append, {'a': w * 2})\nw = leaves[0]\n"
        "jax.tree_util.tree_map(LEAVES.append, {'a': w.size})",
    ),
    "suspended_coroutine": (
        "import types\nWAITING = []\n@types.coroutine\ndef pause(): yield\n"
        "async def step(x):\n    y = x * 2\n    await pause()\n    return y",
        "task = step(w)\ntask.send(None)\nWAITING.append(task)  # STORE",
        "task = step(w)\ntask.send(None)\ntry:\n    task.send(None)\nexcept StopIteration as end:\n"
        "    w = end.value\nWAITING.append(w.shape)",
    ),
    "recorded_warning": (
        "import warnings\nclass Odd(UserWarning): pass\nSEEN = []",
        "with warnings.catch_warnings(record=True) as seen:\n    warnings.simplefilter('always')\n"
        "    warnings.warn(Odd(w * 2))\nSEEN.extend(seen)  # STORE",
        "with warnings.catch_warnings(record=True) as seen:\n    warnings.simplefilter('always')\n"
        "    warnings.warn(Odd(w * 2))\nSEEN.append(len(seen))",
    ),
    "open_context_manager": (
        "import contextlib\nOPEN = []\n@contextlib.contextmanager\ndef scaled(x):\n"
        "    y = x * 2\n    yield y",
        "manager = scaled(w)\nw = manager.__enter__()\nOPEN.append(manager)  # STORE",
        "manager = scaled(w)\nw = manager.__enter__()\nmanager.__exit__(None, None, None)\n"
        "OPEN.append(w.shape)",
    ),
}
"""What stands before the function, the body that leaks, and the body that does not."""
