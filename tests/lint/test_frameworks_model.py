"""The tables of frameworks name what the installed frameworks have, and say how they trace.

When one of these fails, `oakum check` misses the roots of a framework, or takes a static value
for a tracer. Libraries that are not installed are skipped.
"""

import dataclasses
import importlib
import importlib.util
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tracer_probe import find_object, jax, jnp, quiet

from oakum_lint.models import annotations
from oakum_lint.models.frameworks import register
from oakum_lint.models.frameworks.layers import LAYERS
from oakum_lint.models.frameworks.optax import TRANSFORMATIONS
from oakum_lint.models.frameworks.register import (
    base_class,
    class_decorator,
    framework_function,
    framework_transform,
    modelled_names,
)
from oakum_lint.models.library_sources import library_sources
from oakum_lint.models.signatures.register import described_packages, lacks, refuses
from oakum_lint.models.types import asks_for_tracers, asks_for_type

LIBRARIES = sorted({name.partition(".")[0] for name in modelled_names()})


def names_of(library: str) -> Iterator[tuple[str, Any]]:
    """The modelled names of an installed library with their objects."""
    with quiet():
        try:
            importlib.import_module(library)
        except ImportError:
            pytest.skip(f"{library} is not installed")
        for name in modelled_names():
            if name.partition(".")[0] == library:
                try:
                    yield name, find_object(name)
                except AttributeError:
                    yield name, None


@pytest.mark.parametrize("package", sorted(described_packages()))
def test_calls_that_libraries_take_are_not_refused(package: str) -> None:
    """What stands behind such a call stays proved."""
    with quiet():
        module = pytest.importorskip(package)
        names = [name for name in dir(module) if not name.startswith("_")]
        assert not [name for name in names if lacks(f"{package}.{name}")]
        refused = [
            name
            for name in names
            for passed, keywords in calls_of(getattr(module, name))
            if refuses(f"{package}.{name}", passed, keywords, complete=True)
        ]
    assert not refused


def calls_of(function: Any) -> Iterator[tuple[int, list[str]]]:
    """How many arguments, and which keywords, a function takes at least, and by name."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    yield (
        sum(p.default is p.empty for p in plain),
        [p.name for p in named if p.default is p.empty],
    )
    rest = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    yield sum(p.kind is p.POSITIONAL_ONLY for p in plain), [p.name for p in rest]


@pytest.mark.parametrize("library", LIBRARIES)
def test_names_exist(library: str) -> None:
    """Every modelled name is a name of the library."""
    missing = [name for name, found in names_of(library) if found is None]
    assert not missing


@pytest.mark.parametrize("library", LIBRARIES)
def test_callees_are_parameters(library: str) -> None:
    """The parameters that are said to hold functions exist, so that keyword calls are found."""
    wrong: list[str] = []
    for name, found in names_of(library):
        transform = framework_transform(name)
        if transform is None or found is None:
            continue
        parameters = inspect.signature(found).parameters
        if any(p.kind is p.VAR_POSITIONAL for p in parameters.values()) and len(parameters) == 2:
            continue  # a class whose metaclass or API object passes everything on
        wrong += [
            f"{name}: {option}"
            for option in (*transform.transform.callees, *transform.static_parameters)
            if option not in parameters and not alternative(option, parameters)
        ]
    assert not wrong


def alternative(option: str, parameters: Any) -> bool:
    """Whether a callee belongs to another class of the same row."""
    return option in ("model", "potential_fn") and bool({"model", "potential_fn"} & set(parameters))


@pytest.mark.parametrize("library", LIBRARIES)
def test_aliases_are_the_functions_of_jax(library: str) -> None:
    """A function that is said to be one of JAX's is that very function."""
    for name, found in names_of(library):
        function = framework_function(name)
        if function is not None and function.alias:
            assert found is find_object(function.alias), name


def test_inner_names_hold_the_public_objects() -> None:
    """When the checked project is the framework itself, its inner names are the public ones."""
    wrong: list[str] = []
    for inner, public in register.inner_names().items():
        library = inner.partition(".")[0]
        try:
            importlib.import_module(library)
        except ImportError:
            continue
        try:
            if find_object(inner) is not find_object(public):
                wrong.append(inner)
        except AttributeError:
            wrong.append(inner)
    assert not wrong


