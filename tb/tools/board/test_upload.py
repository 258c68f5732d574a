"""Uploads survive a bad line: nothing is lost, nothing wrong is kept, and hopeless cases end."""

import itertools
import os
import pty
import random
import struct
import termios
import threading
import tty
import zlib
from types import SimpleNamespace

import lz4.block
import pytest

from tools.board import protocol
from tools.board.protocol import LOADER_BAUD, PAYLOAD, Frame, Link, LinkFailed, check, frames
from tools.board.upload import upload

BASE = 0x80000000
SIZE = 1 << 20


class Loader(threading.Thread):
    """The board's side as sw/loader/loader.c has it, on one end of a line."""

    def __init__(self, line: int) -> None:
        super().__init__(daemon=True)
        self.line = line
        self.memory = bytearray(os.urandom(SIZE))
        self.entered = None
        self.speeds = []

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self.line, count - len(data))
        return data

    def obey(self, kind: bytes, address: int, payload: bytes) -> str:
        """Reason for a refusal, or nothing."""
        at, number = address - BASE, int.from_bytes(payload[:4], "little")
        length = number if kind in b"PZC" else len(payload)
        if kind == b"B":
            self.speeds.append(number)
            return "" if number == LOADER_BAUD or 3_000_000 % number == 0 else "b"
        if not 0 <= at <= SIZE - length:
            return "a"
        place = slice(at, at + length)
        if kind == b"W":
            self.memory[place] = payload
        elif kind == b"P":
            before = bytes(self.memory[max(0, at - 65535) : at])
            self.memory[place] = lz4.block.decompress(
                payload[4:], uncompressed_size=length, dict=before
            )
        elif kind == b"Z":
            self.memory[place] = bytes(length)
        elif kind == b"C":
            found = zlib.crc32(self.memory[place])
            return "" if payload[4:] == struct.pack("<I", found) else "i"
        elif kind == b"E":
            self.entered = address
        else:
            return "k"
        return ""

    def run(self) -> None:
        while self.entered is None:
            if self.take(1) != b"G":
                continue
            header = self.take(8)
            kind, number, length, address = struct.unpack("<cBHI", header)
            if length > PAYLOAD:
                os.write(self.line, bytes([protocol.REFUSED, ord("l")]))
                continue
            payload = self.take(length)
            good = self.take(4) == struct.pack("<I", zlib.crc32(header + payload))
            reason = self.obey(kind, address, payload) if good else "c"
            answer = [protocol.REFUSED, ord(reason)] if reason else [protocol.TAKEN, number]
            os.write(self.line, bytes(answer))


@pytest.fixture
def line():
    """A line with a loader at its far end: (near end, loader)."""
    near, far = pty.openpty()
    tty.setraw(near)
    tty.setraw(far)
    loader = Loader(far)
    loader.start()
    return near, loader


def image(*parts: tuple[int, bytes]) -> SimpleNamespace:
    return SimpleNamespace(parts=parts, entry=BASE)


def spoilt(*numbers: int, how):
    """What damages the frames with these numbers on the line."""
    count = itertools.count(1)
    return lambda frame: how(frame) if next(count) in numbers else frame


def speed(line: int) -> int:
    return termios.tcgetattr(line)[5]


def test_memory_holds_what_was_sent_and_the_program_is_started(line):
    near, loader = line
    data = os.urandom(3000) + bytes(5000) + os.urandom(70) + bytes(63) + b"\1"
    upload(Link(near), image((BASE + 16, data), (BASE + 0x8000, b"tail")))
    loader.join(5)
    assert bytes(loader.memory[16 : 16 + len(data)]) == data
    assert loader.memory[0x8000:0x8004] == b"tail"
    assert loader.entered == BASE


