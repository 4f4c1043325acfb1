"""What touches files and the network."""
