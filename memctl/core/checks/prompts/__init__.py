"""The rules of prompt safety, and what they look for."""
