"""One module per grammar of memory files: bytes to memories, and back."""
