"""Which parameters of a transformed function are static, by JAX's own inference."""

from oakum_lint.domain.arguments import Signature
from oakum_lint.domain.callables import Transformed
from oakum_lint.domain.values import (
    NONE,
    Choice,
    Constant,
    External,
    Items,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models.packages import in_jax
from oakum_lint.models.transforms import WITHOUT_SIGNATURE


def has_plain_parameters(signature: Signature) -> bool:
    """Whether all parameters of a function are seen, each with a name of its own."""
    function = signature.function
    return function is not None and not (
        function.decorated
        or any(
            each.kind in ("var_keyword", "var_positional")
            for each in function.definition.parameters.items
        )
    )


def parameter_names(signature: Signature) -> tuple[str, ...]:
    """The names of a function's parameters, in their order."""
    function = signature.function
    return tuple(each.name for each in function.definition.parameters.items) if function else ()


def missing_parameters(function: Transformed, signature: Signature) -> list[tuple[str, str]]:
    """Returns the options of `jit` or `pmap` that name parameters which the function does not
    have, each with what it names: `jit` refuses the function.
    """
    if not has_plain_parameters(signature):
        return []
    names, count = parameter_names(signature), len(signature.positional)
    missing: list[tuple[str, str]] = []
    for option in ("static_argnames", "donate_argnames"):
        named = known_names(function.option(option)) or ()
        missing += [(option, name) for name in named if name not in names]
    # `pmap` does not look at the signature for what is donated.
    donated = () if function.name == WITHOUT_SIGNATURE else ("donate_argnums",)
    for option in ("static_argnums", *donated):
        for number in positions_in(function.option(option)) or ():
            if in_jax(function.name) and not -count <= number < max(count, 1):
                missing.append((option, str(number)))
    return missing


def static_parameters(function: Transformed, signature: Signature) -> frozenset[int | str] | None:
    """Static positions and names of a jitted function, by JAX's own inference; None when an option
    is not known, or the signature that it is about.

    As in JAX, names follow from numbers and numbers from names by the signature.
    """
    numbers = positions_in(function.option("static_argnums"))
    names = _names_in(function.option("static_argnames"))
    broadcast = positions_in(function.option("static_broadcasted_argnums"))
    if numbers is None or names is None or broadcast is None:
        return None
    unseen = isinstance(function.bottom.value, External | Unknown | Choice) and signature.is_unknown
    if unseen and (numbers or names or broadcast):
        # Names meet positions by a signature that only JAX sees.
        return None
    if signature.variadic is not None and any(signature.by_name(n) is None for n in names):
        # Behind `functools.wraps` JAX sees the signature of the function that is wrapped.
        return None
    static: set[int | str] = set()
    for number in (*numbers, *broadcast):
        position = number if number >= 0 else number + len(signature.positional)
        static.add(position)
        if 0 <= position < len(signature.positional):
            static.add(signature.positional[position].name)
    for name in names:
        static.add(name)
        for position, parameter in enumerate(signature.positional):
            if parameter.name == name:
                static.add(position)
    return frozenset(static)


def positions_in(option: Value | None) -> tuple[int, ...] | None:
    """The positions that an option names, none where it is not passed; None: they are unknown."""
    return () if option is None or option == NONE else known_integers(option)


def _names_in(option: Value | None) -> tuple[str, ...] | None:
    return () if option is None or option == NONE else known_names(option)


def known_integers(value: Value | None) -> tuple[int, ...] | None:
    """A tuple of known integers: of one integer, or a tuple or list of them."""
    elements = value.elements if isinstance(value, TupleValue | Items) else (value,)
    if elements is None:
        return None
    numbers = tuple(
        e.value for e in elements if isinstance(e, Constant) and isinstance(e.value, int)
    )
    return numbers if len(numbers) == len(elements) else None


def known_names(value: Value | None) -> tuple[str, ...] | None:
    """A tuple of known names: of one string, or a tuple or list of them."""
    elements = value.elements if isinstance(value, TupleValue | Items) else (value,)
    if elements is None:
        return None
    names = tuple(e.value for e in elements if isinstance(e, Constant) and isinstance(e.value, str))
    return names if len(names) == len(elements) else None
