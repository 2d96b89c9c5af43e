"""Builtins about objects and functions: `isinstance`, `getattr`, `functools.partial`, `copy.copy`
and their kin.
"""

from oakum.values.records import replace
from oakum_lint.arrays.array_results import array_method
from oakum_lint.arrays.expected_failures import resolved
from oakum_lint.domain.arguments import NO_ARGUMENTS, Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Scope,
    Transformed,
    UnknownMember,
    Wrapper,
    attribute_cell,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    BOOL,
    INT,
    NONE,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    External,
    HeapObject,
    Scalar,
    SliceValue,
    TupleValue,
    Unknown,
    Value,
    is_jax_array,
    is_tracer,
    scalar_kind,
)
from oakum_lint.models import dotted
from oakum_lint.models.types import builtin_type
from oakum_lint.python.expressions.attributes import get_attribute
from oakum_lint.python.expressions.conditions import is_instance
from oakum_lint.python.expressions.failures import is_refused, note_assigned
from oakum_lint.python.expressions.formatting import check_format, text_of
from oakum_lint.python.objects.containers import attributes_dict, copy_of_list
from oakum_lint.python.objects.unseen_writes import forget_writes
from oakum_lint.python.statements.assignments import set_attribute
from oakum_lint.python.stdlib.number_calls import without_value
from oakum_lint.python.stdlib.patches import patch_attribute
from oakum_lint.syntax import nodes


