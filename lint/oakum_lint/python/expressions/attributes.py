"""Attributes: `value.name` of arrays, instances, classes, modules and library names."""

import math

from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.arrays.array_results import (
    array_method,
    as_array,
    from_abstract,
    origin_of,
)
from oakum_lint.arrays.enums import EnumMember, own_attribute
from oakum_lint.domain.ancestry import Order
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    Dispatcher,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    SuperValue,
    Transformed,
    UnknownMember,
    Wrapper,
    attribute_cell,
)
from oakum_lint.domain.doubts import MEANT_STATIC, UNKNOWN_LEAVES, note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join_all
from oakum_lint.domain.look_ups import (
    attribute_of_module,
    class_attribute,
    container_in,
    find_in,
)
from oakum_lint.domain.moments import cache
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import (
    INT,
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    DTypeValue,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    UpdateRef,
    Value,
    scalar_kind,
)
from oakum_lint.models.attributes import (
    KNOWN_CONSTANTS,
    NUMBER_CONSTANTS,
    STATIC_ATTRIBUTES,
    TREE_ARRAY_ATTRIBUTES,
    TREE_METHODS,
    UNKNOWN_ATTRIBUTES,
    field_of_result,
    is_tuple_method,
)
from oakum_lint.models.dotted import NEW_OBJECT
from oakum_lint.models.frameworks.flax_linen import STATE_METHODS
from oakum_lint.models.frameworks.flax_nnx import how_it_changes, is_stateful
from oakum_lint.models.frameworks.layers import LEAF_NAMES
from oakum_lint.models.frameworks.register import FUNCTIONAL, MODULE_METHODS
from oakum_lint.models.host.containers import has_method
from oakum_lint.models.types import BARE_BASES
from oakum_lint.python.objects.attribute_hooks import ask_class, inherited
from oakum_lint.python.objects.containers import attributes_dict
from oakum_lint.python.objects.declared_members import is_declared_static
from oakum_lint.syntax import nodes

CONSTANTS: dict[str, Value] = {
    **{name: Constant(value) for name, value in KNOWN_CONSTANTS.items()},
    **{name: Scalar(kind) for name, kind in NUMBER_CONSTANTS.items()},
}
SCALAR_TYPES = {kind.__name__: kind for kind in (int, float, bool, complex, str, bytes)}


