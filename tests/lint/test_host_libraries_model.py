"""The table of libraries of the host says of each function what it does with a tracer under JAX."""

import pkgutil

import pytest

from oakum_lint.models.host.numpy import host_names, numpy_facts

UNTRIED = {"cv2.imshow": "it opens a window"}


@pytest.mark.parametrize("name", host_names())
def test_it_refuses_a_tracer(name: str) -> None:
    """A function that took one would be reported where it works."""
    if name in UNTRIED:
        pytest.skip(UNTRIED[name])
    jax = pytest.importorskip("jax")
    pytest.importorskip(name.partition(".")[0])
    facts = numpy_facts(name)
    assert facts is not None
    function = pkgutil.resolve_name(name)

    def call(array: object) -> None:
        function(*("" if each is None else array for each in facts.parameters))

    with pytest.raises(Exception, match=r"(?i)tracer|argument|array|type"):
        jax.jit(call)(jax.numpy.ones(3))
