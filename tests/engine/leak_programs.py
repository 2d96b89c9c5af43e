"""Ways to keep a tracer beside those of `leak_shapes`, and functions that look alike and keep none,
as texts for oakum and for real JAX.

The line with STORE is the one that a report has to name; where there are two, one of them. `w` is
the tracer.
"""

from typing import Final

SHAPES: Final = {
    "chain_map": (
        "import collections\nLAYERS = collections.ChainMap({}, {'n': 1})",
        "LAYERS['n'] = 2\nLAYERS['h'] = w * 3  # STORE",
    ),
    "ordered_dict": (
        "import collections\nRECENT = collections.OrderedDict()",
        "h = w * 3\nRECENT['h'] = h  # STORE\nRECENT.move_to_end('h', last=False)",
    ),
    "thread_local": (
        "import threading\nLOCAL = threading.local()",
        "LOCAL.depth = 1\nLOCAL.value = w + 1  # STORE",
    ),
    "property_setter": (
        "class Layer:\n    @property\n    def out(self): return self._out\n    @out.setter\n"
        "    def out(self, value):\n        self._out = value  # STORE\nLAYER = Layer()",
        "LAYER.out = w * 2",
    ),
    "descriptor": (
        "class Field:\n    def __set_name__(self, owner, name): self.name = '_' + name\n"
        "    def __set__(self, instance, value):\n"
        "        instance.__dict__[self.name] = value  # STORE\n"
        "class Model:\n    h = Field()\nMODEL = Model()",
        "MODEL.h = w * 2",
    ),
    "dict_subclass": (
        "class Registry(dict):\n    def __setitem__(self, key, value):\n"
        "        super().__setitem__(key.lower(), value)  # STORE\nREGISTRY = Registry()",
        "REGISTRY['H'] = w * 2",
    ),
    "list_subclass": (
        "class Trail(list):\n    def push(self, value):\n        self.append((len(self), value))"
        "  # STORE\nTRAIL = Trail()",
        "TRAIL.push(0)\nTRAIL.push(w * 2)",
    ),
    "log_record": (
        "import logging, logging.handlers\nLOG = logging.getLogger('leaks')\n"
        "LOG.propagate = False\nLOG.setLevel('INFO')\n"
        "LOG.addHandler(logging.handlers.MemoryHandler(1000))",
        "LOG.info('start')\nLOG.info('value %s', w * 2)  # STORE",
    ),
    "finalizer": (
        "import weakref\nclass Owner: pass\nOWNER = Owner()",
        "weakref.finalize(OWNER, len, w * 2).atexit = False  # STORE",
    ),
    "frozen_dataclass": (
        "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Config:\n"
        "    scale: object = None\nCONFIG = Config()",
        "object.__setattr__(CONFIG, 'scale', w.sum())  # STORE",
    ),
    "keyword_default": (
        "def helper(*, scale=None): return scale",
        "helper.__kwdefaults__['scale'] = w * 2  # STORE",
    ),
    "cached_property": (
        "import functools\nclass Model:\n    w = None\n    @functools.cached_property\n"
        "    def norm(self): return self.compute()  # STORE\n"
        "    def compute(self): return CURRENT[0] * 2\nMODEL = Model()\nCURRENT = [None]",
        "CURRENT[0] = w\nn = MODEL.norm  # STORE\nCURRENT[0] = None",
    ),
    "cell_contents": (
        "def make():\n    kept = None\n    def read(): return kept\n    return read\nREAD = make()",
        "READ.__closure__[0].cell_contents = w * 2  # STORE",
    ),
    "future": (
        "import concurrent.futures\nFUTURE = concurrent.futures.Future()",
        "if not FUTURE.done():\n    FUTURE.set_result(w * 2)  # STORE",
    ),
    "named_tuple": (
        "import collections\nState = collections.namedtuple('State', 'n h')\n"
        "STATE = State(0, None)",
        "global STATE\nSTATE = STATE._replace(n=1)\nSTATE = STATE._replace(h=w * 2)  # STORE",
    ),
    "enum_member": (
        "import enum\nclass Kind(enum.Enum):\n    A = 1\n    B = 2",
        "Kind.A.payload = 0\nKind.B.payload = w * 2  # STORE",
    ),
    "weak_key": (
        "import weakref\nclass Owner: pass\nOWNER = Owner()\nCACHE = weakref.WeakKeyDictionary()",
        "CACHE[OWNER] = w * 2  # STORE",
    ),
    "user_list": (
        "import collections\nROWS = collections.UserList()",
        "ROWS.append(1)\nROWS.append(w * 2)  # STORE",
    ),
    "bisect": (
        "import bisect\nBEST = []",
        "bisect.insort(BEST, (len(BEST), w * 2))  # STORE",
    ),
    "builtins": (
        "import builtins",
        "builtins.last_value = w * 2  # STORE",
    ),
    "running_total": (
        "TOTAL = 0.0",
        "global TOTAL\nTOTAL += w.sum()  # STORE",
    ),
    "unstarted_thread": (
        "import threading\nTHREADS = []",
        "thread = threading.Thread(target=len, args=(w * 2,))\nTHREADS.append(thread)  # STORE",
    ),
    "exit_stack": (
        "import contextlib\nSTACK = contextlib.ExitStack()",
        "STACK.callback(len, w * 2)  # STORE",
    ),
    "match_capture": (
        "HELD = None",
        "global HELD\nmatch (1, w * 2):\n    case (1, HELD):  # STORE\n        pass",
    ),
    "memo_decorator": (
        "def memoize(f):\n    memo = {}\n    def call(x, n):\n        if n not in memo:\n"
        "            memo[n] = f(x)  # STORE\n        return memo[n]\n    return call\n"
        "@memoize\ndef double(x): return x * 2",
        "double(w, 3)",
    ),
    "dict_or": (
        "TABLE = {}",
        "global TABLE\nTABLE |= {'n': 1}\nTABLE |= {'h': w * 2}  # STORE",
    ),
    "chained_iterator": (
        "import itertools\nSOURCE = iter(())",
        "global SOURCE\nSOURCE = itertools.chain([w * 2], SOURCE)  # STORE",
    ),
    "dynamic_class": (
        "MADE = []",
        "made = type('Made', (), {'h': w * 2})\nMADE.append(made)  # STORE",
    ),
    "comprehension": (
        "KEPT = []",
        "[KEPT.append(each) for each in (w, w * 2)]  # STORE",
    ),
    "generator_send": (
        "def collect():\n    kept = []\n    while True:\n        value = yield len(kept)\n"
        "        kept.append(value)  # STORE\n"
        "COLLECT = collect()\nnext(COLLECT)",
        "COLLECT.send(1)\nCOLLECT.send(w * 2)  # STORE",
    ),
}
"""What stands before the function, and its body."""

CLEAN: Final = {
    "chain_map": (
        "import collections",
        "layers = collections.ChainMap({}, {'n': 1})\nlayers['h'] = w * 3\nw = layers['h']",
    ),
    "ordered_dict_popped": (
        "import collections\nRECENT = collections.OrderedDict()",
        "RECENT['h'] = w * 3\nw = RECENT.popitem()[1]",
    ),
    "thread_local_deleted": (
        "import threading\nLOCAL = threading.local()",
        "LOCAL.value = w + 1\nw = LOCAL.value\ndel LOCAL.value",
    ),
    "attribute_of_metadata": (
        "class Layer: pass\nLAYER = Layer()",
        "LAYER.shape, LAYER.dtype, LAYER.ndim = w.shape, w.dtype, w.ndim",
    ),
    "registry_of_names": (
        "class Registry(dict):\n    def __setitem__(self, key, value):\n"
        "        super().__setitem__(key.lower(), value)\nREGISTRY = Registry()",
        "REGISTRY['H'] = str(w.shape)",
    ),
    "log_of_shape": (
        "import logging, logging.handlers\nLOG = logging.getLogger('clean')\n"
        "LOG.propagate = False\nLOG.setLevel('INFO')\n"
        "LOG.addHandler(logging.handlers.MemoryHandler(1000))",
        "LOG.info('shape %s', w.shape)",
    ),
    "weak_reference": (
        "import weakref\nSEEN = []",
        "SEEN.append(weakref.ref(w))",
    ),
    "weak_set": (
        "import weakref\nclass Box:\n    def __init__(self, v): self.v = v\n"
        "SEEN = weakref.WeakSet()",
        "box = Box(w)\nSEEN.add(box)\nw = box.v",
    ),
    "finalizer_of_local": (
        "import weakref\nclass Owner: pass",
        "owner = Owner()\nowner.h = w\nweakref.finalize(owner, len, ()).atexit = False",
    ),
    "replaced_again": (
        "BEST = None",
        "global BEST\nBEST = w * 2\nw = BEST\nBEST = None",
    ),
    "number_total": (
        "TOTAL = 0",
        "global TOTAL\nTOTAL += w.size",
    ),
    "local_total": (
        "",
        "total = 0.0\nfor each in (w, w * 2):\n    total += each.sum()\nw = w * total",
    ),
    "context_variable_reset": (
        "import contextvars\nVAR = contextvars.ContextVar('v')",
        "token = VAR.set(w)\nw = VAR.get() * 2\nVAR.reset(token)\ndel token",
    ),
    "exit_stack_closed": (
        "import contextlib",
        "with contextlib.ExitStack() as stack:\n    stack.callback(len, [w])\n    w = w * 2",
    ),
    "cache_of_static": (
        "import functools\n@functools.lru_cache\ndef scale(shape): return len(shape) + 1",
        "w = w * scale(w.shape)",
    ),
    "cached_property_of_local": (
        "import functools\nclass Box:\n    def __init__(self, v): self.v = v\n"
        "    @functools.cached_property\n    def norm(self): return self.v * 2",
        "w = Box(w).norm",
    ),
    "generator_ended": (
        "",
        "w = sum(each * 2 for each in (w, w))",
    ),
    "generator_closed": (
        "def halves(x):\n    while True:\n        x = x / 2\n        yield x",
        "steps = halves(w)\nnext(steps)\nw = next(steps)\nsteps.close()",
    ),
    "exception_caught": (
        "LOG = []",
        "try:\n    raise KeyError(w)\nexcept KeyError as error:\n    LOG.append(type(error))",
    ),
    "exception_chained": (
        "",
        "try:\n    try:\n        raise KeyError(w)\n    except KeyError as error:\n"
        "        raise ValueError from error\nexcept ValueError:\n    w = w * 2",
    ),
    "thread_joined": (
        "import threading",
        "thread = threading.Thread(target=print, args=(), kwargs={'end': ''})\n"
        "thread.start()\nthread.join()\nw = w * 2",
    ),
    "recursive_closure": (
        "",
        "def power(n): return w if n == 0 else power(n - 1) * 2.0\nw = power(3)",
    ),
    "object_cycle": (
        "class Node: pass",
        "a, b = Node(), Node()\na.b, b.a, a.h = b, a, w\nw = b.a.h",
    ),
    "inner_jit": (
        "@jax.jit\ndef inner(x, y): return jnp.dot(x, y)",
        "w = w * inner(w, w)",
    ),
    "inner_grad": (
        "def square(x): return jnp.sum(x * x)",
        "w = jax.grad(square)(w)",
    ),
    "inner_vmap": (
        "",
        "outer = w\nw = jax.vmap(lambda x: x * outer.sum())(jnp.stack([w, w]))[0]",
    ),
    "inner_scan": (
        "",
        "w = jax.lax.scan(lambda c, _: (c * 2, None), w, None, length=3)[0]",
    ),
    "inner_checkpoint": (
        "",
        "w = jax.checkpoint(lambda x: jnp.sin(x))(w)",
    ),
    "program_kept": (
        "MADE = []",
        "MADE.append(jax.make_jaxpr(jnp.sin)(1.0))",
    ),
    "treedef_kept": (
        "DEFS = []",
        "leaves, tree = jax.tree_util.tree_flatten({'w': w})\nDEFS.append(tree)\nw = leaves[0]",
    ),
}
"""The same for functions that keep no tracer."""
