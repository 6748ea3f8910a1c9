import type { JsonObject } from '@heddle/core-api'
import { distance } from 'fastest-levenshtein'
import { asText, checkLength } from '../subject.ts'
import { comparedParts, type Judge, readSettings } from './settings.ts'

/** Characters of a text that is compared. */
const maxLength = 20_000

/**
 * `{"similarity": 0…1, "match": boolean}`: 1 minus the Levenshtein distance over the length of the longer text; a match from `threshold`
 * (default 0.8) on.
 */
export function fuzzyMatch(value: JsonObject): Judge {
  const settings = readSettings(value)
  const parts = comparedParts(settings)
  const threshold = settings.number('threshold', 0.8)
  const ignoresCase = settings.flag('ignore_case', false)
  const toText = (part: unknown) => {
    const text = checkLength(asText(part), maxLength)
    return ignoresCase ? text.toLowerCase() : text
  }
  return (subject) => {
    const { actual, expected } = parts(subject)
    const [left, right] = [toText(actual), toText(expected)]
    const longest = Math.max(left.length, right.length)
    const similarity = longest === 0 ? 1 : 1 - distance(left, right) / longest
    return { similarity, match: similarity >= threshold }
  }
}
