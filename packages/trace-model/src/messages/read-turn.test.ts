import { expect, test } from 'vitest'
import { readTurnInput, readTurnOutput } from './read-turn.ts'

const said = (role: string, text: string) => [{ role, parts: [{ type: 'text', text }] }]

test('a turn is its own question and answer, without the conversation before it', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'One' },
    { role: 'user', content: 'Second' },
  ]
  const call = { inputs: { messages }, output: { choices: [{ message: { role: 'assistant', content: 'Two' } }] } }
  expect(readTurnInput(call)).toEqual(said('user', 'Second'))
  expect(readTurnOutput(call)).toEqual(said('assistant', 'Two'))
})

test('the question of an agent that records its whole run as its input is not its answer', () => {
  const messages = [
    { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Where is Berlin?' }] },
    { role: 'assistant', parts: [{ type: 'text', content: 'In Germany.' }] },
  ]
  for (const name of ['pydantic_ai.all_messages', 'all_messages_events']) {
    const run = { inputs: { [name]: JSON.stringify(messages) } }
    expect(readTurnInput(run)).toEqual(said('user', 'Where is Berlin?'))
    expect(readTurnOutput(run)).toEqual(said('assistant', 'In Germany.'))
  }
  expect(readTurnOutput({ inputs: { messages: [{ role: 'assistant', content: 'Begin with' }] } })).toEqual([])
})

test('a turn without messages is its values, and one without values says nothing', () => {
  expect(readTurnInput({ inputs: { question: 'Why?' } })).toEqual(said('input', 'Why?'))
  expect(readTurnOutput({ output: 'Because' })).toEqual(said('output', 'Because'))
  expect(readTurnInput({ inputs: { a: 1, b: 2 } })).toEqual([{ role: 'input', parts: [{ type: 'other', value: { a: 1, b: 2 } }] }])
  expect([readTurnInput({ inputs: {} }), readTurnOutput({ output: null }), readTurnOutput({})]).toEqual([[], [], []])
})

test('empty arguments, and the JSON text of nothing in an attribute, say nothing', () => {
  expect(readTurnInput({ inputs: { 'traceloop.entity.input': { args: [], kwargs: {} } } })).toEqual([])
  expect(readTurnOutput({ output: { 'traceloop.entity.output': 'null' } })).toEqual([])
  expect(readTurnInput({ inputs: { args: [0], kwargs: {} } })).toHaveLength(1)
  expect(readTurnOutput({ output: 'null' })).toEqual(said('output', 'null'))
  expect(readTurnOutput({ output: { answer: 'null' } })).toEqual(said('output', 'null'))
  expect(readTurnOutput({ output: false })).toHaveLength(1)
})