@pytest.mark.parametrize("name", annotations.modelled_names())
def test_annotations_exist(name: str) -> None:
    """Every name that is taken as an annotation of an array, key or tree is one of its library."""
    library = name.partition(".")[0]
    with quiet():
        try:
            importlib.import_module(library)
        except ImportError:
            pytest.skip(f"{library} is not installed")
        assert find_object(name) is not None


@pytest.mark.parametrize("package", LAYERS)
def test_layers_are_classes_that_can_be_called(package: str) -> None:
    """What a layer gives is taken for one array, so no other name may be in the table."""
    with quiet():
        module = pytest.importorskip(package)
        wrong = [
            name
            for name in LAYERS[package].split()
            if not inspect.isclass(found := getattr(module, name, None))
            or "__call__" not in dir(found)
        ]
    assert not wrong


def is_tracer(value: Any) -> bool:
    """Whether a value is a tracer of JAX."""
    return isinstance(value, jax.core.Tracer)


def test_filter_transforms_of_equinox_trace_arrays_only() -> None:
    """Python numbers and strings stay as they are under `filter_jit`, arrays do not."""
    equinox = pytest.importorskip("equinox")
    seen: dict[str, Any] = {}

    def body(array: Any, number: Any, integer: Any, text: Any) -> Any:
        seen.update(array=array, number=number, integer=integer, text=text)
        return array

    x = jnp.ones(3)
    for name in ("filter_jit", "filter_vmap", "filter_checkpoint"):
        seen.clear()
        transform = framework_transform(f"equinox.{name}")
        assert transform is not None
        assert transform.tracing == "filter"
        getattr(equinox, name)(body)(x, 2.0, 3, "a")
        assert is_tracer(seen["array"]), name
        assert not any(is_tracer(seen[key]) for key in ("number", "integer", "text")), name
    equinox.filter_eval_shape(body, x, 2.0, 3, "a")
    assert is_tracer(seen["array"])
    assert not is_tracer(seen["integer"])


def test_filter_grad_of_equinox_traces_the_first_argument_only() -> None:
    """`filter_grad` makes a concrete tracer of its first argument and of no other."""
    equinox = pytest.importorskip("equinox")
    transform = framework_transform("equinox.filter_grad")
    assert transform is not None
    assert transform.transform.kind == "grad"
    assert not transform.transform.staged

    def body(x: Any, y: Any) -> Any:
        assert is_tracer(x)
        assert not is_tracer(y)
        assert bool(x.sum() > 0)
        return x.sum() * y.sum()

    equinox.filter_grad(body)(jnp.ones(3), jnp.ones(3))


def test_static_fields_of_equinox_are_not_leaves() -> None:
    """The static marker of an Equinox field, and nothing else, takes it out of the tree."""
    equinox = pytest.importorskip("equinox")
    model = base_class("equinox.Module")
    assert model is not None
    assert model.pytree
    markers = {(marker.function, marker.keyword, marker.value) for marker in model.static_markers}
    assert ("equinox.field", "static", True) in markers

    class Layer(equinox.Module):
        weight: Any
        size: int = equinox.field(static=True)
        scale: float = 2.0

    assert jax.tree.leaves(Layer(1.0, 3)) == [1.0, 2.0]
    layer = Layer(jnp.ones(2), 3)
    with pytest.raises(AttributeError):
        layer.size = 4  # frozen


def test_static_fields_of_flax_structs_are_not_leaves() -> None:
    """The static marker of a Flax field takes it out of the tree."""
    struct = pytest.importorskip("flax.struct")
    model = class_decorator("flax.struct.dataclass")
    assert model is not None
    assert model.pytree
    assert model.frozen

    class State(struct.PyTreeNode):
        step: Any
        name: str = struct.field(pytree_node=False)

    assert jax.tree.leaves(State(1, "a")) == [1]


