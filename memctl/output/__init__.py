"""Results to text, for a person or a machine."""
