"""What is asked of values, and of scopes, that they do not have: the code fails there."""

from itertools import accumulate

from oakum.values.declarations import is_unknown
from oakum.values.namespaces import NAMESPACES
from oakum_lint.analyses.closed_world.sources import is_dotted
from oakum_lint.arrays.array_results import array_method
from oakum_lint.domain.callables import ClassValue, Method
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import find, unbound
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    External,
    HeapObject,
    Place,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models.attributes import HOST_CONVERSIONS, NUMPY_ONLY
from oakum_lint.models.host.builtins import NOTEBOOK_NAMES
from oakum_lint.models.mutation import READING_HOOK
from oakum_lint.models.packages import declared_name, has_module, in_jax, is_gone
from oakum_lint.models.types import NAMED_TUPLE_MEMBERS
from oakum_lint.syntax import nodes


def asks_none(machine: Machine, node: nodes.Node, frame: Frame) -> bool:
    """Whether something is asked of None that it does not have: an attribute, an item, a length."""
    match node:
        case nodes.Attribute(value=asked, attribute=name) if not hasattr(None, name):
            pass
        case nodes.Subscript(value=asked):
            pass
        case nodes.Call(function=nodes.Name(identifier="len"), arguments=(asked,)):
            pass
        case _:
            return False
    return is_dotted(asked) and machine.look(asked, frame) == NONE


def lacks_name(machine: Machine, name: str, frame: Frame, *, local: bool) -> bool:
    """Whether nothing binds a name that an activation has read: no scope around it, and if it is
    no variable of its function, no other statement of its module, and no notebook.
    """
    module = frame.module
    if find(machine, name, frame) is not None or unbound(machine, name, frame) != UNKNOWN:
        return False
    return local or (
        not name.startswith("__")
        and name not in (*module.binders, *NOTEBOOK_NAMES)
        and not any(name in unit.text for unit in module.compound)
        and not any(unit.text.rstrip().endswith("*") for unit in module.facts.units)
    )


def is_refused(path: str) -> bool:
    """Whether JAX has nothing of a dotted name, as far as that is known of another package.

    >>> is_refused("jax.nn.embedding"), is_refused("jax.nn.relu"), is_refused("torch.nn.embedding")
    (True, False, False)
    >>> is_refused("jax.experimental.optimizers.adam"), is_refused("jax.config.update")
    (True, False)
    """
    if not in_jax(path):
        return False
    name = declared_name(path)
    if is_unknown(name):
        return name.partition(".")[0] in NAMESPACES or not has_module(path)
    # What stands at JAX's top may be there still, if no longer as a module.
    modules = accumulate(path.split("."), "{}.{}".format)
    return any(is_gone(each) and "." in declared_name(each) for each in modules)


def lacks_attribute(machine: Machine, node: nodes.Node, frame: Frame) -> bool:
    """Whether an attribute is read that nothing is seen to set, or that JAX does not have."""
    if not isinstance(node, nodes.Attribute) or not is_dotted(node.value):
        return False
    owner, value = machine.look(node.value, frame), machine.look(node, frame)
    if isinstance(value, External):
        return is_refused(value.path)
    return is_missing(machine, owner, node.attribute, value)


def is_missing(machine: Machine, owner: Value, name: str, value: Value | None) -> bool:
    """Whether an object whose class is seen whole is not seen to have an attribute, or an array of
    JAX has none of the name: reading it raises, or code that is not seen has set it.
    """
    match owner:
        case HeapObject(cls=ClassValue() as cls, kind="instance"):
            whole = all(isinstance(each, ClassValue) for each in cls.order)
            unset = whole and isinstance(value, Unknown) and machine.read(owner, name) is None
        case TupleValue(cls=ClassValue() as cls):
            # What is neither a field nor of its class is looked for among the methods of tuples.
            own = name in NAMED_TUPLE_MEMBERS or hasattr(tuple, name)
            unset = isinstance(value, Method) and not own
        case Array(place=place) if place is not Place.HOST:
            known = array_method(name) is not None or name in HOST_CONVERSIONS | NUMPY_ONLY
            return isinstance(value, Method) and not known and not name.startswith("__")
        case _:
            return False
    return (
        unset
        and all(field.name != name for field in cls.fields or ())
        and class_attribute(machine, cls, name) is None
        and class_attribute(machine, cls, READING_HOOK) is None
    )
