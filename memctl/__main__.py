"""Lets `python -m memctl` run the program."""

from memctl.cli.app import entry

entry()
