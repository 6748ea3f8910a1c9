import { expect, test } from 'vitest'
import { partsOfName } from './parts-of-name.ts'

const [name, model, hidden] = (['name', 'model', 'hidden'] as const).map((as) => (text: string) => ({ text, as }))

test.each([
  ['chat gpt-5-mini', 'llm', [name!('chat '), model!('gpt-5-mini')]],
  ['chat acme/weather/agent-1:step12', 'llm', [name!('chat '), hidden!('acme/weather/'), model!('agent-1:step12')]],
  ['embeddings e-3', 'llm', [name!('embeddings '), model!('e-3')]],
  ['execute_tool get_weather', 'tool', [hidden!('execute_tool '), name!('get_weather')]],
  ['invoke_agent Support', 'agent', [hidden!('invoke_agent '), name!('Support')]],
  ['chat with two words', 'llm', [name!('chat with two words')]],
  ['chat acme/', 'llm', [name!('chat '), model!('acme/')]],
  ['chat', 'llm', [name!('chat')]],
  ['chat room', 'fn', [name!('chat room')]],
  ['execute_tool x', 'fn', [name!('execute_tool x')]],
] as const)('%s of a span of the kind %s', (text, kind, parts) => {
  expect(partsOfName(text, kind)).toEqual(parts)
  expect(parts.map((part) => part.text).join('')).toBe(text)
})
