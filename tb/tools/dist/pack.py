"""What every archive of `make dist` has: licence, SPDX, checksums, and the same bytes each time."""

import gzip
import io
import json
import shutil
import tarfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

from support.root import ROOT
from tools.dist import spdx


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def finish(folder: Path, name: str, licences: Mapping[str, str] | None = None) -> None:
    """`licences`: of files that are not all ours, by their path in the folder."""
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    document = spdx.document(name, version(), folder, licences or {})
    (folder / f"{name}.spdx.json").write_text(json.dumps(document, indent=1) + "\n")
    (folder / "SHA256SUMS").write_text(spdx.sums(folder))


def archive(folder: Path, to: Path) -> None:
    """The same bytes from the same files: names in order, no times, no owners."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in spdx.files(folder):
            entry = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder)}")
            entry.size = path.stat().st_size
            entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            tar.addfile(entry, io.BytesIO(path.read_bytes()))
    to.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
