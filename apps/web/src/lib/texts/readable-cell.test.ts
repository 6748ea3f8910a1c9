import { parseExactJson } from '@heddle/json/exact'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableCell } from './readable-cell.ts'

test.each([
  ['"rain"', 'rain'],
  ['{"answer":"rain"}', 'rain'],
  ['{"answer":"rain","asked":true,"at":null,"id":9007199254740993}', 'answer: rain · asked: true · at: null · id: 9007199254740993'],
  ['[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is it?"}]', 'Where is it?'],
  ['{"messages":[{"role":"user","content":[{"type":"text","text":"Where is it?"}]}]}', 'Where is it?'],
  ['{"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"Where is it?"}]}]}', 'Where is it?'],
  ['{"model":"m","messages":[{"role":"user","content":"Where is it?"}],"stream":true}', 'Where is it?'],
  ['{"choices":[{"index":0,"message":{"role":"assistant","content":"At noon."}}],"usage":{"total_tokens":3}}', 'At noon.'],
  [
    '{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[]}}]}',
    '{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[]}}]}',
  ],
  ['{"choices":[]}', '{"choices":[]}'],
  ['{"gen_ai.tool.call.arguments":{"city":"Vienna"}}', 'Vienna'],
  ['{"answer":"rain","sources":["a"]}', '{"answer":"rain","sources":["a"]}'],
  ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}', '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}'],
  ['{"self":"weave:///e/p/object/agent:v1","inputs":{"question":"Where?","limit":3}}', 'question: Where? · limit: 3'],
  ['{"self":"me","you":1}', 'self: me · you: 1'],
  ['[1,2]', '[1,2]'],
  ['{}', '{}'],
  ['1.0', '1.0'],
])('%s is shown as %s', (json, text) => expect(readableCell(parseExactJson(json))).toBe(text))

test('a value that is nested in itself many times is JSON', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'deep' : { a: nested(depth - 1) })
  expect(readableCell(nested(6))).toContain('{"a":')
})

test('any value has a text of one line that is not longer than requested', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 50 }), (value, most) => {
      const text = readableCell(value, most)
      expect(text).not.toContain('\n')
      expect(text.length).toBeLessThanOrEqual(most + 1)
    }),
  )
})
