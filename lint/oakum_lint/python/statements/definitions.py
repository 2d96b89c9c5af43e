"""Definitions: functions with their decorators, and classes with their fields and conventions."""

from collections.abc import Mapping

from oakum.values.records import replace
from oakum_lint.arrays.enums import make_members
from oakum_lint.arrays.pytrees import RegisteredClasses
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    Partial,
    Scope,
    Wrapper,
)
from oakum_lint.domain.doubts import note_stop, pass_stop_on
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Constant,
    External,
    HeapObject,
    Unknown,
    Value,
)
from oakum_lint.models.decorators import PARTIAL, DecoratorForm, decorator_form, wraps_functions
from oakum_lint.models.frameworks.equinox import ENUMERATIONS
from oakum_lint.models.frameworks.register import (
    BaseClass,
    base_class,
    base_conventions,
    class_decorator,
    framework_transform,
    registers_alone,
)
from oakum_lint.models.types import (
    ABSTRACT_BASE,
    ABSTRACT_META,
    DATACLASS_DECORATORS,
    DATACLASS_OPTIONS,
    METACLASSES,
    NAMED_TUPLES,
    is_enum,
)
from oakum_lint.python.expressions.expressions import evaluate_defaults
from oakum_lint.python.objects.attribute_hooks import call_init_subclass, call_set_name
from oakum_lint.python.objects.containers import texts_in
from oakum_lint.python.objects.fields import (
    declared_fields,
    forget_options,
    refuses_fields,
    registers_classes,
    report_array_defaults,
    says_dataclass,
    transforms_classes,
)
from oakum_lint.python.objects.hashing import settle_dataclass_hash, settle_hash
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import rebinds_outer


def define_function(machine: Machine, node: nodes.FunctionDefinition, frame: Frame) -> bool:
    """Runs a `def`: the function with its decorators applied is bound to its name."""
    frame.scope.capture()
    if frame.scope.kind == "function" and rebinds_outer(frame.unit, node):
        frame.scope.rebound = True
    for hears in machine.moments.function_made:
        hears(machine, node, frame.scope)
    function = FunctionValue(
        node,
        frame.scope,
        frame.unit,
        frame.module,
        evaluate_defaults(machine, node.parameters, frame),
        frame.current_class if isinstance(frame.current_class, ClassValue) else None,
    )
    for default in function.defaults.values():
        if isinstance(default, HeapObject) and not default.label:
            machine.states.change(default, "label", "default")
    machine.defined.append((function, frame))
    value: Value = function
    for decorator in reversed(node.decorators):
        value = _decorate(machine, decorator, value, frame)
    machine.write(frame.scope, node.name, value)
    return True


def _decorate(machine: Machine, decorator: nodes.Expression, value: Value, frame: Frame) -> Value:
    applied = machine.evaluate(decorator, frame)
    path = applied.path if isinstance(applied, External) else ""
    if isinstance(applied, Method):
        # `f.defjvp`, `prop.setter`, `app.command`.
        if applied.name in ("setter", "deleter"):
            return _with_setter(applied, value)
        machine.call(applied, Arguments((value,), places=(decorator,)), frame, decorator)
        return value
    form = decorator_form(path) or _form_made(machine, decorator, frame)
    match form:
        case "property" | "cached_property" | "classmethod" | "staticmethod":
            return Wrapper(form, value)
        case _:
            marked = _marked(value, form)
    if marked is not None:
        return marked
    if isinstance(applied, Constant):
        return value
    called = machine.call(applied, Arguments((value,), places=(decorator,)), frame, decorator)
    is_unseen = isinstance(applied, External) and not _is_modelled(machine, applied.path)
    return _unknown_decorator(value) if is_unseen or isinstance(called, Unknown) else called


def _marked(value: Value, form: DecoratorForm | None) -> Value | None:
    """What a decorator says of a function that stays what it is; None of any other decorator."""
    match form, value:
        case "cache", FunctionValue():
            return replace(value, cached=True)
        case "context_manager", FunctionValue():
            return replace(value, is_context_manager=True)
        case "abstract", FunctionValue():
            return replace(value, abstract=True)
        case "abstract", Wrapper(function=function):
            return replace(value, function=_marked(function, form) or function)
        case "context_manager" | "abstract" | "same", _:
            return value
        case _:
            return None


def _form_made(machine: Machine, decorator: nodes.Expression, frame: Frame) -> DecoratorForm | None:
    """What the result of a call does as a decorator, where it leaves a function what it is:
    `@jax.named_scope("block")`.
    """
    if not isinstance(decorator, nodes.Call):
        return None
    maker = machine.look(decorator.function, frame)
    form = decorator_form(maker.path) if isinstance(maker, External) else None
    return form if form == "same" else None