def test_lifted_transforms_of_linen_skip_the_module() -> None:
    """Under `nn.jit` and `nn.remat` the module is no tracer and the arguments are."""
    linen = pytest.importorskip("flax.linen")
    seen: dict[str, Any] = {}

    class Model(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            @linen.jit
            def inner(module: Any, y: Any) -> Any:
                seen.update(module=module, y=y)
                return y

            return inner(self, x)

    with quiet():
        Model().init(jax.random.key(0), jnp.ones(3))
    transform = framework_transform("flax.linen.jit")
    assert transform is not None
    assert transform.skip == 1
    assert is_tracer(seen["y"])
    assert not is_tracer(seen["module"])
    for name in ("flax.linen.Module", "flax.linen.module.Module"):
        model = base_class(name)
        assert model is not None
        assert model.module
        assert not model.pytree


def test_nnx_keeps_plain_attributes_of_modules() -> None:
    """Under `nnx.jit` a module's number stays a number and its parameters are traced."""
    nnx = pytest.importorskip("flax.nnx")
    seen: dict[str, Any] = {}

    class Model(nnx.Module):
        def __init__(self) -> None:
            self.size = 3
            self.weight = nnx.Param(jnp.ones(3))

    @nnx.jit
    def body(model: Any, x: Any) -> Any:
        seen.update(size=model.size, weight=model.weight[...], x=x)
        return x

    with quiet():
        body(Model(), jnp.ones(3))
    assert not is_tracer(seen["size"])
    assert is_tracer(seen["weight"])
    assert is_tracer(seen["x"])
    transform = framework_transform("flax.nnx.jit")
    assert transform is not None
    assert transform.tracing == "graph"


def test_functions_of_optax_give_arrays() -> None:
    """The losses and norms that are said to give an array give a tracer for a tracer."""
    optax = pytest.importorskip("optax")
    one_of_each = {
        name: (name, 1)
        for name in ("global_norm", "safe_increment", "safe_root_mean_squares", "safe_norm")
    }
    x = jnp.array([0.2, 0.3, 0.5])
    measured: list[str] = []

    def body(x: Any) -> Any:
        for name in modelled_names():
            function = framework_function(name)
            if not name.startswith("optax.") or function is None or function.result != "array":
                continue
            call = find_object(name)
            extra = {"safe_root_mean_squares": (1e-3,), "safe_norm": (1e-3,)}
            count = 1 if name.rpartition(".")[2] in one_of_each else 2
            for arguments in ((x,) * count, (x, jnp.int32(1)), (x,), (x, x, x)):
                more = extra.get(name.rpartition(".")[2], ())
                try:
                    with quiet():
                        value = call(*arguments[: 1 if more else None], *more)
                except Exception:
                    continue
                assert is_tracer(value), name
                measured.append(name)
                break
        return x

    jax.eval_shape(body, x)
    assert optax is not None
    assert len(measured) > 30


def test_a_test_for_types_is_known_by_where_it_comes_from() -> None:
    """A function of the project that is called like one of a library says nothing by its name."""
    assert asks_for_type("equinox.is_array")
    assert asks_for_tracers("jax.core.is_concrete") is False
    assert not asks_for_type("mine.is_array")
    assert asks_for_tracers("mine.is_tracer") is None


def test_transformations_of_optax_are_pairs_of_functions() -> None:
    """An optimizer given to a jitted function is reported; anything else of that name would be
    reported falsely.
    """
    optax = pytest.importorskip("optax")
    for name in sorted(TRANSFORMATIONS):
        gives = inspect.signature(getattr(optax, name)).return_annotation
        assert "GradientTransformation" in str(gives), name


def shape_of(cls: type) -> dict[str, object]:
    """What a program can tell of a class: its fields in their order, and how its methods are
    called.
    """
    fields = getattr(cls, "_fields", None) or [
        (each.name, each.metadata.get("pytree_node", True), each.default is dataclasses.MISSING)
        for each in dataclasses.fields(cls)
    ]
    methods = {
        name: [
            (each.name, each.kind, each.default is inspect.Parameter.empty)
            for each in inspect.signature(member).parameters.values()
        ]
        for name, member in inspect.getmembers(cls, callable)
        if not name.startswith("_")
    }
    return {"fields": fields, "methods": methods}


@pytest.mark.parametrize(("path", "name"), sorted(library_sources().items()))
def test_a_source_has_the_classes_of_the_library(path: Path, name: str) -> None:
    """Fields, static ones, and parameters of methods are those of the installed library."""
    library = pytest.importorskip(name)
    spec = importlib.util.spec_from_file_location("source_of_library", path)
    assert spec is not None
    assert spec.loader is not None
    source = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(source)
    own = {
        each: found
        for each, found in inspect.getmembers(source, inspect.isclass)
        if found.__module__ == source.__name__
    }
    assert own
    for each, found in own.items():
        assert shape_of(found) == shape_of(getattr(library, each)), each
