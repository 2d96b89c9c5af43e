"""Jupyter notebooks and documents with blocks of code: how their files are known, and how reports
name cells.
"""

LARGEST_NOTEBOOK = 64 * 1024 * 1024
"""Bytes of the largest notebook that is read: its outputs hold pictures."""


CELL_MARK = "#:cell "
"""What the text of a notebook has where a cell begins (`text/notebook/cells`)."""


def is_notebook(name: str) -> bool:
    """Returns whether a file is a notebook, by its name.

    >>> is_notebook("a.ipynb"), is_notebook("A.IPYNB"), is_notebook("a.py")
    (True, True, False)
    """
    return name.lower().endswith(".ipynb")


def is_document(name: str) -> bool:
    """Returns whether a file is a document whose blocks may be Python, by its name.

    >>> is_document("README.md"), is_document("a.rst"), is_document("a.py")
    (True, True, False)
    """
    return name.lower().endswith((".md", ".markdown", ".rst"))


def is_joined(name: str) -> bool:
    """Returns whether the analysis sees another text than that of the file: the code in it."""
    return is_notebook(name) or is_document(name)


def in_cell(file: str, number: int) -> str:
    """How a report names a cell of a notebook.

    >>> in_cell("a.ipynb", 3), file_and_cell("a.ipynb:cell 3"), file_and_cell("a.py")
    ('a.ipynb:cell 3', ('a.ipynb', 3), ('a.py', None))
    """
    return f"{file}:cell {number}"


def file_and_cell(name: str) -> tuple[str, int | None]:
    """The file, and the number of the cell, of what `in_cell` names; any other name is a file."""
    file, _, number = name.rpartition(":cell ")
    return (file, int(number)) if is_notebook(file) and number.isdecimal() else (name, None)
