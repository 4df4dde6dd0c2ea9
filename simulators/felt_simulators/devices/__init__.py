"""Simulated devices: physical models of what stands on the felt, each with its electronics."""
