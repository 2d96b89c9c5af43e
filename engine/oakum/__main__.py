"""Lets `python -m oakum` stand for the command `oakum`: the one that is installed."""

import sys
from importlib.metadata import entry_points

for _command in entry_points(group="console_scripts", name="oakum"):
    sys.exit(_command.load()())
sys.exit("oakum: the command is not installed in this environment")
