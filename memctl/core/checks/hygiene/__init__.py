"""The rules of hygiene, and what they look for."""
