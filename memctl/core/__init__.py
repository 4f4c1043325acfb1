"""The shared core: pure functions over text and bytes, without disk, network, clock or environment."""
