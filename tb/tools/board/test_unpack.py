"""The loader's LZ4 decoder (sw/loader/lz4.c) on the host: whatever a packer makes comes out again,
and a block that is none writes nothing outside of its place."""

import ctypes
import subprocess

import lz4.block
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

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


WORDS = st.lists(st.sampled_from([b"granule", b"page ", b"\0" * 40, b"table, "]) | st.binary())
TEXTS = WORDS.map(b"".join)
MODES = st.sampled_from(["default", "high_compression"])


def pack(data: bytes, before: bytes = b"", mode: str = "high_compression") -> bytes:
    return lz4.block.compress(data, mode=mode, store_size=False, dict=before)


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS, MODES)
@example(b"", bytes(70000), "high_compression")
@example(b"ab" * 40000, b"ab" * 3000 + bytes(range(256)) * 300, "high_compression")
def test_what_was_packed_comes_out(unpack, before, text, mode):
    """And what is shorter or longer than it says is refused."""
    block = pack(text, before[-65535:], mode)
    assert unpack(block, len(text), before) == text
    for length in {0, 1, len(text) - 1, len(text) + 1} - {-1, len(text)}:
        assert unpack(block, length, before) is None
    for size in {0, len(block) // 2, len(block) - 1}:
        assert unpack(block[:size], len(text), before) is None


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


@settings(max_examples=1000, deadline=None)
@given(TEXTS, st.lists(st.tuples(st.integers(0), st.integers(0, 255)), min_size=1, max_size=4))
def test_random_damage_stays_inside(unpack, text, damage):
    """The fixture looks at the guards."""
    bad = bytearray(pack(text))
    for place, byte in damage:
        bad[place % len(bad)] = byte
    unpack(bytes(bad), len(text))
