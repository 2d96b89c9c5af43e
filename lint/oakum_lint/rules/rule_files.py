"""The files of rules: each is named after the code and the name of its rule, so that which codes
there are is known without loading one.
"""

import os
from collections.abc import Mapping
from functools import cache


@cache
def rule_files() -> Mapping[str, str]:
    """The names of the files of rules without their suffix, by code, in the order of codes.

    >>> rule_files()["OAK201"]
    'oak201_tracer_in_branch'
    """
    stems = {file.partition(".")[0] for file in os.listdir(os.path.dirname(__file__))}
    return {
        stem.partition("_")[0].upper(): stem for stem in sorted(stems) if stem.startswith("oak")
    }
