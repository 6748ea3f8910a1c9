import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsageError } from '../../terminal/usage-error.ts'
import { parseAbsoluteRule, parseChangeRule } from './parse-rule.ts'

test.each([
  ['--min', 'exact.match>=0.8', 'exact.match', '>=', 0.8],
  ['--min', ' quality > -1.5e-2 ', 'quality', '>', -0.015],
  ['--max', 'model_latency_seconds<=2', 'model_latency_seconds', '<=', 2],
  ['--max', 'a scorer, with = and spaces<.5', 'a scorer, with = and spaces', '<', 0.5],
] as const)('%s %j is a bound on %j', (flag, text, measure, comparator, bound) => {
  expect(parseAbsoluteRule(flag, text)).toEqual({ kind: 'absolute', text: text.trim(), measure, comparator, bound })
})

test('a change is a score and a number from 0', () => {
  expect(parseChangeRule('--max-drop', 'exact.match=0.02')).toEqual({
    kind: 'drop',
    text: '--max-drop exact.match=0.02',
    measure: 'exact.match',
    limit: 0.02,
  })
  expect(parseChangeRule('--max-rise', 'total_tokens = 10')).toMatchObject({ kind: 'rise', measure: 'total_tokens', limit: 10 })
})

test.each(['', 'exact', '>=0.8', 'exact>=', 'exact>=80%', 'exact>=0x1', 'exact>=1e999', 'exact<=0.8', 'exact=0.8', 'exact>=0.8>'])(
  '--min %j is refused with the form',
  (text) => {
    const message = `--min must be "<score>>=<number>" or "<score>><number>", got ${JSON.stringify(text)}`
    expect(() => parseAbsoluteRule('--min', text)).toThrow(new UsageError(message))
  },
)

test.each(['exact', 'exact=', '=0.1', 'exact=-0.1', 'exact=2%'])('--max-drop %j is refused with the form', (text) => {
  const message = `--max-drop must be "<score>=<number>" with a number from 0, got ${JSON.stringify(text)}`
  expect(() => parseChangeRule('--max-drop', text)).toThrow(new UsageError(message))
})

test('whatever a score is called, its rule is read', () => {
  const name = fc.string({ unit: fc.constantFrom('a', '.', ' ', '=', '-', '0', 'é'), minLength: 1 }).map((text) => `x${text}x`)
  fc.assert(
    fc.property(name, fc.double({ noNaN: true, noDefaultInfinity: true }), (measure, bound) => {
      expect(parseAbsoluteRule('--min', `${measure}>=${bound}`)).toMatchObject({ measure, bound: Object.is(bound, -0) ? 0 : bound })
    }),
  )
})
