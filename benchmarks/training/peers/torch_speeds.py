"""Tokens a second of PyTorch on this CPU: the same models, batches and optimizer as the embedded engine is measured with.

Reads `{"presets": [...], "threads": [...], "rounds": n, "clock": "wall" or "processor"}` from standard input, and writes a list of speeds in tokens a second.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

Preset = dict[str, Any]
ADAPTER_RANK = 8
PROMPT_TOKENS = 8


class Linear(nn.Module):
    """A linear layer, with a low-rank adapter on frozen weights where one is trained."""

    def __init__(self, into: int, out: int, has_adapter: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out, into) * into**-0.5, requires_grad=not has_adapter)
        self.down = nn.Parameter(torch.randn(ADAPTER_RANK, into) * into**-0.5) if has_adapter else None
        self.up = nn.Parameter(torch.zeros(out, ADAPTER_RANK)) if has_adapter else None

    def forward(self, x: Tensor) -> Tensor:
        y = functional.linear(x, self.weight)
        if self.down is None or self.up is None:
            return y
        return y + 2.0 * functional.linear(functional.linear(x, self.down), self.up)


class Layer(nn.Module):
    def __init__(self, config: Preset, has_adapter: bool) -> None:
        super().__init__()
        width, inner, own = config["width"], config["feedForwardWidth"], config["heads"] * config["headWidth"]
        shared = config["keyValueHeads"] * config["headWidth"]
        self.config = config
        self.norms = nn.ParameterList([nn.Parameter(torch.ones(width), requires_grad=not has_adapter) for _ in range(2)])
        self.q, self.k, self.v = (Linear(width, out, has_adapter) for out in (own, shared, shared))
        self.o = Linear(own, width, has_adapter)
        self.gate, self.up = Linear(width, inner, has_adapter), Linear(width, inner, has_adapter)
        self.down = Linear(inner, width, has_adapter)

    def forward(self, x: Tensor, rotary: tuple[Tensor, Tensor], cache: list[Tensor] | None) -> Tensor:
        rows, length, width = x.shape
        y = functional.rms_norm(x, (width,), self.norms[0], 1e-5)
        head_width = self.config["headWidth"]
        q, k, v = (layer(y).view(rows, length, -1, head_width).transpose(1, 2) for layer in (self.q, self.k, self.v))
        q, k = rotate(q, rotary), rotate(k, rotary)
        if cache is not None:
            if cache:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
            cache[:] = [k, v]
        is_grouped = self.config["heads"] != self.config["keyValueHeads"]
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=length > 1, enable_gqa=is_grouped)
        x = x + self.o(seen.transpose(1, 2).reshape(rows, length, -1))
        y = functional.rms_norm(x, (width,), self.norms[1], 1e-5)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


def rotate(x: Tensor, rotary: tuple[Tensor, Tensor]) -> Tensor:
    first, second = x.chunk(2, -1)
    cosines, sines = rotary
    return torch.cat([first * cosines - second * sines, second * cosines + first * sines], -1)


class Llama(nn.Module):
    def __init__(self, config: Preset, has_adapter: bool = False) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Parameter(torch.randn(config["vocabularySize"], config["width"]) * 0.02, requires_grad=not has_adapter)
        self.layers = nn.ModuleList([Layer(config, has_adapter) for _ in range(config["layers"])])
        self.norm = nn.Parameter(torch.ones(config["width"]), requires_grad=not has_adapter)
        half = config["headWidth"] // 2
        angles = torch.outer(torch.arange(config["contextLength"]), 10_000.0 ** (-torch.arange(half) / half))
        self.cosines, self.sines = angles.cos(), angles.sin()

    def forward(self, tokens: Tensor, start: int = 0, caches: list[list[Tensor]] | None = None, only_last: bool = False) -> Tensor:
        x = self.embedding[tokens]
        end = start + tokens.shape[1]
        rotary = (self.cosines[start:end], self.sines[start:end])
        for at, layer in enumerate(self.layers):
            x = layer(x, rotary, caches[at] if caches is not None else None)
        if only_last:
            x = x[:, -1:]
        return functional.linear(functional.rms_norm(x, (self.config["width"],), self.norm, 1e-5), self.embedding)


def fastest(work: Callable[[], None], rounds: int, clock: Callable[[], float]) -> float:
    """Seconds of the fastest of several rounds, after one that warms up."""
    work()
    best = float("inf")
    for _ in range(rounds):
        since = clock()
        work()
        best = min(best, clock() - since)
    return best


def training(preset: Preset, rounds: int, clock: Callable[[], float], has_adapter: bool) -> float:
    model = Llama(preset["config"], has_adapter)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.0)
    rows, length = preset["sequences"], preset["length"]
    tokens = torch.tensor([[(i * 31 + row * 7) % 256 for i in range(length)] for row in range(rows)])

    def step() -> None:
        optimizer.zero_grad()
        logits = model(tokens[:, :-1])
        functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1)).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()

    return rows * length / fastest(step, rounds, clock)


@torch.inference_mode()
def reading(preset: Preset, rounds: int, clock: Callable[[], float]) -> float:
    """Tokens a second of a prompt, up to the first token after it."""
    model = Llama(preset["config"])
    prompt = torch.tensor([[(i * 31) % 256 for i in range(preset["prompt"])]])

    def read() -> None:
        caches: list[list[Tensor]] = [[] for _ in model.layers]
        torch.multinomial(model(prompt, 0, caches, only_last=True)[:, -1].softmax(-1), 1)

    return preset["prompt"] / fastest(read, rounds, clock)


@torch.inference_mode()
def sampling(preset: Preset, rounds: int, clock: Callable[[], float], streams: int) -> float:
    model = Llama(preset["config"])
    prompt = torch.arange(1, PROMPT_TOKENS + 1).repeat(streams, 1)

    def complete() -> None:
        caches: list[list[Tensor]] = [[] for _ in model.layers]
        tokens, start = prompt, 0
        for _ in range(preset["sampled"]):
            logits = model(tokens, start, caches)[:, -1]
            start += tokens.shape[1]
            tokens = torch.multinomial(logits.softmax(-1), 1)

    return streams * preset["sampled"] / fastest(complete, rounds, clock)


def main() -> None:
    asked = json.load(sys.stdin)
    rounds = asked["rounds"]
    clock = time.perf_counter if asked["clock"] == "wall" else time.process_time
    speeds = []
    for threads in asked["threads"]:
        torch.set_num_threads(threads)
        for preset in asked["presets"]:
            speeds.append(
                {
                    "preset": preset["name"],
                    "threads": threads,
                    "trainAll": training(preset, rounds, clock, has_adapter=False),
                    "trainAdapter": training(preset, rounds, clock, has_adapter=True),
                    "read": reading(preset, min(rounds, 3), clock),
                    "sample1": sampling(preset, min(rounds, 3), clock, 1),
                    "sampleMany": sampling(preset, min(rounds, 3), clock, preset["together"]),
                }
            )
    json.dump(speeds, sys.stdout)


main()
