"""Signed commands: compact JWS with Ed25519 (RFC 7515, RFC 8037), pure functions over text and keys.

`public` names keys, `claims` says what a token holds and why one is refused, `making` makes keys and
tokens, `reading` checks them. The last two need the extra `signed` (PyJWT, cryptography) and about 10 MB;
so nothing is imported here, and a process that only keeps a register never loads them.
"""
