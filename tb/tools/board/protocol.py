"""Frames of the loader in a board's boot memory; sw/loader/protocol.h is the other side."""

import struct
import zlib
from dataclasses import dataclass

import lz4.block

START = b"G"
PAYLOAD = 4096
WRITE, PACKED, ZERO, CHECK, BAUD, ENTER = b"W", b"P", b"Z", b"C", b"B", b"E"
TAKEN, REFUSED = 0x06, 0x15
REASONS = {
    "t": "the frame stopped before its end",
    "l": "the frame announced too much payload",
    "c": "the frame was damaged",
    "a": "the address is outside of lowmem",
    "k": "the loader does not know this kind of frame",
    "i": "memory holds something else than what was sent",
    "p": "the frame holds no LZ4 block",
    "b": "the board's clock does not divide to this speed within two percent",
}
# Reasons that go away when the frame is sent again.
PASSING = "tlck"
HISTORY = 65535  # bytes that an LZ4 block can reach back
MOST_RATIO = 16  # that the next frame is guessed to have
PIECE = 1 << 18  # bytes that are checked at once: a fraction of a second


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


def pack(data: bytes, start: int, end: int, guess: int) -> tuple[bytes, int]:
    """A payload that stands for data[start:stop], and stop: as near to a full frame as a guess of
    `stop - start` and its corrections get. The payload is empty where packing does not help."""
    before = data[max(0, start - HISTORY) : start]
    while True:
        stop = min(start + guess, end)
        block = lz4.block.compress(
            data[start:stop], mode="high_compression", store_size=False, dict=before
        )
        payload = struct.pack("<I", stop - start) + block
        if len(payload) <= PAYLOAD:
            return (payload if len(payload) < stop - start else b""), stop
        guess = (stop - start) * (PAYLOAD - 64) // len(payload)


def frames(address: int, data: bytes) -> list[Frame]:
    """What puts `data` to `address`, packed; of many zeros only their number is sent."""
    result: list[Frame] = []

    def write(start: int, end: int) -> None:
        guess = 2 * PAYLOAD
        while start < end:
            payload, stop = pack(data, start, end, guess)
            if not payload:
                stop = min(start + PAYLOAD, end)
                result.append(Frame(WRITE, address + start, data[start:stop]))
            else:
                result.append(Frame(PACKED, address + start, payload))
            ratio = (stop - start) / max(1, len(payload))
            guess = int(PAYLOAD * min(max(1.0, ratio), MOST_RATIO))
            start = stop

    done = 0
    for start, end in zero_runs(data, least=PAYLOAD):
        write(done, start)
        result.append(Frame(ZERO, address + start, struct.pack("<I", end - start)))
        done = end
    write(done, len(data))
    return result


def check(address: int, data: bytes) -> Frame:
    """Asks whether memory holds `data`."""
    return Frame(CHECK, address, struct.pack("<II", len(data), zlib.crc32(data)))


def checks(address: int, data: bytes) -> list[Frame]:
    """The same in pieces, each of which the loader answers soon."""
    return [check(address + at, data[at : at + PIECE]) for at in range(0, len(data), PIECE)]
