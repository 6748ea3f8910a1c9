"""Compares chat templates with what Transformers makes of them; needs no server."""

import os

# Nothing is looked for on a hub.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
