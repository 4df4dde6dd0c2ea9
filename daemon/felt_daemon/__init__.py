"""feltd, the table-side controller of casino card tables."""

__version__ = "0.1.0"
