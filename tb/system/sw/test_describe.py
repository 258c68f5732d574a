"""What the console says about a descriptor is what the golden model says."""

import ctypes
import itertools

import pytest

from model.descriptor import PLAIN
from model.geometry import geometry
from model.permissions import Hierarchy, direct
from support import host
from system.sw.host_build import BUILD, SW

VALID_PAGE, ACCESSED = 0b11, 1 << 10
USER, READ_ONLY, PXN, UXN = 1 << 6, 1 << 7, 1 << 53, 1 << 54


class Rights(ctypes.Structure):
    """struct rights of console/describe.h."""

    _fields_ = [(name, ctypes.c_bool) for name in ("read", "write", "execute")]


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    """console/describe.c, compiled for the host."""
    flags = ["-std=gnu11", "-shared", "-fPIC", f"-I{SW}", f"-I{SW}/include"]
    path = host.link(BUILD / "describe.so", *flags, SW / "console/describe.c")
    library = ctypes.CDLL(str(path))
    for name in ("kernel_rights", "user_rights"):
        getattr(library, name).restype = Rights
        getattr(library, name).argtypes = [ctypes.c_uint64]
    for name in ("rights_letters", "rights_words"):
        getattr(library, name).restype = ctypes.c_char_p
        getattr(library, name).argtypes = [Rights]
    return library


@pytest.mark.parametrize(
    "bits", list(itertools.product([0, USER], [0, READ_ONLY], [0, PXN], [0, UXN]))
)
def test_rights_are_those_of_the_model(library: ctypes.CDLL, bits: tuple[int, ...]) -> None:
    """Every combination of the four bits that decide, for both exception levels."""
    descriptor = sum(bits) | ACCESSED | VALID_PAGE
    leaf = PLAIN.leaf(descriptor, 3, geometry(12, 33))
    for el, ours in ((1, library.kernel_rights), (0, library.user_rights)):
        wanted = direct(leaf, Hierarchy(), el, pan=False, wxn=True, epan=False, dirty_managed=False)
        rights = ours(descriptor)
        assert library.rights_letters(rights).decode() == str(wanted)
        words = library.rights_words(rights).decode()
        for letter, verb in zip("rwx", ("read", "write", "execute"), strict=True):
            assert (verb in words) == (letter in str(wanted))
