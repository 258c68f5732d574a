"""Frames of the loader in a board's boot memory, and the serial line that sends them until they are
taken; sw/loader/protocol.h is the other side."""

import os
import re
import select
import struct
import termios
import time
import tty
import zlib
from collections.abc import Callable
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
PASSING = "tlck"  # reasons that go away when the frame is sent again
HISTORY = 65535  # bytes that an LZ4 block can reach back
MOST_RATIO = 16  # that the next frame is guessed to have
PIECE = 1 << 18  # bytes that are checked at once: a fraction of a second
LOADER_BAUD = 115200  # after a reset


@dataclass(frozen=True)
class Frame:
    kind: bytes
    address: int
    payload: bytes = b""

    def encode(self, number: int) -> bytes:
        if len(self.payload) > PAYLOAD:
            raise ValueError(f"payload of {len(self.payload)} bytes; a frame takes {PAYLOAD}")
        header = struct.pack("<cBHI", self.kind, number, len(self.payload), self.address)
        body = header + self.payload
        return START + body + struct.pack("<I", zlib.crc32(body))


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
            if payload:
                result.append(Frame(PACKED, address + start, payload))
            else:
                stop = min(start + PAYLOAD, end)
                result.append(Frame(WRITE, address + start, data[start:stop]))
            ratio = (stop - start) / max(1, len(payload))
            guess = int(PAYLOAD * min(max(1.0, ratio), MOST_RATIO))
            start = stop

    done = 0
    for zeros in re.finditer(rb"\0{%d,}" % PAYLOAD, data):
        start, end = zeros.span()
        write(done, start)
        result.append(Frame(ZERO, address + start, struct.pack("<I", end - start)))
        done = end
    write(done, len(data))
    return result


def check(address: int, data: bytes) -> Frame:
    return Frame(CHECK, address, struct.pack("<II", len(data), zlib.crc32(data)))


def checks(address: int, data: bytes) -> list[Frame]:
    """The same in pieces, each of which the loader answers soon."""
    return [check(address + at, data[at : at + PIECE]) for at in range(0, len(data), PIECE)]


class LinkFailed(RuntimeError):
    """The loader does not answer, or refuses for good."""


def set_speed(line: int, baud: int) -> None:
    """The speed of this end, after what was written has left."""
    speed = getattr(termios, f"B{baud}", None)
    if speed is None:
        raise LinkFailed(f"{baud} baud is no speed of this system; use 115200, 1000000 or 3000000")
    settings = termios.tcgetattr(line)
    settings[4] = settings[5] = speed
    termios.tcsetattr(line, termios.TCSADRAIN, settings)


def open_line(path: str) -> int:
    """Opens a serial device raw at the loader's first speed; answers its file descriptor."""
    try:
        line = os.open(path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(line)
        set_speed(line, LOADER_BAUD)
    except (OSError, termios.error) as error:
        raise LinkFailed(f"{path} cannot be used as a serial line: {error}") from error
    return line


@dataclass
class Link:
    line: int
    patience: float = 2.0  # seconds that an answer may take
    tries: int = 5
    settle: float = 0.05  # seconds that both ends have for a new speed
    damage: Callable[[bytes], bytes] = bytes  # of a frame on its way (tests)
    repeats: int = 0  # frames that had to be sent again
    number: int = 0
    baud: int = LOADER_BAUD

    def read(self, count: int, seconds: float) -> bytes:
        """Up to `count` bytes; fewer when the time is over."""
        data = b""
        end = time.monotonic() + seconds
        while len(data) < count and (left := end - time.monotonic()) > 0:
            if select.select([self.line], [], [], left)[0]:
                data += os.read(self.line, count - len(data))
        return data

    def drain(self) -> None:
        while self.read(4096, 0.02):
            pass

    def write(self, data: bytes) -> None:
        """All of it, however slow the line is."""
        while data:
            data = data[os.write(self.line, data) :]

    def speed(self, baud: int) -> None:
        """Both ends go on at `baud`; a second frame of the kind proves that they understand each
        other. The loader goes back to its first speed by itself if they do not."""
        change = Frame(BAUD, 0, struct.pack("<I", baud))
        self.send(change)
        set_speed(self.line, baud)
        time.sleep(self.settle)
        try:
            self.send(change)
        except LinkFailed as failed:
            set_speed(self.line, LOADER_BAUD)
            raise LinkFailed(
                f"the line does not carry {baud} baud ({failed}); use a lower one"
            ) from failed
        self.baud = baud

    def send(self, frame: Frame) -> None:
        """Sends a frame until it is taken. Raises LinkFailed when that does not help."""
        self.number = (self.number + 1) % 256
        complaint = "no answer; is the board in its loader (press FIRE1)?"
        for attempt in range(self.tries):
            self.repeats += attempt > 0
            self.write(self.damage(frame.encode(self.number)))
            answer = self.read(2, self.patience)
            if answer == bytes([TAKEN, self.number]):
                return
            if len(answer) == 2 and answer[0] == REFUSED:
                reason = chr(answer[1])
                complaint = REASONS.get(reason, f"refused for reason {answer[1]:#x}")
                if reason not in PASSING:
                    break
            elif answer:
                complaint = f"answer {answer.hex()} makes no sense"
            self.drain()
        raise LinkFailed(f"frame {frame.kind.decode()} to {frame.address:#x}: {complaint}")
