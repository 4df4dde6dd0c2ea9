"""From the bytes of a file to its text: UTF-8, with or without the mark that Windows editors put first."""

from __future__ import annotations

import codecs

from felt_daemon.config.problems import ConfigError, Problem

# Longest mark first: the one of UTF-32 LE begins with the one of UTF-16 LE.
_FOREIGN_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32 (little endian)"),
    (codecs.BOM_UTF32_BE, "UTF-32 (big endian)"),
    (codecs.BOM_UTF16_LE, "UTF-16 (little endian)"),
    (codecs.BOM_UTF16_BE, "UTF-16 (big endian)"),
)
_MARK = "\ufeff"


def decoded(data: bytes, file: str) -> str:
    """The text of a configuration file, its lines ended by a single newline.

    A mark at the very beginning and CRLF are taken and make no difference. Raises `ConfigError`, naming
    the encoding and the place, for everything else that is not UTF-8, and for an empty file: that is a
    failed copy, never "all defaults".
    """
    for mark, name in _FOREIGN_MARKS:
        if data.startswith(mark):
            raise _refused(file, 1, f"the file is {name}, seen at byte 1; save it as UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data:
        raise _refused(
            file, 1, "the file is empty (0 bytes of text); settings are never taken from defaults alone"
        )
    _refuse_zero_bytes(data, file)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(file, *_not_utf8(data, error.start)) from None
    if (at := text.find(_MARK)) >= 0:
        line, column = _place(text, at)
        raise _refused(
            file,
            line,
            f"a byte order mark (U+FEFF) stands at line {line}, column {column}; only the first place of a"
            " UTF-8 file may have one (two files put together?): delete it",
        )
    return text.replace("\r\n", "\n")


def _refuse_zero_bytes(data: bytes, file: str) -> None:
    at = data.find(b"\0")
    if at < 0:
        return
    line = data.count(b"\n", 0, at) + 1
    # Latin text in UTF-16 has a zero in every second byte; even offsets have it in big endian.
    if data.count(b"\0") * 3 > len(data):
        order = "big" if at % 2 == 0 else "little"
        text = f"the file is UTF-16 ({order} endian, without a mark), seen at byte {at + 1}; save it as UTF-8"
    else:
        text = f"a zero byte stands at byte {at + 1}; the file is damaged or no text"
    raise _refused(file, line, text)


def _not_utf8(data: bytes, at: int) -> tuple[int, str]:
    before = data[:at].decode("utf-8")
    line, column = _place(before, len(before))
    byte = data[at]
    guess = data[at : at + 1].decode("latin-1")
    seems = f', in Latin-1 it would be "{guess}"' if guess.isprintable() else ""
    return line, (
        f"the file is not UTF-8: byte 0x{byte:02X} at line {line}, column {column} (byte {at + 1}){seems};"
        " it is probably Latin-1 or Windows-1252: save it as UTF-8"
    )


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _refused(file: str, line: int, text: str) -> ConfigError:
    return ConfigError((Problem(file, line, "", "", text),))
