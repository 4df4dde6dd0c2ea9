"""The words and wire formats of feltd: links, facts, events, commands and topics."""

__version__ = "0.1.0"