def _isinstance(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, types = arguments.get(0), arguments.get(1)
    if value is None or types is None:
        return BOOL
    options = value.options if isinstance(value, Choice) else (value,)
    results = {is_instance(machine, option, types) for option in options}
    result = results.pop() if len(results) == 1 else None
    return BOOL if result is None else Constant(result)


def _hasattr(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, name = arguments.get(0), arguments.get(1)
    match value, name:
        case HeapObject(kind="instance"), Constant(str(attribute)):
            return BOOL if machine.read(value, attribute) is None else TRUE
        case TupleValue(cls=ClassValue(fields=fields)), Constant(str(attribute)) if fields:
            return TRUE if any(field.name == attribute for field in fields) else BOOL
        case Array(), Constant(str(attribute)) if is_jax_array(value):
            return BOOL if array_method(attribute) is None else TRUE
        case _:
            pass
    return BOOL


def _getattr(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, name = arguments.get(0), arguments.get(1)
    if value is None or not isinstance(name, Constant) or not isinstance(name.value, str):
        return _member_of(value)
    found = get_attribute(machine, value, name.value, frame, node)
    default = arguments.get(2)
    if default is None:
        return found
    if isinstance(found, External) and is_refused(found.path):
        return default
    cell = attribute_cell(value, name.value)
    if cell is not None and machine.read(*cell) is None and scalar_kind(default) is not None:
        # What is set later, as a counter is, is of the kind that it begins with.
        return without_value(default)
    return UNKNOWN if isinstance(found, Unknown) else found


def _member_of(owner: Value | None) -> Value:
    """What something holds by a name that is not known."""
    match owner:
        case ClassValue() | ModuleValue() | HeapObject(kind="instance") | UnknownMember():
            return UnknownMember(owner=owner)
        case _:
            return UNKNOWN


def _names(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`globals()` and `locals()`."""
    return UnknownMember(owner=ModuleValue(frame.module))


def _run_text(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`eval(text)` and `exec(text)`, which call anything that the module holds."""
    found = UnknownMember(owner=ModuleValue(frame.module))
    forget_writes(machine, (found,))
    return found


def _setattr(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    if owner is not None and isinstance(name, Constant):
        note_assigned(machine, owner, str(name.value), frame, node)
    return _setattr_of_object(machine, arguments, frame, node)


def _setattr_of_object(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    owner, name, value = arguments.get(0), arguments.get(1), arguments.get(2)
    if owner is not None and value is not None and isinstance(name, Constant):
        set_attribute(machine, owner, str(name.value), value, frame, node)
    return NONE


def _patch(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`mock.patch.object(owner, name, ...)` in a test: what the attribute holds from then on is not
    known.
    """
    if any(caller.called.function is not None for caller in frame.callers()):
        _forget_patched(machine, arguments)
    return UNKNOWN


def patch_by_decorators(
    machine: Machine, definition: nodes.FunctionDefinition | nodes.Lambda, frame: Frame
) -> None:
    """Forgets the attributes that decorators of a function replace while it runs."""
    if not isinstance(definition, nodes.FunctionDefinition):
        return
    for decorator in definition.decorators:
        if isinstance(decorator, nodes.Call):
            function = resolved(machine, decorator.function, frame)
            if function == External(dotted.PATCH_OBJECT):
                _forget_patched(machine, machine.evaluate_arguments(decorator, frame))


def _forget_patched(machine: Machine, arguments: Arguments) -> None:
    patch_attribute(machine, arguments.get(0, "target"), arguments.get(1, "attribute"), UNKNOWN)


def _vars(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`vars(instance)`, and `vars()`, which is `locals()`."""
    if not arguments.positional:
        return _names(machine, arguments, frame, node)
    owner = arguments.get(0)
    if isinstance(owner, HeapObject) and owner.kind == "instance":
        return attributes_dict(machine, owner)
    return _member_of(owner)


def _callable(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    match arguments.get(0):
        case FunctionValue() | BoundMethod() | Partial() | ClassValue() | Transformed() | Method():
            return Constant(True)
        case External(path) if machine.public(path) is not None:
            return Constant(True)
        case Array() | Constant() | TupleValue() | Scalar():
            return Constant(False)
        case _:
            return BOOL


def _type(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0)
    if len(arguments.positional) == 3:
        return _new_class(machine, arguments, frame)
    if isinstance(value, HeapObject) and value.cls is not None:
        return value.cls
    kind = None if value is None else scalar_kind(value)
    return External(builtin_type(kind)) if kind else UNKNOWN


def _new_class(machine: Machine, arguments: Arguments, frame: Frame) -> Value:
    """`type(name, bases, attributes)`."""
    name, bases, attributes = arguments.positional
    body = Scope("class", frame.scope, frame.level, frame.module)
    parents = bases.elements if isinstance(bases, TupleValue) else None
    title = str(name.value) if isinstance(name, Constant) else "type"
    cls = ClassValue(title, None, body, frame.unit, frame.module, parents or (), frame.level)
    machine.states.undo.append(cls.disown)
    for key, value in entries_of(machine, attributes).known:
        if isinstance(key, str):
            machine.write(body, key, value)
    return cls


def _slice(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`slice(stop)` and `slice(start, stop, step)`."""
    passed = arguments.positional
    if len(passed) == 1:
        return SliceValue(NONE, passed[0], NONE)
    bounds = (*passed, NONE, NONE, NONE)
    return SliceValue(bounds[0], bounds[1], bounds[2])


def _partial(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    if not arguments.positional or not arguments.complete:
        return UNKNOWN
    function, *rest = arguments.positional
    return Partial(function, tuple(rest), tuple(arguments.keywords.items()))


def _caches(path: str) -> LibraryCall:
    """A decorator that caches, or a function that returns one, recognised by name."""

    def decorator(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        first = arguments.get(0)
        if isinstance(first, FunctionValue):
            return replace(first, cached=True)
        return External(path)

    return decorator


def _wraps(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`functools.wraps(function)`: a decorator that returns what it decorates."""
    wrapped = arguments.get(0) or UNKNOWN
    return Partial(External(dotted.UPDATE_WRAPPER), (), (("wrapped", wrapped),))


def _update_wrapper(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    return arguments.get(0, "wrapper") or UNKNOWN


def _property(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    getter = arguments.get(0, "fget")
    setter = arguments.get(1, "fset")
    if setter == NONE:
        setter = None
    return UNKNOWN if getter is None else Wrapper("property", getter, setter)


def _format(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value, spec = arguments.get(0), arguments.get(1)
    if value is not None and isinstance(spec, Constant) and spec.value:
        place = arguments.place(0, "", node)
        check_format(machine, value, place, frame, "format()", str(spec.value))
    return STR


def _text(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0)
    if isinstance(value, HeapObject) and value.kind == "instance":
        return text_of(machine, value, node, frame)
    return Scalar("str", any(is_tracer(value) for value in arguments.positional))


def _copy(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0)
    if isinstance(value, HeapObject) and value.kind == "deque":
        return copy_of_list(machine, value, frame)
    if isinstance(value, HeapObject):
        made = HeapObject(value.kind, frame.level, value.cls)
        content = machine.read(value, CONTENT)
        if isinstance(content, HeapObject):
            content = machine.call(Method(content, "copy"), NO_ARGUMENTS, frame, node)
        if content is not None:
            machine.write(made, CONTENT, content)
        if value.kind == "instance":
            for field in (value.cls.fields if value.cls else None) or ():
                old = machine.read(value, field.name)
                if old is not None:
                    machine.write(made, field.name, old)
        return made
    return UNKNOWN if value is None else value


def _hash(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return INT


def _namespace(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`types.SimpleNamespace(**attributes)`."""
    made = HeapObject("instance", frame.level)
    for name, value in arguments.keywords.items():
        machine.write(made, name, value)
    return made


def _new(_machine: Machine, arguments: Arguments, frame: Frame, _node: nodes.Node) -> Value:
    """`object.__new__(cls)`."""
    cls = arguments.get(0)
    return HeapObject("instance", frame.level, cls) if isinstance(cls, ClassValue) else UNKNOWN


OBJECT_CALLS: dict[str, LibraryCall] = {
    dotted.NEW_OBJECT: _new,
    "builtins.object.__setattr__": _setattr_of_object,
    "types.SimpleNamespace": _namespace,
    "builtins.isinstance": _isinstance,
    "builtins.hasattr": _hasattr,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    dotted.PATCH_OBJECT: _patch,
    "builtins.callable": _callable,
    "builtins.vars": _vars,
    "builtins.globals": _names,
    "builtins.locals": _names,
    "builtins.eval": _run_text,
    "builtins.exec": _run_text,
    "builtins.type": _type,
    "builtins.property": _property,
    "builtins.format": _format,
    "builtins.str": _text,
    "builtins.repr": _text,
    "builtins.hash": _hash,
    "builtins.slice": _slice,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _update_wrapper,
    "functools.lru_cache": _caches(dotted.LRU_CACHE),
    "functools.cache": _caches(dotted.FUNCTOOLS_CACHE),
    "jax.tree_util.Partial": _partial,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
}
