"""Ports and device drivers of feltd."""

__version__ = "0.1.0"
