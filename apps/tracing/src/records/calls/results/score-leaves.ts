import { isJsonObject, numberText } from '@heddle/core-api/internal'

/** A value in the output of a scorer that statistics count: a boolean, a number or a text. */
export interface ScoreLeaf {
  scorer_key: string
  /** Keys joined with dots; null when the score is the value itself. */
  path: string | null
  /** Texts are only counted. */
  value: boolean | number | 'text'
}

/** The leaves of the scores of one trial, in their order. Null, lists and numbers beyond a double are none. */
export function* leavesOf(scores: Record<string, unknown>): Generator<ScoreLeaf> {
  for (const [scorer_key, score] of Object.entries(scores)) yield* leavesBelow({ scorer_key, path: null }, score)
}

function* leavesBelow(place: Pick<ScoreLeaf, 'scorer_key' | 'path'>, value: unknown): Generator<ScoreLeaf> {
  if (typeof value === 'boolean') yield { ...place, value }
  else if (typeof value === 'string') yield { ...place, value: 'text' }
  else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      yield* leavesBelow({ ...place, path: place.path === null ? key : `${place.path}.${key}` }, member)
    }
  } else {
    const number = Number(numberText(value))
    if (Number.isFinite(number)) yield { ...place, value: number }
  }
}
