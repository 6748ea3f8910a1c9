import { isJsonNumber } from '@heddle/json/exact'

/** A text that a scorer returned in addition to its numbers, such as its reason. */
export interface ScoreReason {
  /** Name of the scorer and, with a dot before each, the keys inside its output. */
  name: string
  text: string
}

/** The texts in the scores of a trial, at any depth, in their order. Lists hold none. */
export function scoreReasons(scores: Readonly<Record<string, unknown>>, before = ''): ScoreReason[] {
  return Object.entries(scores).flatMap(([key, value]) => {
    const name = before + key
    if (typeof value === 'string') return value.trim() === '' ? [] : [{ name, text: value }]
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
    return isObject ? scoreReasons(value as Record<string, unknown>, `${name}.`) : []
  })
}
