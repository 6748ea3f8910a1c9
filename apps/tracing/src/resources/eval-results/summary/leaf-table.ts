import { tooLarge } from '@heddle/core-api/internal'
import { leavesOf, type ScoreLeaf } from './score-leaves.ts'

/** A value in the output of a scorer, by its place. */
export type Dimension = Pick<ScoreLeaf, 'scorer_key' | 'path'>

/** Kinds of leaves, as they are stored beside their numbers. */
export const leafKinds = { text: 0, boolean: 1, number: 2 } as const

/** Different places in the outputs of scorers of one evaluation. */
const maxDimensions = 50_000
/** Leaves of one evaluation. */
const maxLeaves = 20_000_000

/** The leaves of all trials of one evaluation, in flat lists: a million take 16 MB. */
export interface LeafTable {
  dimensions: readonly Dimension[]
  /** Takes the scores of a trial in place of what it had. @throws 413 for too many leaves or places. */
  set(trial: number, scores: Record<string, unknown>): void
  /** Bytes of memory, by estimate. */
  bytes(): number
  /** Tells each leaf of a trial, in their order. A boolean is 1 or 0, a text 0. */
  visit(trial: number, see: (dimension: number, kind: number, value: number) => void): void
}

export function createLeafTable(trials: number): LeafTable {
  const dimensions: Dimension[] = []
  const ids = new Map<string, number>()
  const starts = new Int32Array(trials)
  const counts = new Int32Array(trials)
  /** Dimension times four, and the kind. */
  const places: number[] = []
  const numbers: number[] = []

  function idOf({ scorer_key, path }: Dimension): number {
    const name = path === null ? scorer_key : `${scorer_key}\0${path}`
    const known = ids.get(name)
    if (known !== undefined) return known
    if (dimensions.length === maxDimensions) throw tooManyValues(`${maxDimensions} different values`)
    ids.set(name, dimensions.length)
    return dimensions.push({ scorer_key, path }) - 1
  }

  return {
    dimensions,
    set(trial, scores) {
      starts[trial] = places.length
      for (const leaf of leavesOf(scores)) {
        const kind = typeof leaf.value === 'boolean' ? leafKinds.boolean : leaf.value === 'text' ? leafKinds.text : leafKinds.number
        places.push(idOf(leaf) * 4 + kind)
        numbers.push(leaf.value === 'text' ? 0 : Number(leaf.value))
      }
      counts[trial] = places.length - starts[trial]!
      if (places.length > maxLeaves) throw tooManyValues(`${maxLeaves} values`)
    },
    bytes: () => places.length * 16 + trials * 8 + dimensions.length * 200,
    visit(trial, see) {
      const start = starts[trial] ?? 0
      const end = start + (counts[trial] ?? 0)
      for (let at = start; at < end; at++) see(places[at]! >> 2, places[at]! & 3, numbers[at]!)
    },
  }
}

function tooManyValues(values: string) {
  return tooLarge(`The scores of an evaluation have more than ${values}: ask without include_summary`)
}
