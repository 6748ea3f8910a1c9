import { sum } from '../../../lib/sum.ts'
import { classValues, type ScoredRow } from './class-values.ts'

/** Different values of a score; one with more is free text. */
export const maxClasses = 20
/** Most characters of a value; a score with a longer one is free text, such as a reason. */
export const maxClassCharacters = 60
/** Scores of which classes are counted. */
const maxScores = 1_000

/** How often one run has each class of a score. */
export interface ClassCounts {
  /** Trials of each class, in the order of the classes. */
  counts: readonly number[]
  /** Trials that have a class. */
  withValue: number
  /** All trials of the run. */
  trials: number
}

/** A score whose values are a few texts, or true and false. */
export interface ClassScore {
  name: string
  /** True before false; else the most frequent in all runs first. */
  classes: readonly string[]
  /** In the order of the runs. */
  runs: readonly ClassCounts[]
}

export interface ClassScores {
  /** In the order in which they first occur. */
  scores: readonly ClassScore[]
  /** Names of scores whose texts are too long or too many to be classes. */
  freeTexts: readonly string[]
}

type CountsByClass = Map<string, number[]>

/** Counts the classes of each score in the trials of the rows. `runs`: how many columns the rows have. */
export function classScores(rows: readonly ScoredRow[], runs: number): ClassScores {
  const counted = new Map<string, CountsByClass | undefined>()
  const trials = Array.from({ length: runs }, () => 0)
  for (const { cells } of rows)
    for (const [run, cell] of cells.entries()) {
      trials[run]! += cell?.trials.length ?? 0
      for (const { scores } of cell?.trials ?? [])
        for (const { name, value } of classValues(scores)) count(counted, { name, value, run, runs })
    }
  const found = [...counted]
  return {
    scores: found.flatMap(([name, classes]) => (classes ? [toScore(name, classes, trials)] : [])),
    freeTexts: found.flatMap(([name, classes]) => (classes ? [] : [name])),
  }
}

/** Undefined marks free text, which is not counted any further. */
function count(
  counted: Map<string, CountsByClass | undefined>,
  { name, value, run, runs }: { name: string; value: string; run: number; runs: number },
) {
  if (!counted.has(name)) {
    if (counted.size === maxScores) return
    counted.set(name, new Map())
  }
  const classes = counted.get(name)
  if (!classes) return
  const known = classes.get(value)
  if (known) known[run]!++
  else if (classes.size === maxClasses || value.length > maxClassCharacters) counted.set(name, undefined)
  else
    classes.set(
      value,
      Array.from({ length: runs }, (_, at) => (at === run ? 1 : 0)),
    )
}

function toScore(name: string, counted: CountsByClass, trials: readonly number[]): ClassScore {
  const isBoolean = [...counted.keys()].every((value) => value === 'true' || value === 'false')
  const classes = isBoolean
    ? ['true', 'false']
    : [...counted].toSorted(([one, a], [other, b]) => sum(b) - sum(a) || (one < other ? -1 : 1)).map(([value]) => value)
  const runs = trials.map((all, run): ClassCounts => {
    const counts = classes.map((value) => counted.get(value)?.[run] ?? 0)
    return { counts, withValue: sum(counts), trials: all }
  })
  return { name, classes, runs }
}
