"""Parameters that a public function takes and never reads: each is here, with the reason.

An option that is taken and does nothing lies to the user, so one that asks for something is
honoured, or refused with OAK007; what is left changes no result, wherever it is set.
"""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import oakum
import oakum.numpy as jnp
from oakum import lax

PACKAGE = Path(oakum.__file__).parent

REASONS = {
    "a hint that spares the host checks or copies": """
        scipy.*.check_finite scipy.*.overwrite_a scipy.*.overwrite_b scipy.*.overwrite_c
        scipy.linalg.qr.lwork scipy.linalg.svd.lapack_driver scipy.linalg.eigh.turbo
        scipy.linalg.solve.debug scipy.linalg.solve_triangular.debug numpy.isin.assume_unique
        numpy.nan_to_num.copy numpy.reshape.copy""",
    "the result is that of the option in any case": """
        numpy.unique.sorted numpy.histogram_bin_edges.weights scipy.linalg.expm_frechet.method
        scipy.linalg.eigh_tridiagonal.tol scipy.linalg.eigh_tridiagonal.key
        scipy.linalg.polar.eps scipy.linalg.polar.max_iterations lax.linalg.qdwh.max_iterations
        lax.linalg.qdwh.eps lax.random_gamma_grad.dtype nn.initializers.zeros.key
        nn.initializers.ones.key numpy.dtype.metadata""",
    "it tunes a compiler that is not used": """
        lax.scan._split_transpose lax.dce_sink.prevent_mlir_dce
        custom_vjp.defvjp.optimize_remat""",
    "a drawing is plain text, as JAX's where the terminal has no colours": """
        debug.visualize_sharding.use_color debug.visualize_sharding.color_map""",
    "a name in profiles and dumps": "named_call.name core.eval_jaxpr.propagate_source_info",
    "all values are on one device, and vary over no mesh": """
        lax.all_gather.to vmap.sum_match
        sharding.auto_axes.axes sharding.explicit_axes.axes sharding.explicit_axes.in_sharding
        sharding.make_single_device_sharding.memory_kind debug.print.partitioned
        debug.log.partitioned debug.print._use_logging debug.log._use_logging
        checkpoint_policies.offload_dot_with_no_batch_dims.offload_src
        checkpoint_policies.offload_dot_with_no_batch_dims.offload_dst
        checkpoint_policies.save_and_offload_only_these_names.offload_src
        checkpoint_policies.save_and_offload_only_these_names.offload_dst""",
    "the memory of a device is one": "ref.new_ref.memory_space ref.empty_ref.memory_space",
    "the devices of the host have no network, and arrays are arranged in order": """
        experimental.mesh_utils.create_device_mesh.contiguous_submeshes
        experimental.mesh_utils.create_device_mesh.allow_split_physical_axes
        experimental.mesh_utils.create_hybrid_device_mesh.process_is_granule
        experimental.mesh_utils.create_hybrid_device_mesh.should_sort_granules_by_key
        experimental.mesh_utils.create_hybrid_device_mesh.allow_split_physical_axes""",
    "there is one process": """
        experimental.multihost_utils.broadcast_one_to_all.is_source
        experimental.multihost_utils.global_array_to_host_local_array.global_mesh
        experimental.multihost_utils.global_array_to_host_local_array.pspecs
        experimental.multihost_utils.reached_preemption_sync_point.step_id""",
    "effects happen in order without it": "lax.after_all.operands lax.create_token._",
    "the function always refuses": """
        numpy.fromfile.args numpy.fromfile.kwargs numpy.fromiter.args numpy.fromiter.kwargs""",
    "a policy decides without it": """
        checkpoint_policies.everything_saveable._ checkpoint_policies.everything_saveable.__
        checkpoint_policies.nothing_saveable._ checkpoint_policies.nothing_saveable.__
        checkpoint_policies.dots_saveable.args checkpoint_policies.dots_saveable.params
        checkpoint_policies.dots_with_no_batch_dims_saveable.args""",
    "the class of universal functions reads it before the function is called": " ".join(
        f"numpy.{name}.{option}"
        for name in """add subtract multiply negative maximum minimum logaddexp logaddexp2
            logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor""".split()
        for option in ("out", "where")
    ),
}


@functools.cache
def unread() -> tuple[str, ...]:
    """The parameters of evaluated public functions that their bodies do not name."""
    return tuple(_find_unread())


def _find_unread() -> Iterator[str]:
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (name := _declared_name(node)):
                yield from (f"{name}.{parameter}" for parameter in _unread_of(node))
            if isinstance(node, ast.FunctionDef) and node.name != "named_as":
                yield from (
                    f"{node.name}.{each}" for made in _made(node) for each in _unread_of(made)
                )


def _made(node: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """The functions that a function makes for a family of public ones, which share a signature."""
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    named = [each.args[1] for each in calls if ast.unparse(each.func) == "named_as"]
    names = {each.id for each in named if isinstance(each, ast.Name)}
    inner = (each for each in ast.walk(node) if isinstance(each, ast.FunctionDef))
    yield from (each for each in inner if each.name in names)


def _declared_name(node: ast.FunctionDef) -> str:
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(
                func=ast.Name(id="public" | "transform" | "_sizable"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                return name
            case _:
                pass
    return ""


def _unread_of(node: ast.FunctionDef) -> Iterator[str]:
    if all(isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant) for x in node.body):
        return  # It is declared, and not evaluated.
    read = {x.id for each in node.body for x in ast.walk(each) if isinstance(x, ast.Name)}
    given = node.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    yield from (p.arg for p in parameters if p is not None and p.arg not in {*read, "self"})


def _reason(parameter: str) -> bool:
    first, last = parameter.split(".", 1)[0], parameter.rpartition(".")[2]
    known = {each for words in REASONS.values() for each in words.split()}
    return parameter in known or f"{first}.*.{last}" in known


def test_each_option_that_is_not_read_has_a_reason() -> None:
    assert [each for each in unread() if not _reason(each)] == []


def test_each_reason_is_of_an_option_that_is_not_read() -> None:
    found = set(unread())
    stale = {
        each
        for words in REASONS.values()
        for each in words.split()
        if ".*." not in each and each not in found
    }
    assert stale == set()


def test_accuracies_that_are_not_known_are_refused() -> None:
    """A misspelt accuracy is taken for one that is met."""
    for accuracy in (None, lax.AccuracyMode.HIGHEST, lax.Tolerance(1e-3, 1e-3, 1)):
        lax.exp(1.0, accuracy=accuracy)
    for function in (lax.exp, lax.sin, lax.tanh):
        with pytest.raises(NotImplementedError, match="an accuracy of 'highest'"):
            function(1.0, accuracy="highest")
    with pytest.raises(ValueError, match="recall_target"):
        lax.approx_max_k(jnp.arange(4.0), 2, recall_target=1.5)


@pytest.mark.parametrize("option", ["out", "where"])
def test_universal_functions_refuse_what_they_do_not_do(option: str) -> None:
    options: dict[str, Any] = {option: jnp.ones(2)}
    with pytest.raises(NotImplementedError, match=option):
        jnp.add(jnp.ones(2), 1, **options)
