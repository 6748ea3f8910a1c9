"""The server that `npm run test:python` has started for a suite."""

from __future__ import annotations

import os

import pytest

SERVER_URL = os.environ.get("HEDDLE_TEST_URL", "")
API_KEY = os.environ.get("HEDDLE_TEST_API_KEY", "")
if not SERVER_URL or not API_KEY:
    pytest.exit("HEDDLE_TEST_URL and HEDDLE_TEST_API_KEY are not set: run these tests with `npm run test:python`.", returncode=2)
