"""The loader's LZ4 decoder (sw/loader/lz4.c) on the host: whatever a packer makes comes out again,
and a block that is none writes nothing outside of its place."""

import ctypes
import random
import subprocess

import lz4.block
import pytest

from support.run import ROOT

GUARD = b"\xa5" * 64


@pytest.fixture(scope="module")
def unpack(tmp_path_factory):
    """unpack(block, length, before): what memory holds at the place, or None; the guards stay."""
    library = tmp_path_factory.mktemp("lz4") / "lz4.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, ROOT / "sw/loader/lz4.c", "-o", library], check=True)
    code = ctypes.CDLL(str(library)).lz4_unpack
    place, count = ctypes.c_void_p, ctypes.c_uint32
    code.restype, code.argtypes = ctypes.c_bool, (place, count, place, count, place)

    def unpack(block: bytes, length: int, before: bytes = b"") -> bytes | None:
        memory = ctypes.create_string_buffer(GUARD + before + bytes(length) + GUARD)
        packed = ctypes.create_string_buffer(block, max(1, len(block)))
        start = ctypes.addressof(memory) + len(GUARD)
        done = code(packed, len(block), start + len(before), length, start)
        at = len(GUARD) + len(before)
        assert memory.raw[:at] == GUARD + before
        assert memory.raw[at + length : -1] == GUARD
        return memory.raw[at : at + length] if done else None

    return unpack


def pack(data: bytes, before: bytes = b"", mode: str = "high_compression") -> bytes:
    return lz4.block.compress(data, mode=mode, store_size=False, dict=before)


def texts():
    draw = random.Random(11)
    words = [draw.randbytes(draw.randrange(1, 30)) for _ in range(50)]
    yield from (b"", b"x", b"ab" * 3000, bytes(70000), draw.randbytes(300), draw.randbytes(70000))
    for size in (5, 13, 100, 5000, 200000):
        text = b""
        while len(text) < size:
            text += draw.choice(words) * draw.randrange(1, 4)
        yield text


@pytest.mark.parametrize("mode", ["default", "high_compression"])
def test_what_was_packed_comes_out(unpack, mode):
    for text in texts():
        assert unpack(pack(text, mode=mode), len(text)) == text
        for cut in (1, len(text) // 2):
            before, after = text[:cut], text[cut:]
            assert unpack(pack(after, before[-65535:], mode), len(after), before) == after


def test_a_block_of_another_length_is_refused(unpack):
    text = b"a word and a word and a word and another" * 9
    block = pack(text)
    for length in (0, 1, len(text) - 1, len(text) + 1):
        assert unpack(block, length) is None
    for size in range(len(block)):
        assert unpack(block[:size], len(text)) is None


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (b"", "not even an empty sequence"),
        (b"\x10a\x00\x00\x10b", "offset 0"),
        (b"\x10a\x02\x00\x10b", "a match before the oldest byte"),
        (b"\x10a\x01", "half an offset"),
        (b"\xf0" + b"\xff" * 40, "a length without end"),
        (b"\x1fa\x01\x00" + b"\xff" * 40, "the same of a match"),
        (b"\x50a", "more literals than there are"),
    ],
)
def test_what_is_no_block_is_refused(unpack, block, why):
    assert unpack(block, 6) is None, why


def test_random_damage_stays_inside(unpack):
    """The fixture looks at the guards."""
    draw = random.Random(12)
    text = b"".join(draw.choice((b"granule", b"page", b"table")) for _ in range(400))
    block = pack(text)
    refused = 0
    for _ in range(3000):
        bad = bytearray(block)
        for _ in range(draw.randrange(1, 4)):
            bad[draw.randrange(len(bad))] = draw.getrandbits(8)
        refused += unpack(bytes(bad), len(text)) is None
    assert refused > 300
