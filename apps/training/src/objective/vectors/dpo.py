"""
Records what TRL computes for direct preference optimization: loss, its gradient and the rewards, from given log-probabilities. Losses with smoothed
labels, which TRL no longer has, are written out in torch as conservative DPO (Mitchell 2023) states them.

Run with torch 2.15 and trl 1.16 in this folder: python dpo.py
"""

import json
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from trl import DPOTrainer

CASES = [
    {"name": "usual", "beta": 0.1, "label_smoothing": 0.0, "spread": 1.0},
    {"name": "strong", "beta": 0.5, "label_smoothing": 0.0, "spread": 3.0},
    {"name": "far from the reference", "beta": 2.0, "label_smoothing": 0.0, "spread": 40.0},
    {"name": "smoothed", "beta": 0.3, "label_smoothing": 0.2, "spread": 2.0},
]
PAIRS = 3
LENGTH = 7


def trainer(beta: float) -> SimpleNamespace:
    gather = lambda value: value
    return SimpleNamespace(
        model=SimpleNamespace(training=False),
        accelerator=SimpleNamespace(device="cpu", gather=gather, gather_for_metrics=gather),
        aux_loss_enabled=False,
        ld_alpha=None,
        precompute_ref_logps=True,
        f_divergence_type="reverse_kl",
        loss_types=["sigmoid"],
        loss_weights=[1.0],
        label_smoothing=0.0,
        beta=beta,
        use_weighting=False,
        _metrics={"eval": defaultdict(list)},
        _total_train_tokens=0,
    )


def record(case: dict, seed: int) -> dict:
    generator = torch.Generator().manual_seed(seed)
    draw = lambda: -case["spread"] * torch.rand(2 * PAIRS, LENGTH, generator=generator, dtype=torch.float64)
    now, reference = draw().requires_grad_(), draw()
    # Completions begin after prompts of one to three tokens, and end one token early in every second sequence.
    mask = torch.tensor([[1 if 1 + row % 3 <= at < LENGTH - row % 2 else 0 for at in range(LENGTH)] for row in range(2 * PAIRS)])
    ref_chosen, ref_rejected = (reference * mask).sum(dim=1).chunk(2)
    zeros = torch.zeros_like(now)
    outputs = SimpleNamespace(log_probs=now * mask, entropy=zeros, mean_logits=zeros, is_top1=zeros.bool())
    # TRL shifts masks by one: what it gives the model has a token before.
    inputs = {
        "input_ids": torch.zeros(2 * PAIRS, LENGTH + 1, dtype=torch.long),
        "attention_mask": torch.ones(2 * PAIRS, LENGTH + 1),
        "completion_mask": F.pad(mask, (1, 0)),
        "ref_chosen_logps": ref_chosen,
        "ref_rejected_logps": ref_rejected,
    }
    stub = trainer(case["beta"])
    loss = DPOTrainer._compute_loss(stub, lambda **_: outputs, inputs, False)
    smoothing = case["label_smoothing"]
    if smoothing > 0:
        chosen, rejected = (now * mask).sum(dim=1).chunk(2)
        h = case["beta"] * ((chosen - ref_chosen) - (rejected - ref_rejected))
        loss = (-(1 - smoothing) * F.logsigmoid(h) - smoothing * F.logsigmoid(-h)).mean()
    (gradient,) = torch.autograd.grad(loss, now)
    metrics = {name: values[0] for name, values in stub._metrics["eval"].items() if name.startswith("rewards/")}
    return {
        **{key: case[key] for key in ("name", "beta", "label_smoothing")},
        "now": now.detach().tolist(),
        "reference": reference.tolist(),
        "mask": mask.tolist(),
        "expect": {"loss": loss.item(), "gradient": gradient.tolist(), "metrics": metrics},
    }


vectors = {"pairs": PAIRS, "cases": [record(case, seed) for seed, case in enumerate(CASES)]}
(Path(__file__).parent / "dpo.json").write_text(json.dumps(vectors) + "\n")
