import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../shapes/json-object.ts'
import { createToolCallJoiner, joinedCalls } from './join-tool-calls.ts'

function joined(chunks: readonly JsonObject[][]) {
  const joiner = createToolCallJoiner()
  for (const chunk of chunks) joiner.add(chunk)
  return joinedCalls(joiner).map(({ id, function: { name, arguments: given } }) => [id, name, given])
}

const first = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }
const oslo = '{"city":"Oslo"}'
const weather = ['call_1', 'weather', oslo]
const time = ['call_2', 'time', '{}']

test.each<[string, JsonObject[][], unknown[]]>([
  ['name and id once', [[{ index: 0, ...first }], [{ index: 0, function: { arguments: oslo } }]], [weather]],
  [
    'id and name that are empty later',
    [[{ index: 0, ...first }], [{ index: 0, id: '', function: { name: '', arguments: oslo } }]],
    [weather],
  ],
  [
    'id and name that are null later',
    [[{ index: 0, ...first }], [{ index: 0, id: null, function: { name: null, arguments: oslo } }]],
    [weather],
  ],
  [
    'id and name with each part',
    [
      [{ index: 0, ...first }],
      [{ index: 0, ...first, function: { name: 'weather', arguments: '{"city":' } }],
      [{ index: 0, ...first, function: { name: 'weather', arguments: '"Oslo"}' } }],
    ],
    [weather],
  ],
  ['an index that begins with 1', [[{ index: 1, ...first }], [{ index: 1, function: { arguments: oslo } }]], [weather]],
  ['no index', [[first], [{ function: { arguments: oslo } }]], [weather]],
  ['no index, and the id with each part', [[first], [{ id: 'call_1', function: { arguments: oslo } }]], [weather]],
  [
    'a name in pieces',
    [[{ index: 0, id: 'call_1', function: { name: 'wea' } }], [{ index: 0, function: { name: 'ther', arguments: oslo } }]],
    [weather],
  ],
  ['an id that comes after the name', [[{ function: { name: 'weather' } }], [{ id: 'call_1', function: { arguments: oslo } }]], [weather]],
  [
    'two calls, whose parts come by turns',
    [
      [
        { index: 1, id: 'call_2', function: { name: 'time', arguments: '{' } },
        { index: 0, ...first },
      ],
      [
        { index: 0, function: { arguments: oslo } },
        { index: 1, function: { arguments: '}' } },
      ],
    ],
    [weather, time],
  ],
  [
    'two calls without index in one chunk',
    [
      [
        { ...first, function: { name: 'weather', arguments: oslo } },
        { id: 'call_2', function: { name: 'time', arguments: '{}' } },
      ],
    ],
    [weather, time],
  ],
  [
    'two calls without index or id',
    [[{ function: { name: 'weather', arguments: oslo } }], [{ function: { name: 'time', arguments: '{}' } }]],
    [
      [undefined, ...weather.slice(1)],
      [undefined, ...time.slice(1)],
    ],
  ],
  [
    'two calls, one after the other, that both have index 0',
    [
      [{ index: 0, ...first, function: { name: 'weather', arguments: oslo } }],
      [{ index: 0, id: 'call_2', function: { name: 'time', arguments: '{}' } }],
    ],
    [weather, time],
  ],
  [
    'one call whose id changes with each part',
    [
      [{ index: 0, ...first }],
      [{ index: 0, id: 'x', function: { name: 'weather', arguments: '{"city":' } }],
      [{ index: 0, id: 'call_1', function: { arguments: '"Oslo"}' } }],
    ],
    [weather],
  ],
  ['arguments as an object', [[{ index: 0, ...first, function: { name: 'weather', arguments: { city: 'Oslo' } } }]], [weather]],
])('%s', (_, chunks, expected) => {
  expect(joined(chunks)).toEqual(expected)
})

test('calls come out as they went in, however their arguments are cut and numbered', () => {
  const call = fc.record({
    name: fc.constantFrom('a', 'get_time', 'b.c'),
    arguments: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  })
  const style = fc.record({
    from: fc.constantFrom(0, 1, 5),
    again: fc.boolean(),
    empty: fc.boolean(),
    size: fc.integer({ min: 1, max: 9 }),
    index: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 4 }), style, (calls, { from, again, empty, size, index }) => {
      const chunks = calls.flatMap(({ name, arguments: text }, place) => {
        const id = `call_${place}`
        const number = index ? { index: place + from } : {}
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        const further = again ? { id, name } : empty ? { id: '', name: '' } : {}
        return [
          [{ ...number, id, type: 'function', function: { name, arguments: '' } }],
          ...pieces.map((piece) => [
            {
              ...number,
              ...('id' in further && { id: further.id }),
              function: { ...('name' in further && { name: further.name }), arguments: piece },
            },
          ]),
        ]
      })
      expect(joined(chunks)).toEqual(calls.map((each, index) => [`call_${index}`, each.name, each.arguments]))
    }),
  )
})

test('continues from what was joined before, and leaves that as it is', () => {
  const joiner = createToolCallJoiner()
  joiner.add([first])
  const before = joiner.places()
  const further = createToolCallJoiner(before)
  further.add([{ function: { arguments: oslo } }])
  expect(joinedCalls(further)[0]?.function.arguments).toBe(oslo)
  expect(before[0]?.call.function.arguments).toBe('')
})
