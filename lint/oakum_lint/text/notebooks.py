"""Jupyter notebooks: how their files are known, and what is said of them."""

NOTEBOOK = ".ipynb"
NO_NOTEBOOKS = (
    "notebooks are not supported yet; write its code to a file (`jupyter nbconvert --to script`) "
    "and check that"
)
