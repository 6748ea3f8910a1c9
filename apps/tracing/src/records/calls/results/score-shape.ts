import { leavesOf, type ScoreLeaf } from './score-leaves.ts'

/** A value in the output of a scorer, by its position. */
export type Dimension = Pick<ScoreLeaf, 'scorer_key' | 'path'>
export type LeafKind = 'boolean' | 'number' | 'text'

/** Where scores have values, and of which kinds: equal for most trials of an evaluation. */
export interface ScoreShape {
  /** All keys of the scores, in their order. */
  keys: readonly string[]
  /** Position and kind of each value, in their order. */
  leaves: readonly (Dimension & { kind: LeafKind })[]
}

/** Represents the shape of scores with more values, or with a longer text. */
const tooLargeShape = '*'
const maxLeaves = 1_000
const maxLength = 20_000

export interface ShapedScores {
  score_shape: string
  /** In the order of the leaves: a boolean is 1 or 0, a text 0. */
  score_values: number[]
}

/** Splits scores into their shape, as text, and their values. */
export function shapeScores(scores: Record<string, unknown>): ShapedScores {
  const leaves: [string, string | null, LeafKind][] = []
  const score_values: number[] = []
  for (const { scorer_key, path, value } of leavesOf(scores)) {
    if (leaves.length === maxLeaves) return { score_shape: tooLargeShape, score_values: [] }
    leaves.push([scorer_key, path, kindOf(value)])
    score_values.push(value === 'text' ? 0 : Number(value))
  }
  const score_shape = JSON.stringify([Object.keys(scores), leaves])
  return score_shape.length > maxLength ? { score_shape: tooLargeShape, score_values: [] } : { score_shape, score_values }
}

/** Reads a shape; undefined for that of too many values. */
export function readScoreShape(text: string): ScoreShape | undefined {
  if (text === tooLargeShape) return undefined
  const [keys, leaves] = JSON.parse(text) as [string[], [string, string | null, LeafKind][]]
  return { keys, leaves: leaves.map(([scorer_key, path, kind]) => ({ scorer_key, path, kind })) }
}

export function kindOf(value: ScoreLeaf['value']): LeafKind {
  if (value === 'text') return 'text'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}
