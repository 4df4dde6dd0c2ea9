"""Ports: how bytes reach the event loop and leave it."""

from felt_drivers.port.serial import SerialPort

__all__ = ["SerialPort"]
