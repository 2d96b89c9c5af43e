"""What anything unknown has had may have changed: what is found of it is likely, and says so."""

from pathlib import Path

import pytest
from closed_world_programs import (
    assert_likely,
    assert_proved,
    findings_with_unknown_code,
    weak_links,
)
from small_programs import only

from oakum_lint.app.analysis import analyse

LIKELY = {
    "a dict that is passed on": (
        """
        sizes = {"n": 3}
        fill(sizes)
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "a list in another that is passed on": (
        """
        sizes = [3]
        fill({"inner": sizes})
        MISFIT[sizes[0]]
        """,
        "gets `sizes` and may change it",
    ),
    "an object that registers itself": (
        """
        class Model:
            def __init__(self):
                self.n = 3
                hub.register(self)

            def run(self):
                return MISFIT[self.n]

        Model().run()
        """,
        "gets `self` and may change it",
    ),
    "what is stored in an unknown object": (
        """
        sizes = {"n": 3}
        hub.sizes = sizes
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "what is stored as an item of one": (
        """
        sizes = {"n": 3}
        hub["sizes"] = sizes
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "an attribute of any name": (
        """
        class Sizes:
            n = 3

        sizes = Sizes()
        for name, value in hub.items():
            setattr(sizes, name, value)
        MISFIT[sizes.n]
        """,
        "gets `sizes` and may change it",
    ),
    "attributes from unknown keywords": (
        """
        class Sizes:
            def __init__(self, **given):
                self.n = 3
                self.__dict__.update(given)

        sizes = Sizes(**hub)
        MISFIT[sizes.n]
        """,
        "gets `sizes` and may change it",
    ),
    "an unknown method of the object": (
        """
        class Model(Base):
            def run(self):
                self.n = 3
                self.refresh()
                return MISFIT[self.n]

        Model().run()
        """,
        "gets `self` and may change it",
    ),
    "names that code in a text may bind": (
        """
        n = 3
        exec(open("settings.py").read())
        MISFIT[n]
        """,
        "may bind `n`",
    ),
    "names that `globals()` may bind": (
        """
        n = 3
        globals().update(hub)

        def f():
            return MISFIT[n]

        f()
        """,
        "may bind `n`",
    ),
    "names that an import of all names may bind": (
        """
        n = 3
        from somewhere import *

        def f():
            return MISFIT[n]

        f()
        """,
        "may bind `n`",
    ),
    "a key in an object that something else gets": (
        """
        class State:
            pass

        def f():
            state = State()
            state.key = jax.random.key(0)
            first = jax.random.normal(state.key)
            fill(state)
            return first, jax.random.normal(state.key)

        f()
        """,
        "gets `state` and may change it",
    ),
    "a variable that a function binds": (
        """
        n = 3

        def start():
            global n
            n = 4

        MISFIT[n]
        """,
        "a function binds `n` again",
    ),
    "what a library returns": (
        """
        import optax

        @jax.jit
        def f(optimizer, x):
            return x

        f(optax.sgd(0.1), 1.0)
        """,
        "what `optax.sgd` returns is not known for certain",
    ),
    "a test that an object decides": (
        """
        class Config:
            strict = True

            def __init__(self):
                self.check = True

        config = Config()
        fill(config)
        if config.check and isinstance(config, Config):
            MISFIT[3]
        """,
        "gets `config` and may change it",
    ),
    "a way out before that an object decides": (
        """
        class Config:
            def __init__(self):
                self.check = True

        config = Config()
        fill(config)

        def run():
            for _ in range(2):
                if not config.check:
                    break
                MISFIT[3]

        run()
        """,
        "gets `config` and may change it",
    ),
    "a choice in an expression that an object decides": (
        """
        switches = {"check": True}
        fill(switches)
        size = MISFIT[3] if switches["check"] else None
        """,
        "gets `switches` and may change it",
    ),
    "a test of a comprehension that an object decides": (
        """
        switches = {"check": True}
        fill(switches)
        sizes = [MISFIT[3] for _ in range(2) if switches["check"]]
        """,
        "gets `switches` and may change it",
    ),
    "an end of the program that an object decides": (
        """
        import sys

        switches = {"check": True}
        fill(switches)

        def run():
            MISFIT[3]

        if not switches["check"]:
            sys.exit(0)
        run()
        """,
        "gets `switches` and may change it",
    ),
    "an end of the program in a function that an object decides": (
        """
        import sys

        switches = {"check": True}
        fill(switches)

        def run():
            if not switches["check"]:
                sys.exit(0)
            MISFIT[3]

        run()
        """,
        "gets `switches` and may change it",
    ),
    "an argument bound before that an object decides": (
        """
        from functools import partial

        switches = {"check": True}
        fill(switches)

        def f(check, x):
            if check:
                return x if x > 0 else -x
            return x

        jax.jit(partial(f, switches["check"]))(1.0)
        """,
        "gets `switches` and may change it",
    ),
    "a default that an object decides": (
        """
        switches = {"check": True}
        fill(switches)

        def run(check=switches["check"]):
            if check:
                MISFIT[3]

        run()
        """,
        "gets `switches` and may change it",
    ),
    "an operand behind another that an object decides": (
        """
        switches = {"check": True}
        fill(switches)
        size = switches["check"] and MISFIT[3]
        """,
        "gets `switches` and may change it",
    ),
    "a case of what an object holds": (
        """
        switches = {"mode": "sum"}
        fill(switches)
        match switches["mode"]:
            case "sum":
                MISFIT[3]
        """,
        "gets `switches` and may change it",
    ),
}

FORGOTTEN = {
    "a callback that changes a list": """
        def f():
            sizes = []

            def add(n):
                sizes.append(n)

            run(add)
            if sizes:
                MISFIT[3]

        f()
        """,
    "a thread that changes a dict": """
        import threading

        options = {"on": False}
        threading.Thread(target=lambda: options.update(on=True)).start()
        if options["on"]:
            MISFIT[3]
        """,
    "a callback that binds a variable": """
        def f():
            n = 3

            def set_size(new):
                nonlocal n
                n = new

            run(set_size)
            if n == 4:
                MISFIT[3]

        f()
        """,
    "a method of a list": """
        import threading

        sizes = []
        threading.Thread(target=sizes.append, args=(4,)).start()
        if sizes:
            MISFIT[3]
        """,
    "a function that calls another": """
        count = 0

        def bump():
            global count
            count += 1

        def on_event(event):
            bump()

        run(on_event)
        if count > 0:
            MISFIT[3]
        """,
    "an object that is called": """
        options = {"on": False}

        class Switch:
            def __call__(self):
                options["on"] = True

        run(Switch())
        if options["on"]:
            MISFIT[3]
        """,
    "a method of a class": """
        import json

        options = {"on": False}

        class Encoder(json.JSONEncoder):
            def default(self, o):
                options["on"] = True
                return 1

        json.dumps(hub, cls=Encoder)
        if options["on"]:
            MISFIT[3]
        """,
    "any function of the module": """
        sizes = []

        def record():
            sizes.append(4)

        globals()[hub.name]()
        if sizes:
            MISFIT[3]
        """,
    "any function of the module, kept for later": """
        count = 0

        def bump():
            global count
            count = count + 1

        def choose(name):
            return vars().get(name)

        chosen = choose(hub.name)
        if chosen is not None:
            chosen()
        if count == 1:
            MISFIT[3]
        """,
    "text that is run": """
        options = {}

        def switch_on():
            options["on"] = True

        eval(hub.text)
        if "on" in options:
            MISFIT[3]
        """,
    "any method of an object": """
        class Recorder:
            def __init__(self):
                self.sizes, self.on = [], False

            def record(self):
                self.sizes.append(4)

            def switch_on(self):
                self.on = True

            def handle(self, event):
                return getattr(self, f"on_{event}", self.record)()

        recorder = Recorder()
        recorder.handle(hub.event)
        if recorder.on:
            MISFIT[3]
        """,
    "any member of a module": """
        import sys

        class Registry:
            names = []

        def register():
            Registry.names.append("a")

        getattr(sys.modules[__name__], hub.name)()
        if Registry.names:
            MISFIT[3]
        """,
    "a method of a base that is not seen": """
        import ast

        names = []

        class Names(ast.NodeVisitor):
            def visit_Name(self, node):
                names.append(node.id)

        Names().visit(ast.parse("x + y"))
        if names:
            MISFIT[3]
        """,
    "a thread that a class is": """
        import threading

        state = {"on": False}

        class Job(threading.Thread):
            def run(self):
                self.note()

            def note(self):
                state["on"] = True

        Job().start()
        if state["on"]:
            MISFIT[3]
        """,
    "a method of a base that is asked for by super": """
        from html.parser import HTMLParser

        tags = []

        class Parser(HTMLParser):
            def __init__(self, text):
                super().__init__()
                super().feed(text)

            def handle_starttag(self, tag, attrs):
                tags.append(tag)

        Parser("<a>")
        if tags:
            MISFIT[3]
        """,
    "a function whose callee has been replaced since it was last called": """
        class Switch:
            def __init__(self):
                self.on = False
                self.change = self.stay

            def stay(self):
                return self.on

            def turn(self):
                self.on = True

            def press(self):
                self.change()

        switch = Switch()
        run(switch.press)
        switch.on = False
        switch.change = switch.turn
        run(switch.press)
        if switch.on:
            MISFIT[3]
        """,
    "a list that is new since the function was last called": """
        class Log:
            def __init__(self):
                self.lines = []

            def add(self):
                self.lines.append("line")

        log = Log()
        run(log.add)
        log.lines = []
        run(log.add)
        if log.lines:
            MISFIT[3]
        """,
    "a method that a derived class has got since the base was asked": """
        from elsewhere import Base

        on = []

        class Derived(Base):
            def turn(self):
                self.turned = True

        def turn(self):
            on.append(1)

        derived = Derived()
        derived.run()
        Derived.turn = turn
        derived.run()
        if on:
            MISFIT[3]
        """,
    "a method whose callee is another since the base was asked": """
        from elsewhere import Base

        on = []

        def turn():
            pass

        class Derived(Base):
            def press(self):
                turn()

        derived = Derived()
        derived.run()

        def turn():
            on.append(1)

        derived.run()
        if on:
            MISFIT[3]
        """,
    "a function that an object of a derived class holds": """
        from elsewhere import Base

        on = []

        class Derived(Base):
            def turn(self):
                self.turned = True

        derived = Derived()
        derived.turn = lambda: on.append(1)
        derived.run()
        if on:
            MISFIT[3]
        """,
    "a static method and a property of a derived class": """
        from elsewhere import Base

        on, ready = [], []

        class Derived(Base):
            @staticmethod
            def turn():
                on.append(1)

            @property
            def is_ready(self):
                ready.append(1)

        Derived().run()
        if on and ready:
            MISFIT[3]
        """,
    "an object that a derived class holds": """
        from elsewhere import Base

        on = []

        class Switch:
            def turn(self):
                on.append(1)

        class Derived(Base):
            def __init__(self, switch):
                self.switch = switch

            @property
            def is_ready(self):
                return self.switch.turn()

        Derived(Switch()).run()
        if on:
            MISFIT[3]
        """,
    "what becomes of objects that a derived class holds": """
        from elsewhere import Base

        class Switch:
            on = ready = 0

            def __call__(self):
                self.on = 1

            def turn(self):
                self.ready = 1

        class Derived(Base):
            def __init__(self, switch, other):
                self.switch, self.other = switch, other

            def called(self):
                self.switch()

            def turned(self):
                self.other.turn()

        first, second = Switch(), Switch()
        Derived(first, second).run()
        if first.on and second.ready:
            MISFIT[3]
        """,
    "functions in containers of a derived class": """
        from elsewhere import Base

        on, off, up, down = [], [], [], []

        class Derived(Base):
            by_name = {"on": lambda: on.append(1)}
            looked_up = {"off": lambda: off.append(1)}
            in_turn = [lambda: up.append(1)]
            at_last = (lambda: down.append(1),)

            def called(self, name):
                self.by_name[name]()

            def fetched(self, name):
                turn = self.looked_up.get(name)
                turn()

            def each(self):
                for turn in self.in_turn:
                    turn()

            def listed(self):
                return [turn() for turn in self.at_last]

        Derived().run()
        if on and off and up and down:
            MISFIT[3]
        """,
    "a method that a class has got since a call was remembered": """
        class Handler:
            on = []

        handler = Handler()

        def start():
            run(handler)

        def turn(self):
            Handler.on.append("a")

        start()
        Handler.__call__ = turn
        start()
        if Handler.on:
            MISFIT[3]
        """,
    "a function that an object has got since a call was remembered": """
        from elsewhere import Base

        on = []

        class Derived(Base):
            def turn(self):
                self.turned = True

        derived = Derived()

        def start():
            derived.run()

        start()
        derived.hook = lambda: on.append(1)
        start()
        if on:
            MISFIT[3]
        """,
    "a method that the class of what is called has got since": """
        class Handler:
            on = []

        handler = Handler()

        def press():
            handler()

        def turn(self):
            Handler.on.append("a")

        run(press)
        Handler.__call__ = turn
        run(press)
        if Handler.on:
            MISFIT[3]
        """,
    "a method of an unseen base that the object itself holds, compiled": """
        import jax
        import elsewhere

        class Handler(elsewhere.Handler):
            on = []

            def __init__(self):
                self.step = jax.jit(self.advance)

            def turn(self):
                Handler.on.append("a")

        handler = Handler()
        handler.advance()
        if Handler.on:
            MISFIT[3]
        """,
}
LONG_CHAIN = """
        sizes = {{"n": 3}}
        fill(sizes)
        n0 = sizes["n"]
        {steps}
        MISFIT[n2800]
        """.format(steps="\n        ".join(f"n{i + 1} = n{i}" for i in range(2800)))
LIKELY["more steps than are followed"] = (LONG_CHAIN, "expressions are behind it")

PROVED = {
    "a dict that only Python's own functions get": """
        import json

        sizes = {"n": 3}
        print(json.dumps(sizes), len(sizes))
        MISFIT[sizes["n"]]
        """,
    "an object whose method gets what is unknown": """
        class Sizes:
            def __init__(self, other):
                self.n, self.other = 3, other

        MISFIT[Sizes(hub).n]
        """,
    "attributes from keywords that are known": """
        class Sizes:
            def __init__(self, **given):
                self.__dict__.update(given)

        MISFIT[Sizes(n=3).n]
        """,
    "another object than the one that escapes": """
        sizes, others = {"n": 3}, {"n": 3}
        fill(others)
        MISFIT[sizes["n"]]
        """,
    "a dict that escapes afterwards": """
        sizes = {"n": 3}
        MISFIT[sizes["n"]]
        fill(sizes)
        """,
    "a traced argument out of what escapes": """
        sizes = {"n": 3.0}
        fill(sizes)

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        f(jnp.float32(sizes["n"]))
        """,
    "a default that is not used": """
        switches = {"check": True}
        fill(switches)

        def run(check=switches["check"]):
            if check:
                MISFIT[3]

        run(True)
        """,
    "another argument bound before": """
        from functools import partial

        switches = {"check": True}
        fill(switches)

        def f(weights, check, x):
            if check:
                return x if x > 0 else -x
            return x

        jax.jit(partial(f, switches, check=True))(x=1.0)
        """,
    "a test of which object it is": """
        class Config:
            n = 3

        config = Config()
        fill(config)
        if config is not None and isinstance(config, Config):
            MISFIT[3]
        """,
}


@pytest.mark.parametrize(("program", "link"), LIKELY.values(), ids=LIKELY)
def test_what_unknown_code_may_have_changed_is_likely(program: str, link: str) -> None:
    """A run in CI does not fail for it, and the report says what is not certain."""
    assert_likely(program, link)


@pytest.mark.parametrize("program", FORGOTTEN.values(), ids=FORGOTTEN)
def test_a_branch_that_unseen_code_switches_on_is_looked_at(program: str) -> None:
    """What a function writes that such code calls is not what it was: no branch is dead by it."""
    only(findings_with_unknown_code(program))


def test_one_of_many_functions_may_be_called_by_its_name() -> None:
    """A module of a hundred functions that write has the one that was meant, too."""
    lines = ["sizes, options = [], {}", "def switch_on():", '    options["on"] = True']
    for n in range(100):
        lines += [f"def add_{n}():", f"    sizes.append({n})"]
    lines += ["globals()[hub.name]()", 'if "on" in options:', "    MISFIT[3]"]
    program = "".join(f"        {line}\n" for line in lines)
    only(findings_with_unknown_code(program))


@pytest.mark.parametrize("program", PROVED.values(), ids=PROVED)
def test_what_nothing_unknown_has_had_is_proved(program: str) -> None:
    """The gate takes nothing away from what is certain."""
    assert_proved(program)


def test_a_variable_of_another_module_that_a_function_binds_is_not_exact() -> None:
    """The order of imports decides what an importer gets."""
    files = {
        Path("/small/sizes.py"): "n = -1\n\ndef start():\n    global n\n    n = 4\n",
        Path("/small/early.py"): "import sizes\n\nsizes.start()\n",
        Path("/small/state.py"): "import jax.numpy as jnp\nfrom sizes import n\n\n"
        "def make():\n    return jnp.zeros((1, n))\n\nmake()\n",
    }
    found = [each for r in analyse(list(files), overlay=files) for each in r.findings]
    for finding in found:
        assert "a function binds `n` again" in weak_links(finding)


def test_a_default_key_is_used_once_by_each_of_two_scripts() -> None:
    """Each is a program of its own; a script that imports the other is one program with it."""
    model = """
import jax

class Model:
    def __init__(self, n, key=jax.random.PRNGKey(0)):
        self.w = jax.random.normal(key, (n,))
"""
    files = {
        Path("/small/model.py"): model,
        Path("/small/one.py"): "from model import Model\nmodel = Model(3)\n",
        Path("/small/two.py"): "from model import Model\nmodel = Model(4)\n",
    }
    assert not [each for r in analyse(list(files), overlay=files) for each in r.findings]
    files[Path("/small/two.py")] = "import one\n" + files[Path("/small/two.py")]
    found = [each for r in analyse(list(files), overlay=files) for each in r.findings]
    assert [each.code for each in found] == ["OAK401"]
