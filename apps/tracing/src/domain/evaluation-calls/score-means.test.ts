import { JsonNumber } from '@heddle/json'
import { expect, test } from 'vitest'
import { createScoreMeans } from './score-means.ts'

const meansOf = (...outputs: unknown[]) => {
  const means = createScoreMeans()
  for (const output of outputs) means.add(output)
  return means.toMeans()
}
const scores = (value: object) => ({ scores: value })

test.each([
  ['no trials', [], {}],
  ['numbers', [scores({ a: 1 }), scores({ a: 2 })], { a: { mean: 1.5 } }],
  ['numbers as they were written', [scores({ a: new JsonNumber('1.0') }), scores({ a: 2 })], { a: { mean: 1.5 } }],
  ['booleans', [scores({ a: true }), scores({ a: false })], { a: { mean: 0.5 } }],
  ['values of other types', [scores({ a: '1', b: null, c: { d: 1 }, e: [1] })], {}],
  ['a name that only some trials have', [scores({ a: 4 }), scores({ b: 1 }), scores({ a: 'x' })], { a: { mean: 4 }, b: { mean: 1 } }],
  ['outputs', [{ output: 1 }, { output: true }, { output: 'x' }], { output: { mean: 1 } }],
  ['outputs over a scorer of that name', [{ output: 1, scores: { output: 5 } }], { output: { mean: 1 } }],
  ['a scorer called output, without outputs', [scores({ output: 5 })], { output: { mean: 5 } }],
  [
    'latencies that were measured',
    [{ model_latency: { mean: 2 } }, { model_latency: { mean: 4 } }, { model_latency: { mean: 0 } }],
    { model_latency: { mean: 3 } },
  ],
  [
    'a scorer called model_latency over latencies',
    [{ model_latency: { mean: 2 }, scores: { model_latency: 5 } }],
    { model_latency: { mean: 5 } },
  ],
  ['latencies of other forms', [{ model_latency: 2 }, { model_latency: { mean: '2' } }, { model_latency: { mean: -1 } }], {}],
  ['a value that is not an object', [null, 3, [scores({ a: 1 })], { scores: [1] }], {}],
  ['a number beyond the range', [scores({ a: new JsonNumber('1e400') }), scores({ a: 1 })], { a: { mean: 1 } }],
  ['a sum beyond the range', [scores({ a: 1e308, b: 1 }), scores({ a: 1e308 })], { b: { mean: 1 } }],
])('%s', (_, outputs, means) => {
  expect(meansOf(...outputs)).toEqual(means)
})

test('a scorer may have any name', () => {
  const means = meansOf(JSON.parse('{"scores":{"__proto__":3}}'))
  expect(Object.entries(means)).toEqual([['__proto__', { mean: 3 }]])
})
