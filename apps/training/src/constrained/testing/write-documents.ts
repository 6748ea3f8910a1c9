import { compileConstraint, followConstraint } from '../token-constraint.ts'
import { writeText } from './follow.ts'
import { mixedTexts, textOf, vocabularyOf } from './vocabularies.ts'

const vocabulary = vocabularyOf(mixedTexts)
const codesOf = (texts: string) => [...texts].map((text) => text.codePointAt(0)!)
const closing = codesOf('"}]')
const letters = codesOf('abcx019')
const spaces = new Set(codesOf(' \n\r\t'))

/** Documents that are decoded under a schema by choices that are the same each time; those without an end within some thousand tokens are left out. */
export function writeDocuments(schema: unknown, count: number): unknown[] {
  const compiled = compileConstraint(vocabulary, { kind: 'json-schema', schema })
  return Array.from({ length: count }, (_, seed) => {
    const random = randomOf(seed + 1)
    const pick = (from: readonly number[]) => from[random(from.length)]!
    const choose = (allowed: number[], canEnd: boolean, step: number) => {
      if (canEnd && random(2) === 0) return null
      const likely = (of: readonly number[]) => of.filter((code) => allowed.includes(code))
      const ends = likely(closing)
      if (ends.length > 0 && random(400) < Math.min(step, 200)) return pick(ends)
      const text = likely(letters)
      if (text.length > 0 && random(2) === 0) return pick(text)
      const dense = allowed.filter((token) => !spaces.has(token))
      return pick(dense.length === 0 ? allowed : dense)
    }
    const tokens = writeText(followConstraint(compiled, []), vocabulary.size, choose, 8_000)
    return tokens === null ? [] : [JSON.parse(textOf(vocabulary, tokens)) as unknown]
  }).flat()
}

/** Whole numbers below a bound, by a linear congruence. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % below
  }
}
