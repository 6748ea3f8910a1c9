"""
Records what TRL computes for on-policy distillation: the generalized Jensen-Shannon divergence of GKD with beta 1, which is the reverse KL divergence of
student and teacher, and its gradient by the student's logits. The objective here has only the log-probability of a sampled token, so its test takes the
expectation over all tokens.

Run with torch 2.15 and trl 1.16 in this folder: python gkd.py
"""

import json
from pathlib import Path

import torch
from trl.experimental.gkd import GKDTrainer

VOCABULARY = 6
CASES = [{"name": "usual", "spread": 1.0, "seed": 0}, {"name": "far apart", "spread": 4.0, "seed": 1}, {"name": "equal", "spread": 0.0, "seed": 2}]


def record(case: dict) -> dict:
    generator = torch.Generator().manual_seed(case["seed"])
    student = torch.randn(1, 1, VOCABULARY, generator=generator, dtype=torch.float64)
    teacher = student + case["spread"] * torch.randn(1, 1, VOCABULARY, generator=generator, dtype=torch.float64)
    student.requires_grad_()
    loss = GKDTrainer.generalized_jsd_loss(student, teacher, beta=1, reduction="sum")
    (gradient,) = torch.autograd.grad(loss, student)
    return {
        "name": case["name"],
        "student": student.detach().flatten().tolist(),
        "teacher": teacher.flatten().tolist(),
        "expect": {"loss": loss.item(), "gradient": gradient.flatten().tolist()},
    }


vectors = {"cases": [record(case) for case in CASES]}
(Path(__file__).parent / "gkd.json").write_text(json.dumps(vectors) + "\n")