def _with_setter(applied: Method, function: Value) -> Value:
    """A property with a function that sets or deletes it; it is still read by the same one."""
    wrapper = applied.receiver
    if not isinstance(wrapper, Wrapper):
        return UNKNOWN
    return replace(wrapper, setter=function) if applied.name == "setter" else wrapper


def _unknown_decorator(value: Value) -> Value:
    """Keeps a function behind an unknown decorator for what it holds; its calls return Unknown."""
    return replace(value, decorated=True) if isinstance(value, FunctionValue) else UNKNOWN


def _declare_fields(
    machine: Machine, cls: ClassValue, node: nodes.ClassDefinition, frame: Frame
) -> None:
    cls.fields = declared_fields(machine, cls, node, frame)
    if refuses_fields(machine, cls):
        report_array_defaults(machine, cls, node, frame)
        note_stop(machine, frame, node, "perhaps")


def define_class(machine: Machine, node: nodes.ClassDefinition, frame: Frame) -> bool:
    """Runs a `class` statement."""
    bases = tuple(_evaluate_base(machine, base, frame) for base in node.bases)
    options = {k.name: machine.evaluate(k.value, frame) for k in node.keywords}
    body = Scope("class", frame.scope, frame.level, frame.module)
    cls = ClassValue(node.name, node, body, frame.unit, frame.module, bases, frame.level)
    machine.states.undo.append(cls.disown)
    outer_scope, outer_class = frame.scope, frame.current_class
    frame.scope, frame.current_class = body, cls
    try:
        ends = machine.execute(node.body, frame)
    finally:
        frame.scope, frame.current_class = outer_scope, outer_class
    if not ends:
        pass_stop_on(machine, frame, node)
    metaclass = options.get("metaclass")
    if _makes_members(cls) or not (metaclass is None or _is_known_metaclass(metaclass)):
        _forget_values(machine, cls, node)
    call_set_name(machine, cls, node, frame)
    _inherit(cls)
    _inherit_checks(cls, metaclass)
    settle_hash(machine, cls)
    if machine.read(body, "__init_subclass__") is not None:
        cls.is_hooked = True
    models = [
        model for base in bases if isinstance(base, External) and (model := base_class(base.path))
    ]
    declares = "dataclass" in cls.conventions or "namedtuple" in cls.conventions
    for base in bases:
        if isinstance(base, External):
            _apply_base(cls, base.path)
            declares |= bool(cls.conventions & {"dataclass", "namedtuple"})
    if "enum" in cls.conventions:
        make_members(machine, cls)
    markers = list(models)
    for decorator in node.decorators:
        declares |= _apply_decorator(machine, cls, decorator, frame, markers)
    if declares or any(model.pytree or model.module for model in markers):
        _declare_fields(machine, cls, node, frame)
    forget_options(machine, cls, node)
    machine.defined_classes.append((cls, frame))
    if any(isinstance(base, ClassValue) and base.is_hooked for base in bases):
        inherited = class_attribute(machine, cls, "__init_subclass__", skip_first=True)
        call_init_subclass(machine, cls, inherited, options, frame, node)
    machine.write(frame.scope, node.name, _decorated(machine, cls, node, frame))
    return True


def _evaluate_base(machine: Machine, base: nodes.Expression, frame: Frame) -> Value:
    """A base class: what a class of a library makes of types, `Generic[T]`, inherits from it."""
    value = machine.evaluate(base, frame)
    if isinstance(base, nodes.Subscript) and not isinstance(value, ClassValue):
        origin = machine.evaluate(base.value, frame)
        return origin if isinstance(origin, External) else value
    return value


def _decorated(
    machine: Machine, cls: ClassValue, node: nodes.ClassDefinition, frame: Frame
) -> ClassValue:
    """The class after decorators of the project: they may put it into a registry. One that gives
    something else than a class is taken to hand on what it got.
    """
    for decorator in reversed(node.decorators):
        named = decorator.function if isinstance(decorator, nodes.Call) else decorator
        maker = machine.evaluate(named, frame)
        if not isinstance(maker, BoundMethod | FunctionValue):
            continue
        if isinstance(maker, FunctionValue) and transforms_classes(machine, maker):
            continue
        applied = machine.evaluate(decorator, frame)
        result = machine.call(applied, Arguments((cls,), places=(decorator,)), frame, decorator)
        if isinstance(result, ClassValue):
            cls = result
    return cls


