import type { JsonObject } from '@heddle/core-api'
import { canonicalJson } from '@heddle/json'
import { comparedParts, type Judge, readSettings } from './settings.ts'

/**
 * `{"match": boolean}`: whether the output equals the expected value. Texts are compared as texts, ignoring case or surrounding white space if
 * `ignore_case` and `trim` are set; other values as JSON, whatever the order of keys.
 */
export function exactMatch(value: JsonObject): Judge {
  const settings = readSettings(value)
  const parts = comparedParts(settings)
  const [ignoresCase, trims] = [settings.flag('ignore_case', false), settings.flag('trim', false)]
  const normalize = (part: unknown) => {
    if (typeof part !== 'string') return canonicalJson(part ?? null)
    const text = trims ? part.trim() : part
    return canonicalJson(ignoresCase ? text.toLowerCase() : text)
  }
  return (subject) => {
    const { actual, expected } = parts(subject)
    return { match: normalize(actual) === normalize(expected) }
  }
}
