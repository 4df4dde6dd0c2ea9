"""What bytes look like that never make a frame: pure."""

from __future__ import annotations

from collections import Counter

# Boot messages and a cut frame are shorter, and gone sooner.
ENOUGH_BYTES = 64
PATIENCE_S = 10.0
_SEVEN_BITS = 0x7F
_SHOWN = 4


class Noise:
    """Counts the bytes since the last valid frame, and says when there can be no frame among them."""

    def __init__(self, now: float) -> None:
        self._counts: Counter[int] = Counter()
        self._total = 0
        self._since = now
        self._told = False

    def heard(self, data: bytes) -> None:
        """Count bytes that completed no frame."""
        self._total += len(data)
        self._counts.update(data)

    def cleared(self, now: float) -> None:
        """A valid frame came, or the port was opened anew."""
        self._since, self._told = now, False
        if self._total:
            self._counts.clear()
            self._total = 0

    def diagnosis(self, now: float) -> str:
        """What is wrong with the line, with the statistics that tell; empty while nothing is."""
        if self._total < ENOUGH_BYTES or now - self._since < PATIENCE_S:
            return ""
        return f"no valid frame for {now - self._since:.0f} s: check speed/parity ({self._statistics()})"

    def news(self, now: float) -> str:
        """The diagnosis, once; empty when there is none or it was told."""
        found = "" if self._told else self.diagnosis(now)
        self._told = self._told or bool(found)
        return found

    def _statistics(self) -> str:
        most = sorted(self._counts, key=lambda byte: (-self._counts[byte], byte))[:_SHOWN]
        shares = ", ".join(f"{byte:02x} {self._share(self._counts[byte])}" for byte in most)
        high = self._share(sum(many for byte, many in self._counts.items() if byte > _SEVEN_BITS))
        text = self._share(sum(self._counts[byte] for byte in range(0x20, 0x7F)))
        return f"{self._total} bytes, {high} above 7f, {text} text; most often {shares}"

    def _share(self, count: int) -> str:
        return f"{100 * count / self._total:.0f} %"