def test_a_damaged_frame_is_sent_again(line):
    near, loader = line
    data = os.urandom(6 * PAYLOAD)
    flip = spoilt(2, 5, how=lambda frame: frame[:20] + bytes([frame[20] ^ 0x10]) + frame[21:])
    link = Link(near, damage=flip)
    upload(link, image((BASE, data)))
    loader.join(5)
    assert link.repeats == 2
    assert bytes(loader.memory[: len(data)]) == data


def test_a_frame_that_loses_its_start_is_sent_again(line):
    near, loader = line
    link = Link(near, patience=0.2, damage=spoilt(1, how=lambda frame: b"\0" + frame[1:]))
    link.send(Frame(b"W", BASE, b"\0" * 4 + b"AB"))
    assert loader.memory[4:6] == b"AB" and link.repeats == 1


def test_an_address_outside_of_memory_is_not_tried_again(line):
    link = Link(line[0])
    with pytest.raises(LinkFailed, match="outside of lowmem"):
        link.send(Frame(b"W", 0x1000, b"data"))
    assert link.repeats == 0


def test_memory_that_does_not_keep_its_content_is_noticed(line):
    near, loader = line
    link = Link(near)
    link.send(Frame(b"W", BASE, b"good"))
    loader.memory[2] ^= 1
    with pytest.raises(LinkFailed, match="memory holds something else"):
        link.send(check(BASE, b"good"))


def test_a_silent_line_ends_with_advice():
    near, far = pty.openpty()
    tty.setraw(far)
    with pytest.raises(LinkFailed, match="press FIRE1"):
        Link(near, patience=0.05, tries=2).send(Frame(b"W", BASE, b"x"))


def test_what_repeats_is_sent_once(line):
    """Also when it repeats what an earlier frame has written, and in every mixture."""
    near, loader = line
    draw = random.Random(5)
    words = [draw.randbytes(draw.randrange(3, 40)) for _ in range(300)]
    text = b"".join(draw.choice(words) for _ in range(20000))
    data = text + draw.randbytes(3 * PAYLOAD) + bytes(5000) + text[:30000]
    sent = frames(BASE, data)
    assert {f.kind for f in sent} == {b"P", b"W", b"Z"}
    assert max(len(f.payload) for f in sent) <= PAYLOAD
    packed = [len(f.payload) for f in sent if f.kind == b"P"]
    full = [length for length in packed if length > PAYLOAD * 3 // 4]
    assert len(full) > len(packed) * 2 // 3, packed
    assert sum(packed) < len(text) // 4
    upload(Link(near), image((BASE, data)))
    loader.join(20)
    assert bytes(loader.memory[: len(data)]) == data


def test_a_new_speed_is_tried_before_it_is_used_and_the_console_has_its_own(line):
    near, loader = line
    link = Link(near)
    link.speed(3_000_000)
    assert loader.speeds == [3_000_000, 3_000_000]
    assert speed(near) == termios.B3000000
    upload(link, image((BASE, b"program")))
    loader.join(5)
    assert loader.speeds == 2 * [3_000_000] + 2 * [LOADER_BAUD]
    assert loader.entered == BASE and speed(near) == termios.B115200


@pytest.mark.parametrize(
    ("baud", "lost", "why"),
    [
        (2_000_001, (), "within two percent"),
        # The loader takes the new speed, and then nothing comes through.
        (1_000_000, range(2, 9), "does not carry 1000000 baud .* use a lower one"),
    ],
)
def test_a_speed_that_board_or_line_cannot_make_is_explained(line, baud, lost, why):
    near, _ = line
    protocol.set_speed(near, LOADER_BAUD)
    damage = spoilt(*lost, how=lambda frame: bytes(len(frame)))
    with pytest.raises(LinkFailed, match=why):
        Link(near, patience=0.5, tries=2, damage=damage).speed(baud)
    assert speed(near) == termios.B115200


def test_a_speed_that_the_system_does_not_have_is_explained(line):
    with pytest.raises(LinkFailed, match="1234 baud is no speed of this system; use 115200"):
        protocol.set_speed(line[0], 1234)
