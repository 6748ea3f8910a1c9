import { expect, test } from 'vitest'
import { isUnspokenInput, isUnspokenOutput, readTurnInput, readTurnOutput } from './read-turn.ts'

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

test('one text among flags and empty arguments is what a function was given', () => {
  const task = { task: 'Six times seven?', stream: false, reset: true, images: null, additional_args: {} }
  expect(readTurnInput({ inputs: task })).toEqual(said('input', 'Six times seven?'))
  expect(readTurnInput({ inputs: { 'input.value': task } })).toEqual(said('input', 'Six times seven?'))
  expect(readTurnInput({ inputs: { 'input.value': JSON.stringify(task) } })).toEqual(said('input', 'Six times seven?'))
  expect(readTurnInput({ inputs: { 'langfuse.observation.input': { args: ['Why?'], kwargs: {} } } })).toEqual(said('input', 'Why?'))
  expect(readTurnInput({ inputs: { 'input.value': '{"a":"x","b":"y"}' } })).toEqual(said('input', '{"a":"x","b":"y"}'))
  expect(readTurnOutput({ output: { reason: 'Why not?', approved: true } })).toMatchObject([{ parts: [{ type: 'other' }] }])
  expect(readTurnInput({ inputs: { question: 'Why?', limit: 3 } })).toMatchObject([{ parts: [{ type: 'other' }] }])
  expect(readTurnInput({ inputs: { question: 'Why?', language: 'en' } })).toMatchObject([{ parts: [{ type: 'other' }] }])
})

test.each([
  [true, { init_state: { is_running: false, config: { steps: { setup: 'any text' } } }, start_event: 'AgentWorkflowStartEvent()' }],
  [true, { 'input.value': { data: { prompt: { topic: 'a text deep in values' } } } }],
  [true, { memory_step: 'ActionStep(step_number=1, timing=Timing(start_time=1.0))' }],
  [true, { a: 1, b: 2 }],
  [true, { 'input.value': '{"init_state":{"config":{"steps":"any text"}}}' }],
  [true, {}],
  [false, { question: 'Why?', limit: 3 }],
  [false, { 'input.value': '{"question":"Why?","limit":3}' }],
  [false, { args: ['Why?', 3], kwargs: {} }],
  [false, { question: 'f(x) = 3' }],
  [false, { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }] }],
])('that an input says nothing by a person is %s of %j', (isUnspoken, inputs) => {
  expect(isUnspokenInput(readTurnInput({ inputs }))).toBe(isUnspoken)
})

test.each([
  [true, 'StopEvent(result=AgentOutput(response=ChatMessage(role=…'],
  [true, { 'output.value': '<groq.Stream object at 0x7f4245a27110>' }],
  [true, null],
  [false, 'Forty-two.'],
  [false, 42],
  [false, { total: 3 }],
  [false, { choices: [{ message: { role: 'assistant', content: 'Call(name=1)' } }] }],
])('that an output says nothing is %s of %j', (isUnspoken, output) => {
  expect(isUnspokenOutput(readTurnOutput({ output }))).toBe(isUnspoken)
})
