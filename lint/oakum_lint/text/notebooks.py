"""Jupyter notebooks: how their files are known, and what is said of them."""

NO_NOTEBOOKS = (
    "notebooks are not supported yet; write its code to a file (`jupyter nbconvert --to script`) "
    "and check that"
)


def is_notebook(name: str) -> bool:
    """Returns whether a file is a notebook, by its name.

    >>> is_notebook("a.ipynb"), is_notebook("A.IPYNB"), is_notebook("a.py")
    (True, True, False)
    """
    return name.lower().endswith(".ipynb")
