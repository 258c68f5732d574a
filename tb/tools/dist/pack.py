"""What every archive of `make dist` has: licence, SPDX 2.3, checksums, and the same bytes each
time. Nothing in it tells the day or the machine."""

import gzip
import hashlib
import io
import json
import shutil
import tarfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

from support.root import ROOT

LICENCE = "Apache-2.0"
# Folders of the repository with another one, as LICENSE says.
OTHERS = {"sw/linux/patches": "GPL-2.0-only"}
EPOCH = "1970-01-01T00:00:00Z"  # SPDX wants a date; the archive has none


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def digest(data: bytes, kind: str = "sha256") -> str:
    return hashlib.new(kind, data).hexdigest()


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sums(folder: Path) -> str:
    """For sha256sum -c."""
    rows = ((digest(path.read_bytes()), path.relative_to(folder)) for path in files(folder))
    return "".join(f"{said}  {name}\n" for said, name in rows)


def licence(name: str) -> str:
    """Of a file of ours, by its path in the repository."""
    return next((o for folder, o in OTHERS.items() if Path(name).is_relative_to(folder)), LICENCE)


def document(name: str, version: str, folder: Path, licences: Mapping[str, str]) -> dict:
    listed = []
    for number, path in enumerate(files(folder)):
        at, data = str(path.relative_to(folder)), path.read_bytes()
        sums = [{"algorithm": kind.upper(), "checksumValue": digest(data, kind)}
                for kind in ("sha1", "sha256")]  # fmt: skip
        listed.append({
            "fileName": f"./{at}", "SPDXID": f"SPDXRef-File-{number}", "checksums": sums,
            "licenseConcluded": licences.get(at, licence(at)), "copyrightText": "NOASSERTION",
        })  # fmt: skip
    inside = "".join(sorted(f["checksums"][0]["checksumValue"] for f in listed)).encode()
    package = {
        "name": name,
        "SPDXID": "SPDXRef-Package",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": digest(inside, "sha1")},
        "licenseConcluded": " AND ".join(sorted({f["licenseConcluded"] for f in listed})),
        "licenseDeclared": LICENCE,
        "copyrightText": "NOASSERTION",
        "hasFiles": [f["SPDXID"] for f in listed],
    }
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{digest(inside)[:16]}",
        "creationInfo": {"created": EPOCH, "creators": ["Organization: Granule"]},
        "documentDescribes": ["SPDXRef-Package"],
        "packages": [package],
        "files": listed,
    }


def finish(folder: Path, name: str, licences: Mapping[str, str] | None = None) -> None:
    """`licences`: of files that are not all ours, by their path in the folder."""
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    listed = document(name, version(), folder, licences or {})
    (folder / f"{name}.spdx.json").write_text(json.dumps(listed, indent=1) + "\n")
    (folder / "SHA256SUMS").write_text(sums(folder))


def archive(folder: Path, to: Path) -> None:
    """The same bytes from the same files: names in order, no times, no owners."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in files(folder):
            entry = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder)}")
            entry.size = path.stat().st_size
            entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            tar.addfile(entry, io.BytesIO(path.read_bytes()))
    to.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
