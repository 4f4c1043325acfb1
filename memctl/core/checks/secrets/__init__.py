"""The rules for secrets, and what they look for."""
