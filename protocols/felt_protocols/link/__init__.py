"""Felt Link: the vendor-neutral link between a device on the felt and its table."""
