"""What is known of how classes declare their fields: options, keywords and hooks. What a class
says by anything else may change which attributes its instances have, and what these hold.
"""

from typing import Final

from oakum_lint.models.types import DATACLASS_OPTIONS, PLAIN_BASES

CLASS_OPTIONS: Final = DATACLASS_OPTIONS | frozenset(
    "data_fields drop_fields mappable_dataclass meta_fields restricted_inheritance".split()
)
"""Options of the decorators that make dataclasses or pytrees of classes."""
CLASS_KEYWORDS: Final = frozenset(
    "abstract experimental_disable_module kw_only metaclass pytree strict total".split()
)
"""What may stand beside the bases of a class: for Python, Equinox and flax."""
FIELD_OPTIONS: Final = frozenset(
    """
    compare converter default default_factory doc hash init kw_only metadata pytree_node repr static
    """.split()
)
"""Options of the functions that declare fields."""
BASE_FIELDS: Final = {
    **dict.fromkeys(PLAIN_BASES, ()),
    "equinox.Module": (),
    "flax.linen.Module": ("parent", "name"),
    "flax.struct.PyTreeNode": (),
    "typing.Protocol": (),
}
"""The fields that classes of libraries add to those which a class declares, behind them."""
INITIALISERS: Final = frozenset(("__init__", "__post_init__", "setup"))
"""The methods that set the attributes of a new instance."""
SETTING_HOOK: Final = "__setattr__"
"""The method that runs whenever an attribute of an instance is set."""
DEFINING_HOOK: Final = "__init_subclass__"
"""The method that runs when a subclass is defined, with the keywords beside its bases."""
