import type { ChildCall } from './child-call.ts'
import { scoreName } from './score-name.ts'
import { isScorer } from './is-scorer.ts'

/** True for a scorer that has returned something, under a name that is not among the keys of the scores: it may be a late score. */
export function mayBeLate(child: Omit<ChildCall, 'output'>, keys: readonly string[]): boolean {
  return !child.failed && child.ended_micros !== null && isScorer(child) && !keys.includes(scoreName(child))
}

/**
 * Scores that scorers returned after the predict-and-score call had ended: name and JSON text, in the order of their start. Scorers that failed or
 * have not returned yet are omitted. If several have one name, the first counts.
 */
export function findLateScores(keys: readonly string[], children: readonly ChildCall[]): Map<string, string> {
  const late = new Map<string, string>()
  for (const child of children) {
    if (child.output === 'null' || !mayBeLate(child, keys)) continue
    const name = scoreName(child)
    if (!late.has(name)) late.set(name, child.output)
  }
  return late
}
