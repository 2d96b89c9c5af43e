"""Arguments of a call, and how they meet the parameters of a function of the project."""

from collections.abc import Mapping

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.values import UNKNOWN, Entries, TupleValue, Value
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call.

    `more` is what further positional arguments are when `*args` of unknown length was passed, and
    `more_keywords` likewise for `**kwargs`. `places` are the nodes of the positional arguments and
    `keyword_places` those of the keywords, where the call stands in the program.
    """

    positional: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict[str, Value])
    more: Value | None = None
    more_keywords: Value | None = None
    places: tuple[nodes.Node, ...] = ()
    keyword_places: dict[str, nodes.Node] = field(default_factory=dict[str, nodes.Node])

    @property
    def complete(self) -> bool:
        """Whether every argument is known to be listed."""
        return self.more is None and self.more_keywords is None

    def decorated_at(self, node: nodes.Node) -> bool:
        """Whether a decorator that stands at a node gets them: it is its argument's place."""
        return len(self.places) == 1 and self.places[0] is node

    def prepended(self, *values: Value) -> "Arguments":
        """The same call with more positional arguments before."""
        places = self.places and (self.places[0],) * len(values) + self.places
        return Arguments(
            (*values, *self.positional),
            self.keywords,
            self.more,
            self.more_keywords,
            places,
            self.keyword_places,
        )

    def without_first(self) -> "Arguments":
        """The same call without its first positional argument."""
        return Arguments(
            self.positional[1:],
            self.keywords,
            self.more,
            self.more_keywords,
            self.places[1:],
            self.keyword_places,
        )

    def renamed(self, names: Mapping[str, str]) -> "Arguments":
        """The same call with some keywords called otherwise."""
        if names.keys().isdisjoint(self.keywords):
            return self
        return Arguments(
            self.positional,
            {names.get(name, name): value for name, value in self.keywords.items()},
            self.more,
            self.more_keywords,
            self.places,
            {names.get(name, name): place for name, place in self.keyword_places.items()},
        )

    def get(self, position: int, name: str = "") -> Value | None:
        """The argument at a position or under a name, or None when it is not passed (or not known
        to be).
        """
        if 0 <= position < len(self.positional):
            return self.positional[position]
        if name and name in self.keywords:
            return self.keywords[name]
        return None

    def place(self, position: int, name: str, call: nodes.Node) -> nodes.Node:
        """Where the argument stands, or the call."""
        if 0 <= position < len(self.places) and position < len(self.positional):
            return self.places[position]
        return self.keyword_places.get(name, call)

    def all_values(self) -> tuple[Value, ...]:
        """Every argument value."""
        extra = tuple(value for value in (self.more, self.more_keywords) if value is not None)
        return (*self.positional, *self.keywords.values(), *extra)


NO_ARGUMENTS = Arguments()


def bind_parameters(function: FunctionValue, arguments: Arguments) -> dict[str, Value | None]:
    """The value of each parameter; None where the default applies.

    A parameter that gets no argument and has no default is Unknown: the call would fail for a
    reason that is not ours to report.
    """
    bound: dict[str, Value | None] = {}
    remaining = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for parameter in function.definition.parameters.items:
        name = parameter.name
        match parameter.kind:
            case "positional_only" | "positional" if remaining:
                bound[name] = remaining.pop(0)
            case "positional_only" | "positional":
                bound[name] = _positional(parameter, keywords, arguments)
            case "var_positional":
                if arguments.more is not None:
                    bound[name] = TupleValue(None, UNKNOWN if remaining else arguments.more)
                else:
                    bound[name] = TupleValue(tuple(remaining))
                remaining = []
            case "keyword_only":
                if name in keywords:
                    bound[name] = keywords.pop(name)
                else:
                    bound[name] = _absent(parameter, arguments)
            case "var_keyword":
                bound[name] = Entries(tuple(keywords.items()), arguments.more_keywords)
    return bound


def is_refused_by(function: FunctionValue, arguments: Arguments) -> bool:
    """Whether a call certainly raises by how many arguments it passes, and under which names."""
    if not arguments.complete:
        return False
    items = function.definition.parameters.items
    kinds = {each.kind for each in items}
    ordered = [each for each in items if each.kind in ("positional_only", "positional")]
    passed, names = len(arguments.positional), arguments.keywords.keys()
    filled, left = ordered[:passed], ordered[passed:]
    by_name = {each.name for each in items if each.kind in ("positional", "keyword_only")}
    left += [each for each in items if each.kind == "keyword_only"]
    return (
        (passed > len(ordered) and "var_positional" not in kinds)
        or any(each.kind == "positional" and each.name in names for each in filled)
        or ("var_keyword" not in kinds and not names <= by_name)
        or any(each.default is None and each.name not in names for each in left)
    )


def _positional(
    parameter: nodes.Parameter, keywords: dict[str, Value], arguments: Arguments
) -> Value | None:
    """A parameter that no listed positional argument fills; takes its keyword out of `keywords`."""
    if parameter.kind == "positional" and parameter.name in keywords:
        return keywords.pop(parameter.name)
    if arguments.more is not None:
        return arguments.more if parameter.default is None else UNKNOWN
    return _absent(parameter, arguments)


def _absent(parameter: nodes.Parameter, arguments: Arguments) -> Value | None:
    if arguments.more_keywords is not None:
        return UNKNOWN
    return None if parameter.default is not None else UNKNOWN


@dataclass(frozen=True, slots=True)
class Signature:
    """Parameters still open, the function of the project at the bottom if there is one, and a name
    for messages.
    """

    name: str
    function: FunctionValue | None
    positional: tuple[nodes.Parameter, ...]
    keyword_only: tuple[nodes.Parameter, ...]
    variadic: nodes.Parameter | None

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of the parameters: no function and no declaration was seen."""
        named = self.positional or self.keyword_only or self.variadic
        return self.function is None and not named

    def parameter(self, position: int) -> nodes.Parameter | None:
        """The parameter that a positional argument fills."""
        if position < len(self.positional):
            return self.positional[position]
        return self.variadic

    def by_name(self, name: str) -> nodes.Parameter | None:
        """The parameter that a keyword argument fills."""
        for parameter in (*self.positional, *self.keyword_only):
            if parameter.name == name:
                return parameter
        return None
