import { compareCodePoints } from '@heddle/json'
import type { EvalScorerStats } from '@heddle/core-api/types'
import { tooLarge } from '@heddle/core-api/internal'
import type { Dimension, LeafKind } from '../../../records/calls/results/score-shape.ts'

/** Most different paths in the outputs of scorers of one evaluation. */
const maxDimensions = 50_000

/** Where a value was first seen. */
interface FirstOccurrence {
  /** Sorts trials in the order of the digests of their rows. */
  trial: string
  /** Index among the values of the trial. */
  at: number
}

/** Values of one kind at one path. */
export interface CountedValues {
  trials: number
  sum: number
  first: FirstOccurrence
}

/** Statistics of the scores of one evaluation. */
export interface ScoreTotals {
  /** In any order. @throws 413 for too many paths */
  add(leaf: Dimension & { kind: LeafKind }, values: CountedValues): void
  /** In the order of the first occurrence of the paths. */
  finish(): EvalScorerStats[]
}

interface Totals extends Dimension {
  first: FirstOccurrence
  firstKind: LeafKind
  trials: number
  numbers: number
  sum: number
  passes: number
  known: number
}

export function createScoreTotals(): ScoreTotals {
  const found = new Map<string, Totals>()

  function totalsOf({ scorer_key, path }: Dimension, first: FirstOccurrence, firstKind: LeafKind): Totals {
    const name = path === null ? scorer_key : `${scorer_key}\0${path}`
    const known = found.get(name)
    if (known !== undefined) return known
    if (found.size === maxDimensions)
      throw tooLarge(`The scores of an evaluation have more than ${maxDimensions} different values: ask without include_summary`)
    const totals: Totals = { scorer_key, path, first, firstKind, trials: 0, numbers: 0, sum: 0, passes: 0, known: 0 }
    found.set(name, totals)
    return totals
  }

  return {
    add({ kind, ...dimension }, { trials, sum, first }) {
      const totals = totalsOf(dimension, first, kind)
      if (compareSeen(first, totals.first) < 0) Object.assign(totals, { first, firstKind: kind })
      totals.trials += trials
      if (kind === 'number') {
        totals.numbers += trials
        totals.sum += sum
      } else if (kind === 'boolean') {
        totals.known += trials
        totals.passes += sum
      }
    },
    finish: () => [...found.values()].sort((one, other) => compareSeen(one.first, other.first)).map(toStats),
  }
}

function compareSeen(one: FirstOccurrence, other: FirstOccurrence): number {
  return compareCodePoints(one.trial, other.trial) || one.at - other.at
}

function toStats({ scorer_key, path, firstKind, trials, numbers, sum, passes, known }: Totals): EvalScorerStats {
  return {
    scorer_key,
    path,
    value_type: valueTypes[firstKind],
    trial_count: trials,
    numeric_count: numbers,
    numeric_mean: share(sum, numbers),
    pass_true_count: passes,
    pass_known_count: known,
    pass_rate: share(passes, known),
    pass_signal_coverage: share(known, trials),
  }
}

const valueTypes: Readonly<Record<LeafKind, EvalScorerStats['value_type']>> = { boolean: 'binary', number: 'continuous', text: 'text' }

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
