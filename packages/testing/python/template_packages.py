"""Templates of public models, from the packages that they come in. They are fetched without what the packages need, and not kept."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

LIMIT_SECONDS = 900
# Package, version, whether only its source has the templates, and where they are in it.
PACKAGES = [
    ("trl", "1.16.0", False, "trl/chat_templates/"),
    ("axolotl", "0.19.0", False, "axolotl/utils/chat_templates/templates/"),
    ("llama-cpp-python", "0.3.36", True, "vendor/llama.cpp/models/templates/"),
]


def templates(folder):
    """Texts by a name of package and file; each text once."""
    found = {}
    for package, version, is_source, inside in PACKAGES:
        for name, text in read_archive(fetch(package, version, is_source, Path(folder) / package), inside):
            if text not in found.values():
                found[f"{package}/{name}"] = text
    return found


def read_template(package, name, folder):
    """The text of one of them."""
    for known, version, is_source, inside in PACKAGES:
        if known == package:
            return dict(read_archive(fetch(package, version, is_source, folder), inside))[name]
    raise KeyError(package)


def fetch(package, version, is_source, folder):
    kind = ["--no-binary", ":all:", "--no-build-isolation"] if is_source else ["--only-binary", ":all:"]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", *kind, "-d", str(folder), f"{package}=={version}"]
    subprocess.run(command, check=True, timeout=LIMIT_SECONDS)
    return next(folder.iterdir())


def read_archive(path, inside):
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if inside in name and name.endswith(".jinja")]
            return [(Path(name).name, archive.read(name).decode()) for name in names]
    with tarfile.open(path) as archive:
        members = [member for member in archive if inside in member.name and member.name.endswith(".jinja")]
        return [(Path(member.name).name, archive.extractfile(member).read().decode()) for member in members]