def get_attribute(
    machine: Machine, owner: Value, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """`owner.name`."""
    match owner:
        case External(path):
            full = f"{path}.{name}"
            return CONSTANTS.get(full) or machine.project.external(machine, full)
        case ModuleValue(module):
            return _read_from_module(machine, module, name, frame, node)
        case Array():
            used = owner if array_method(name) is None else as_array(owner)
            return array_attribute(used, name, frame)
        case Tree():
            return _tree_attribute(machine, owner, name, frame, node)
        case HeapObject(kind="instance"):
            return instance_attribute(machine, owner, name, frame, node)
        case Constant(EnumMember() as member):
            return _member_attribute(machine, owner, member, name, frame, node)
        case UnknownMember():
            return owner
        case TupleValue():
            return _tuple_attribute(machine, owner, name, frame, node)
        case Choice(options):
            values = [get_attribute(machine, o, name, frame, node) for o in options if o != NONE]
            return join_all(tuple(values))
        case _:
            return _callable_attribute(machine, owner, name, frame, node)


def _read_from_module(
    machine: Machine, module: Module, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """An attribute of a module of the project; a trace keeps what it reads so."""
    if frame.trace is not None:
        for hears in machine.moments.read_outside:
            hears(machine, module.scope, name, frame, node)
    return attribute_of_module(machine, module, name)


def _tree_attribute(
    machine: Machine, tree: Tree, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """An attribute of a traced tree: it is an array if only arrays have one of that name."""
    if tree.opaque:
        return UNKNOWN
    if name in TREE_ARRAY_ATTRIBUTES:
        return array_attribute(as_array(tree), name, frame)
    if name in TREE_METHODS:
        return Method(tree, name)
    if array_method(name) is not None:
        return Method(as_array(tree), name)
    if is_declared_static(machine, frame.module, name):
        return UNKNOWN
    origin = tree.origin or origin_of(node, frame)
    if origin.doubt not in MEANT_STATIC:
        origin = replace(origin, doubt=UNKNOWN_LEAVES)
    return Tree(tree.place, tree.level, origin)


def _callable_attribute(
    machine: Machine, owner: Value, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """An attribute of a class, a function or a bound method; of all else a `Method`."""
    match owner:
        case Constant() | Scalar():
            return _scalar_attribute(owner, name)
        case HeapObject() | UpdateRef() | Dispatcher() | DTypeValue() | Wrapper("property"):
            return Method(owner, name)
        case LibraryObject(path) if is_stateful(path) and not how_it_changes(path, name):
            return UNKNOWN
        case LibraryObject(parameters=leaf):
            return leaf if leaf is not None and name in LEAF_NAMES else Method(owner, name)
        case ClassValue():
            return _class_attribute(machine, owner, name)
        case SuperValue(cls, receiver):
            return _super_attribute(machine, cls, receiver, name, frame, node)
        case FunctionValue() | Transformed():
            found = function_attribute(machine, owner, name)
            return _own_attribute(owner, name) if found is None else found
        case Partial(function):
            return function if name == "func" else UNKNOWN
        case BoundMethod(_, receiver):
            return receiver if name == "__self__" else Method(owner, name)
        case _:
            return UNKNOWN


def _class_attribute(machine: Machine, cls: ClassValue, name: str) -> Value:
    if name == "__name__":
        return Constant(cls.name)
    if name == "_fields" and "namedtuple" in cls.conventions:
        return _field_names(cls)
    found = class_attribute(machine, cls, name)
    return UNKNOWN if found is None else _from_class(found, cls)


def _scalar_attribute(owner: Constant | Scalar, name: str) -> Value:
    """An attribute of a number, a text, bytes or None."""
    kind = scalar_kind(owner)
    if kind is None or kind == "number":
        return Method(owner, name)
    held: object = getattr(SCALAR_TYPES[kind], name, None)
    if callable(held):
        return Method(owner, name)
    if held is None or name.startswith("__"):
        return UNKNOWN
    return Constant(getattr(owner.value, name)) if isinstance(owner, Constant) else Scalar("number")


def _own_attribute(owner: FunctionValue | Transformed, name: str) -> Value:
    """An attribute of a function that the program has not set."""
    if isinstance(owner, Transformed):
        return owner.function if name == "__wrapped__" else Method(owner, name)
    return Constant(owner.name) if name == "__name__" else UNKNOWN


def function_attribute(
    machine: Machine, owner: FunctionValue | Transformed, name: str
) -> Value | None:
    """Returns an attribute that the program has set on a function; None where it has set none."""
    cell = attribute_cell(owner, name)
    return None if cell is None else machine.read(*cell)


def array_attribute(array: Array, name: str, frame: Frame) -> Value:
    """An attribute of an array; a method is a `Method` of it."""
    aval = array.aval
    match name:
        case "shape" if aval.shape is not None:
            return TupleValue(tuple(from_abstract(d, (), frame, None) for d in aval.shape))
        case "shape":
            return TupleValue(None, INT)
        case "ndim" if aval.shape is not None:
            return Constant(len(aval.shape))
        case "size":
            return _size(aval)
        case "dtype":
            return DTypeValue(None if aval.dtype is None else aval.dtype.name)
        case "at":
            return UNKNOWN if array.place is Place.HOST else UpdateRef(array)
        case "T" | "mT" | "H":
            return replace(array, aval=_transposed(aval, name))
        case "real" | "imag":
            return replace(array, aval=ShapedArray(aval.shape, None, aval.weak_type))
        case _ if name in UNKNOWN_ATTRIBUTES:
            return UNKNOWN
        case _:
            kind = STATIC_ATTRIBUTES.get(name)
            return Method(array, name) if kind is None else Scalar(kind)


def _size(aval: ShapedArray) -> Value:
    """The number of elements."""
    sizes = [dim for dim in aval.shape or () if isinstance(dim, int)]
    if aval.shape is None or len(sizes) < len(aval.shape):
        return INT
    return Constant(math.prod(sizes))


def _transposed(aval: ShapedArray, name: str) -> ShapedArray:
    """The aval of `x.T`, `x.mT` or `x.H`."""
    shape = aval.shape
    if shape is not None and len(shape) >= 2:
        shape = shape[::-1] if name == "T" else (*shape[:-2], shape[-1], shape[-2])
    return ShapedArray(shape, aval.dtype, aval.weak_type)


def instance_attribute(
    machine: Machine, owner: HeapObject, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """An attribute of an instance of a class of the project."""
    if name == "__dict__":
        return attributes_dict(machine, owner)
    found = machine.read(owner, name)
    if found is not None:
        return found
    if owner.cls is None:
        return UNKNOWN
    if name == "__class__":
        return owner.cls
    return _from_instance(machine, owner, owner.cls, name, frame, node)


def _member_attribute(
    machine: Machine,
    owner: Constant,
    member: EnumMember,
    name: str,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """An attribute of a member of an enumeration."""
    own = own_attribute(member, name)
    return _from_instance(machine, owner, member.cls, name, frame, node) if own is None else own


def _from_instance(
    machine: Machine, owner: Value, cls: ClassValue, name: str, frame: Frame, node: nodes.Node
) -> Value:
    """Looks an attribute up on the class of an object."""
    found = class_attribute(machine, cls, name)
    match found:
        case None:
            if _is_provided(cls, name):
                return Method(owner, name)
            method = _method_of_container(machine, owner, name)
            return method or ask_class(machine, owner, cls, name, frame, node)
        case FunctionValue() | Transformed() | Partial() | Dispatcher():
            return BoundMethod(found, owner)
        case HeapObject(kind="instance"):
            fetched = machine.call_special(found, "__get__", (owner, cls), node, frame)
            return found if fetched is None else fetched
        case Wrapper("property", function):
            return machine.call(function, Arguments((owner,)), frame, node)
        case Wrapper("cached_property", function):
            value = machine.call(function, Arguments((owner,)), frame, node)
            if isinstance(owner, HeapObject):
                if isinstance(function, FunctionValue):
                    cache(machine, owner, function, value, frame, node)
                machine.write(owner, name, value)
            return value
        case Wrapper():
            return _from_class(found, cls)
        case _:
            return found


def _method_of_container(machine: Machine, owner: Value, name: str) -> Method | None:
    """A method that an instance has from the dict or list that its class inherits from."""
    inner = container_in(machine, owner)
    known = inner is not None and (has_method(inner.kind, name) or name == "__init__")
    return Method(inner, name) if inner is not None and known else None


def _is_provided(cls: ClassValue, name: str) -> bool:
    """Whether the classes of a framework have a method of that name."""
    if cls.conventions & FUNCTIONAL and name in MODULE_METHODS:
        return True
    if "flax" in cls.conventions and name in STATE_METHODS:
        return True
    return "dataclass" in cls.conventions and name == "replace"


def _from_class(found: Value, cls: ClassValue) -> Value:
    match found:
        case Wrapper("classmethod", function):
            return BoundMethod(function, cls)
        case Wrapper("staticmethod", function):
            return function
        case Wrapper():
            return UNKNOWN
        case _:
            return found


def _after(cls: ClassValue, receiver: Value) -> Order | None:
    """The classes in which `super()` in a method of a class looks for the attributes of an object:
    those that come after it among the ancestors of the object's own class.
    """
    match receiver:
        case HeapObject(cls=ClassValue() as own) | TupleValue(cls=ClassValue() as own):
            pass
        case Constant(EnumMember(cls=own)) | (ClassValue() as own):
            pass
        case _:
            return cls.order.rest
    return (own.order.find(cls) or cls.order).rest


def _super_attribute(
    machine: Machine, cls: ClassValue, receiver: Value, name: str, frame: Frame, node: nodes.Node
) -> Value:
    found = find_in(machine, _after(cls, receiver), name)
    match found:
        case FunctionValue() if _is_bare_in(cls, receiver, name):
            return found
        case FunctionValue() | Transformed() | Partial() | Dispatcher():
            return BoundMethod(found, receiver)
        case Wrapper("property" | "cached_property", function):
            return machine.call(function, Arguments((receiver,)), frame, node)
        case Wrapper("classmethod", function):
            return BoundMethod(function, receiver)
        case Wrapper("staticmethod", function):
            return function
        case None:
            method = _method_of_container(machine, receiver, name)
            if method is not None:
                return method
            if not _may_be_further(cls, receiver, name):
                note_stop(machine, frame, node)
            if name == "__new__" and _makes_objects(_after(cls, receiver)):
                return External(NEW_OBJECT)
            return inherited(machine, receiver)
        case _:
            return found


def _is_bare_in(cls: ClassValue, receiver: Value, name: str) -> bool:
    """Whether `super()` in a class gives a function as it stands there: `__new__`, which gets its
    class in the call, and in a method of a class those of objects.
    """
    if name == "__new__":
        return True
    is_own = isinstance(receiver, ClassValue) and cls in receiver.order
    return is_own and name not in ("__init_subclass__", "__class_getitem__")


def _makes_objects(classes: Order | None) -> bool:
    """Whether what is behind a class leaves it to `object` to make its instances."""
    return all(
        isinstance(each, ClassValue) or (isinstance(each, External) and each.path in BARE_BASES)
        for each in classes or ()
    )


def _may_be_further(cls: ClassValue, receiver: Value, name: str) -> bool:
    """Whether `super()` may find what none of the classes has that are seen behind one: a class
    that is not seen, or one that comes behind it in an object of a subclass.
    """
    behind = _after(cls, receiver)
    seen = all(isinstance(each, ClassValue) for each in behind or ())
    return not seen or hasattr(object, name) or bool(cls.derived)


def _tuple_attribute(
    machine: Machine,
    owner: TupleValue,
    name: str,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """An attribute of a tuple: a field, property or method of a named one."""
    elements, cls = owner.elements, owner.cls
    if cls is None and not is_tuple_method(name):
        position = field_of_result(name, None if elements is None else len(elements))
        return UNKNOWN if elements is None or position is None else elements[position]
    if cls is not None:
        names = [field.name for field in cls.fields or ()]
        if name in names:
            return element_of(owner) if elements is None else elements[names.index(name)]
        if name == "_fields":
            return _field_names(cls)
        found = class_attribute(machine, cls, name)
        if isinstance(found, FunctionValue | Transformed):
            return BoundMethod(found, owner)
        if isinstance(found, Wrapper) and found.kind == "property":
            return machine.call(found.function, Arguments((owner,)), frame, node)
        if found is not None and not isinstance(found, Unknown):
            return _from_class(found, cls)
    return Method(owner, name)


def _field_names(cls: ClassValue) -> Value:
    """`_fields` of a named tuple."""
    if cls.fields is None:
        return UNKNOWN
    return TupleValue(tuple(Constant(field.name) for field in cls.fields))


def get_special(machine: Machine, owner: Value, name: str) -> Value | None:
    """A method of the class of an instance or named tuple by name (`__call__`), bound to it; None
    where there is none.
    """
    if isinstance(owner, HeapObject | TupleValue) and owner.cls is not None:
        found = class_attribute(machine, owner.cls, name)
        # An object in the place of a method is called by its own one, which may be itself again.
        if found is not None and not isinstance(found, Unknown | HeapObject):
            return BoundMethod(found, owner)
    return None
