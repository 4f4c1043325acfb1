"""memctl: the command line that administers the memories of AI agents."""

# A literal: importlib.metadata would cost more than the rest of the start.
__version__ = "0.1.0"
