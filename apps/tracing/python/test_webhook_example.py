"""The receiver that docs/webhooks.md shows."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "webhooks.md"
# The example of the libraries of the specification.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
TIME = 1614265330
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(TIME),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


def the_example():
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict = {}
    exec(example.group(1), names)
    return names["read_message"]


def test_a_signed_message_is_read():
    message = the_example()(HEADERS, BODY, SECRET, TIME + 299)
    assert message == {"id": HEADERS["webhook-id"], "test": 2432232314}


@pytest.mark.parametrize(
    ("change", "body", "time", "reason"),
    [
        ({}, BODY + b" ", TIME, "wrong signature"),
        ({"webhook-id": "other"}, BODY, TIME, "wrong signature"),
        ({"webhook-timestamp": str(TIME + 1)}, BODY, TIME, "wrong signature"),
        ({}, BODY, TIME + 301, "too old"),
        ({}, BODY, TIME - 301, "too old"),
    ],
)
def test_another_one_is_not(change, body, time, reason):
    with pytest.raises(ValueError, match=reason):
        the_example()({**HEADERS, **change}, body, SECRET, time)
