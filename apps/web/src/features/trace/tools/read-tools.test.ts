import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTools } from './read-tools.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { type: 'function', function: { name: 'get_weather', description: 'The weather of a city', parameters } }
const answer = (message: unknown) => ({ choices: [{ message }] })

test('the tools of a request are listed with their descriptions and how often the response calls each', () => {
  const tool_calls = [{ function: { name: 'get_weather', arguments: '{}' } }, { function: { name: 'get_weather', arguments: '{}' } }]
  const output = answer({ role: 'assistant', content: null, tool_calls })
  expect(readTools({ inputs: { tools: [weather, { name: 'search', input_schema: {} }] }, output })).toEqual([
    { name: 'get_weather', description: 'The weather of a city', parameters, calls: 2 },
    { name: 'search', description: '', parameters: {}, calls: 0 },
  ])
})

test('tool definitions that a span stores as JSON strings are parsed', () => {
  const named = { name: 'get_weather', description: 'The weather of a city', parameters, calls: 0 }
  expect(readTools({ inputs: {}, attributes: { tools: JSON.stringify([weather]) } })).toEqual([named])
  expect(readTools({ inputs: {}, attributes: { tools: [JSON.stringify(weather)] } })).toEqual([named])
})

test('a tool that was called but not declared in the request is listed too', () => {
  const output = { role: 'assistant', content: [{ type: 'tool_use', name: 'search', input: {} }] }
  expect(readTools({ inputs: {}, output })).toEqual([{ name: 'search', description: '', parameters: undefined, calls: 1 }])
})

test('whatever a call holds, its tools can be read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (inputs, output, attributes) => {
      expect(Array.isArray(readTools({ inputs, output, attributes }))).toBe(true)
    }),
  )
})
