"""What is in the archive, as SPDX 2.3: every file with its licence and checksum. The same from run
to run: it says nothing of the day or the machine."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

LICENCE = "Apache-2.0"
# Folders of the repository with another one, as LICENSE says.
OTHERS = {"sw/linux/patches": "GPL-2.0-only"}
EPOCH = "1970-01-01T00:00:00Z"  # SPDX wants a date; the archive has none


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sums(folder: Path) -> str:
    """For sha256sum -c."""
    return "".join(f"{checksum(path)}  {path.relative_to(folder)}\n" for path in files(folder))


def licence(name: str) -> str:
    """Of a file of ours, by its path in the repository."""
    return next((o for folder, o in OTHERS.items() if Path(name).is_relative_to(folder)), LICENCE)


def document(name: str, version: str, folder: Path, licences: Mapping[str, str]) -> dict:
    listed = [
        {
            "fileName": f"./{path.relative_to(folder)}",
            "SPDXID": f"SPDXRef-File-{number}",
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": hashlib.sha1(path.read_bytes()).hexdigest()},
                {"algorithm": "SHA256", "checksumValue": checksum(path)},
            ],
            "licenseConcluded": licences.get(
                at := str(path.relative_to(folder)), licence(at)
            ),
            "copyrightText": "NOASSERTION",
        }
        for number, path in enumerate(files(folder))
    ]
    inside = "".join(sorted(f["checksums"][0]["checksumValue"] for f in listed))
    package = {
        "name": name,
        "SPDXID": "SPDXRef-Package",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": True,
        "packageVerificationCode": {
            "packageVerificationCodeValue": hashlib.sha1(inside.encode()).hexdigest()
        },
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
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{checksum_of(inside)}",
        "creationInfo": {"created": EPOCH, "creators": ["Organization: Granule"]},
        "documentDescribes": ["SPDXRef-Package"],
        "packages": [package],
        "files": listed,
    }


def checksum_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
