"""Sockets of TLS as paho makes them."""

from __future__ import annotations

import ssl

from typing_extensions import override


class Socket(ssl.SSLSocket):
    """A socket that is closed when its handshake fails; paho would leave it to the collector.

    Set it as the `sslsocket_class` of a context.
    """

    @override
    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise
