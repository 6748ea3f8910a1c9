"""Which tests a version of the client can run."""

from __future__ import annotations

import pytest
import weave
from weave.trace.weave_client import WeaveClient


def needs(method: str, of: type = WeaveClient) -> pytest.MarkDecorator:
    """Leaves a test out, by the name of what is missing, with a client that has no such method."""
    return pytest.mark.skipif(not hasattr(of, method), reason=f"weave {weave.__version__} has no {method}")


def since(version: str, reason: str) -> pytest.MarkDecorator:
    """Leaves a test out with a client older than a version, which behaves otherwise."""
    return pytest.mark.skipif(numbers(weave.__version__) < numbers(version), reason=f"weave {weave.__version__} {reason}")


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
