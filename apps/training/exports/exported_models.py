"""Models that a server has trained, and their exports as a user writes them with the command."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from heddle_client import Client
from heddle_process import COMMAND, Heddle
from programs import Answers, Tokens
from texts import CHATS, CONVERSATIONS
from transformers import AutoTokenizer

STEPS = 4
LEARNING_RATE = 5e-3


class TrainedModel:
    """A model after some gradient steps. Its weights are not those of its base model, which answers otherwise."""

    def __init__(self, heddle: Heddle, base: Path, folder: Path) -> None:
        self.heddle = heddle
        self.client = Client(heddle)
        self.base = base
        self.folder = folder
        self.id = self.client.register(f"trained-{base.name}", base.name)
        self.config = json.loads((base / "config.json").read_text())
        lines = "\n".join(json.dumps({"messages": conversation}) for conversation in CONVERSATIONS * STEPS)
        steps = self.client.fine_tune(self.id, lines, learning_rate=LEARNING_RATE, batch_size=len(CONVERSATIONS))
        assert len(steps) == STEPS

    def export(self, format: str, numbers: str) -> Path:
        """The folder of an export, which is written once."""
        out = self.folder / f"{self.base.name}-{format}-{numbers}"
        if not out.exists():
            chosen = ["--format", format, "--numbers", numbers, "--out", str(out)]
            command = ["node", COMMAND, "models", "export", self.id, "--url", self.heddle.url, *chosen]
            done = subprocess.run(command, env={**os.environ, "HEDDLE_API_KEY": self.heddle.key}, capture_output=True, timeout=180, check=False)
            assert done.returncode == 0, done.stderr.decode()
        return out

    @cached_property
    def tokenizer(self) -> Any:
        """As Transformers loads it from an export."""
        return AutoTokenizer.from_pretrained(self.export("safetensors", "f32"))

    @cached_property
    def texts(self) -> list[Tokens]:
        """Prompts as the exported tokenizer and its template make them."""
        return [self.tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=False) for chat in CHATS]

    @cached_property
    def answers(self) -> Answers:
        return self.answers_of(self.id)

    @cached_property
    def untrained(self) -> Answers:
        return self.answers_of(f"{self.id}:step0")

    def answers_of(self, model: str) -> Answers:
        body = {"model": model, "prompt": self.texts, "echo": True, "logprobs": 0, "max_tokens": 1}
        choices = self.client.call("POST", "/v1/completions", json=body)["choices"]
        return [np.array(choice["logprobs"]["token_logprobs"][1 : len(tokens)]) for choice, tokens in zip(choices, self.texts, strict=True)]
