"""A serial line to the loader: sends frames until they are taken."""

import os
import select
import struct
import termios
import time
import tty
from collections.abc import Callable

from tools.board.protocol import BAUD, PASSING, REASONS, REFUSED, TAKEN, Frame

LOADER_BAUD = 115200  # after a reset


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


class Link:
    """One end of the line.

    `patience` is how long an answer may take in seconds, `settle` how long both ends have for a new
    speed; `damage` may change the bytes of a frame on their way (tests). `repeats` counts frames
    that had to be sent again.
    """

    def __init__(
        self,
        line: int,
        patience: float = 2.0,
        tries: int = 5,
        settle: float = 0.05,
        damage: Callable[[bytes], bytes] = lambda data: data,
    ) -> None:
        self.line = line
        self.patience = patience
        self.tries = tries
        self.settle = settle
        self.damage = damage
        self.repeats = 0
        self.number = 0
        self.baud = LOADER_BAUD

    def read(self, count: int, seconds: float) -> bytes:
        """Up to `count` bytes; fewer when the time is over."""
        data = b""
        end = time.monotonic() + seconds
        while len(data) < count and (left := end - time.monotonic()) > 0:
            if select.select([self.line], [], [], left)[0]:
                data += os.read(self.line, count - len(data))
        return data

    def drain(self) -> None:
        """Throws away what has arrived."""
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
