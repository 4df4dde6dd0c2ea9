"""Certificates: read, held against each other, and, for a small site, made.

`reading` and `pair` need nothing beside Python and run in the daemon; `authority` and `folder` make keys and
certificates for `felt keys ca` and are the only ones that load a library for it.
"""
