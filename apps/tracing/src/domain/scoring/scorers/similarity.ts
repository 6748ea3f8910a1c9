import type { JsonObject } from '@heddle/core-api'
import { asText, checkLength } from '../subject.ts'
import { comparedParts, type Judge, readSettings } from './settings.ts'

/** Characters of a text that is compared. */
const maxLength = 200_000

type Counts = ReadonlyMap<string, number>

/**
 * `{"similarity": 0…1, "match": boolean}` without embeddings: `cosine` of the counts of words, `jaccard` of the sets of words, or `trigram`,
 * the cosine of the counts of three characters, for languages without spaces. A match from `threshold` (default 0.7) on.
 */
export function similarity(value: JsonObject): Judge {
  const settings = readSettings(value)
  const parts = comparedParts(settings)
  const method = settings.oneOf('method', ['cosine', 'jaccard', 'trigram'], 'cosine')
  const threshold = settings.number('threshold', 0.7)
  const toTokens = method === 'trigram' ? trigramsOf : wordsOf
  const toCounts = (part: unknown) => countsOf(toTokens(checkLength(asText(part), maxLength).toLowerCase()))
  const compare = method === 'jaccard' ? jaccard : cosine
  return (subject) => {
    const { actual, expected } = parts(subject)
    const found = compare(toCounts(actual), toCounts(expected))
    return { similarity: found, match: found >= threshold }
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

function trigramsOf(text: string): string[] {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  if (characters.length < 3) return characters.length === 0 ? [] : [characters.join('')]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}

function countsOf(tokens: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

/** 1 for two empty texts, 0 for an empty and another one. */
function cosine(left: Counts, right: Counts): number {
  if (left.size === 0 || right.size === 0) return left.size === right.size ? 1 : 0
  let product = 0
  for (const [token, count] of left) product += count * (right.get(token) ?? 0)
  const length = (counts: Counts) => Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0))
  // Rounding may lead a little beyond 1.
  return Math.min(1, product / (length(left) * length(right)))
}

function jaccard(left: Counts, right: Counts): number {
  const shared = [...left.keys()].filter((token) => right.has(token)).length
  const all = left.size + right.size - shared
  return all === 0 ? 1 : shared / all
}