def _forget_values(machine: Machine, cls: ClassValue, node: nodes.ClassDefinition) -> None:
    """A metaclass that is not known may make anything of what the body assigns."""
    for statement in node.body:
        for target in statement.targets if isinstance(statement, nodes.Assignment) else ():
            if isinstance(target, nodes.Name):
                machine.write(cls.body, target.identifier, UNKNOWN)


def _makes_members(cls: ClassValue) -> bool:
    return any(isinstance(base, External) and base.path in ENUMERATIONS for base in cls.order)


def _is_known_metaclass(metaclass: Value) -> bool:
    return isinstance(metaclass, External) and metaclass.path in METACLASSES


def _inherit(cls: ClassValue) -> None:
    """Has a class inherit from bases of the project."""
    for base in cls.bases:
        if isinstance(base, ClassValue):
            cls.conventions |= base.conventions
            cls.is_hooked |= base.is_hooked
            if base.definition is not None and says_dataclass(base.definition.decorators):
                cls.conventions |= {"dataclass"}
            if base.pytree and cls.pytree is None:
                # A subclass of a registered class is not registered itself, one of a Module is.
                cls.pytree = True if base.conventions & {"equinox", "struct", "nnx"} else None


def _inherit_checks(cls: ClassValue, metaclass: Value | None) -> None:
    """Notes of a class that Python makes no instance of it while it has abstract methods."""
    if metaclass == External(ABSTRACT_META) or ABSTRACT_BASE in cls.libraries:
        cls.conventions |= {"abstract"}


def _apply_base(cls: ClassValue, path: str) -> None:
    model = base_class(path)
    if path in NAMED_TUPLES:
        cls.conventions |= {"namedtuple"}
        cls.pytree = True
    elif is_enum(path):
        cls.conventions |= {"enum"}
    if model is None:
        return
    _apply_model(cls, model, {})
    cls.conventions |= base_conventions(path)


def _apply_model(cls: ClassValue, model: BaseClass, options: Mapping[str, Value]) -> None:
    """Applies what a base or a decorator of a library makes of a class."""
    if model.pytree:
        cls.pytree = True
    if model.frozen and options.get("frozen") != FALSE:
        cls.conventions |= {"frozen"}


def _decorator_options(
    machine: Machine, decorator: nodes.Expression, frame: Frame
) -> tuple[Value, dict[str, Value]]:
    """Returns the decorator of a class, and the keywords of it."""
    if not isinstance(decorator, nodes.Call):
        value, options = machine.evaluate(decorator, frame), dict[str, Value]()
    else:
        value = machine.evaluate(decorator.function, frame)
        options = {k.name: machine.evaluate(k.value, frame) for k in decorator.keywords if k.name}
        if value == External(PARTIAL) and decorator.arguments:
            # `@partial(jax.tree_util.register_dataclass, data_fields=...)`
            value = machine.evaluate(decorator.arguments[0], frame)
    if isinstance(value, Partial):
        return value.function, {**dict(value.keywords), **options}
    return value, options


def _apply_decorator(
    machine: Machine,
    cls: ClassValue,
    decorator: nodes.Expression,
    frame: Frame,
    markers: list[BaseClass],
) -> bool:
    """Applies a class decorator; returns whether it makes a dataclass of the class."""
    value, options = _decorator_options(machine, decorator, frame)
    if isinstance(value, FunctionValue) and transforms_classes(machine, value):
        cls.conventions |= {"dataclass"}
        if registers_classes(machine, value):
            _register(machine, cls, options)
        return True
    if not isinstance(value, External):
        return False
    if value.path in DATACLASS_DECORATORS:
        cls.conventions |= {"dataclass"}
        if options.get("frozen") == TRUE:
            cls.conventions |= {"frozen"}
        settle_dataclass_hash(machine, cls, options)
        return True
    model = class_decorator(value.path)
    if model is None:
        return False
    markers.append(model)
    _apply_model(cls, model, options)
    makes_dataclass = not registers_alone(value.path)
    if makes_dataclass:
        cls.conventions |= {"dataclass", "struct"}
    static = options.get("meta_fields")
    if static is not None:
        cls.conventions |= {f"static:{name}" for name in texts_in(machine, static)}
    return makes_dataclass


def _register(machine: Machine, cls: ClassValue, options: dict[str, Value]) -> None:
    """Makes a pytree of a class by a decorator of the project, whose own options may say which
    fields are no leaves.
    """
    cls.pytree = True
    if not options.keys() <= DATACLASS_OPTIONS:
        machine.state_of(RegisteredClasses).functions[cls.uid] = (UNKNOWN, UNKNOWN)


def _is_modelled(machine: Machine, path: str) -> bool:
    """Whether calling a library name has a known effect."""
    return (
        wraps_functions(path)
        or machine.public(path) is not None
        or framework_transform(path) is not None
    )
