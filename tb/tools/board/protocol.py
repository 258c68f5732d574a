"""Frames of the loader in a board's boot memory; sw/loader/protocol.h is the other side."""

import struct
import zlib
from dataclasses import dataclass

START = b"G"
PAYLOAD = 1024
WRITE, ZERO, CHECK, ENTER = b"W", b"Z", b"C", b"E"
TAKEN, REFUSED = 0x06, 0x15
REASONS = {
    "t": "the frame stopped before its end",
    "l": "the frame announced too much payload",
    "c": "the frame was damaged",
    "a": "the address is outside of lowmem",
    "k": "the loader does not know this kind of frame",
    "i": "memory holds something else than what was sent",
}
# Reasons that go away when the frame is sent again.
PASSING = "tlck"


@dataclass(frozen=True)
class Frame:
    """One request to the loader."""

    kind: bytes
    address: int
    payload: bytes = b""

    def encode(self, number: int) -> bytes:
        """The bytes on the line."""
        if len(self.payload) > PAYLOAD:
            raise ValueError(f"payload of {len(self.payload)} bytes; a frame takes {PAYLOAD}")
        header = struct.pack("<cBHI", self.kind, number, len(self.payload), self.address)
        body = header + self.payload
        return START + body + struct.pack("<I", zlib.crc32(body))


def zero_runs(data: bytes, least: int) -> list[tuple[int, int]]:
    """Start and end of every run of at least `least` zero bytes."""
    runs, at = [], 0
    while (start := data.find(bytes(least), at)) >= 0:
        end = start + least
        while end < len(data) and data[end] == 0:
            end += 1
        runs.append((start, end))
        at = end
    return runs


def frames(address: int, data: bytes) -> list[Frame]:
    """What puts `data` to `address`: zeros are not sent, only their number."""
    result: list[Frame] = []

    def write(start: int, end: int) -> None:
        for at in range(start, end, PAYLOAD):
            result.append(Frame(WRITE, address + at, data[at : min(at + PAYLOAD, end)]))

    done = 0
    for start, end in zero_runs(data, least=64):
        write(done, start)
        result.append(Frame(ZERO, address + start, struct.pack("<I", end - start)))
        done = end
    write(done, len(data))
    return result


def check(address: int, data: bytes) -> Frame:
    """Asks whether memory holds `data`."""
    return Frame(CHECK, address, struct.pack("<II", len(data), zlib.crc32(data)))
