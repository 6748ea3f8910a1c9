"""Requests made up from the server's own OpenAPI document, good ones and bad ones: no operation fails, and none answers in a way it does not say.

Each operation gets its share of `HEDDLE_TEST_REQUESTS` requests, by default few of them; the full count is 20000.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance
from started_server import API_KEY, SERVER_URL

DOCUMENT = Path(__file__).parents[3] / "packages" / "core-api" / "openapi" / "tracing.json"
# One that a slow server may take; a longer wait is a hang.
ANSWER_LIMIT_SECONDS = 60
USUAL_REQUESTS = 500



def without_equal_tuples(schema: Any) -> Any:
    """The same with lists of equal parts in place of tuples of equal parts, which schemathesis now and then writes in an older form and then refuses."""
    if isinstance(schema, list):
        return [without_equal_tuples(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: without_equal_tuples(value) for key, value in schema.items()}
    parts = whole.get("prefixItems")
    if not isinstance(parts, list) or any(part != parts[0] for part in parts) or whole.get("items") is not False:
        return whole
    return {**{key: value for key, value in whole.items() if key != "prefixItems"}, "items": parts[0]}


config = SchemathesisConfig.from_dict({"generation": {"mode": "all", "allow-x00": True}})
document = schemathesis.openapi.from_dict(without_equal_tuples(json.loads(DOCUMENT.read_text(encoding="utf-8"))), config=config)
operations = sum(1 for _ in document.get_all_operations())
requests_of_operation = max(5, int(os.environ.get("HEDDLE_TEST_REQUESTS", USUAL_REQUESTS)) // operations)
session = requests.Session()


@document.parametrize()
@settings(
    max_examples=requests_of_operation,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_the_document_names(case: Case) -> None:
    response = case.call(base_url=SERVER_URL, session=session, headers={"Authorization": f"Bearer {API_KEY}"}, timeout=ANSWER_LIMIT_SECONDS)
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    case.validate_response(response, checks=checks)
