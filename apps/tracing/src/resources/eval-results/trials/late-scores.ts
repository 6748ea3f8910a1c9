import type { ChildCall } from './child-call.ts'
import { scoreName } from './score-name.ts'
import { isScorer } from './scorer-marks.ts'

/**
 * Scores that scorers returned after the predict-and-score call had: name and JSON text, in the order of their start. Scorers that failed or
 * have returned nothing yet are left out. Of several with one name the first counts.
 */
export function findLateScores(keys: readonly string[], children: readonly ChildCall[]): Map<string, string> {
  const known = new Set(keys)
  const late = new Map<string, string>()
  for (const child of children) {
    if (child.failed || child.ended_micros === null || child.output === 'null' || !isScorer(child)) continue
    const name = scoreName(child)
    if (!known.has(name) && !late.has(name)) late.set(name, child.output)
  }
  return late
}
