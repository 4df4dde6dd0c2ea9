"""Simulated table devices, faults and scenarios for feltd; never on a production box."""

__version__ = "0.1.0"
