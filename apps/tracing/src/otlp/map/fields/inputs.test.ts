import { readConversation } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { mapInputs } from './inputs.ts'
import { events, json, nested, read } from '../../testing/a-span.ts'

const inNameOrder = [
  'ai.prompt',
  'gen_ai.prompt',
  'input.value',
  'mlflow.spanInputs',
  'gen_ai.input.messages',
  'pydantic_ai.all_messages',
  'traceloop.entity.input',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.llm_request',
  'langfuse.observation.input',
  'langfuse.trace.input',
  'ai.toolCall.args',
  'ai.value',
  'ai.values',
  'gen_ai.tool.call.arguments',
  'tool_arguments',
  'gen_ai.retrieval.query.text',
  'request_data',
  'all_messages_events',
  'llm.input_messages',
  'llm.prompts',
  'inputs',
]

test.each(inNameOrder.map((name, index) => [name, inNameOrder.slice(index)] as const))('%s wins over the names after it', (name, names) => {
  const attributes = nested(Object.fromEntries(names.toReversed().map((each) => [each, `value of ${each}`])))
  expect(mapInputs(attributes, [])).toEqual({ [name]: `value of ${name}` })
})

const isOfTools = (name: string) => /tool|retrieval/i.test(name)

test.each([...inNameOrder, 'llm.messages', 'user_prompt', 'mastra.model_step.input'].filter((name) => !isOfTools(name)))(
  'messages in %s are read as a conversation',
  (name) => {
    const inputs = read(mapInputs(nested({ [name]: json('[{"role":"user","content":"Why?"}]') }), []))
    expect(readConversation({ inputs }).input).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Why?' }] }])
  },
)

test('user messages of events come after the names of agents and before those of tools', () => {
  const messages = events(['gen_ai.user.message', { content: 'a' }], ['other', {}], ['gen_ai.user.message', { content: 'b' }])
  expect(mapInputs(nested({ 'ai.value': 'x' }), messages)).toEqual({ 'events.gen_ai.user.message': [{ content: 'a' }, { content: 'b' }] })
  expect(mapInputs(nested({ 'gcp.vertex.agent.llm_request': 'x' }), messages)).toEqual({ 'gcp.vertex.agent.llm_request': 'x' })
})

test('messages of several roles are one list in order', () => {
  const messages = events(
    ['gen_ai.system.message', { content: 's' }],
    ['gen_ai.user.message', { content: 'u' }],
    ['gen_ai.tool.message', { role: 'tool', id: 1 }],
  )
  expect(mapInputs(nested({}), messages)).toEqual({
    'events.gen_ai.messages': [
      { role: 'gen_ai.system.message', content: 's' },
      { role: 'gen_ai.user.message', content: 'u' },
      { role: 'tool', id: 1 },
    ],
  })
})

test('events that carry an attribute are the last resort', () => {
  const carrier = events(
    ['gen_ai.client.inference.operation.details', { 'gen_ai.input.messages': '[1]' }],
    ['gen_ai.content.prompt', { 'gen_ai.prompt': 'p' }],
  )
  expect(read(mapInputs(nested({}), carrier))).toEqual({ 'gen_ai.input.messages': [1] })
  expect(mapInputs(nested({}), carrier.slice(1))).toEqual({ 'gen_ai.prompt': 'p' })
  expect(mapInputs(nested({ inputs: 'i' }), carrier)).toEqual({ inputs: 'i' })
})

test.each<[string, Record<string, unknown>, unknown]>([
  ['an object under input is the inputs', { input: '{"a":1}' }, { a: 1 }],
  ['an object under inputs is the inputs', { 'inputs.a': 1 }, { a: 1 }],
  ['a list under input keeps its key', { 'input.0': 'a' }, { input: ['a'] }],
  ['a text under inputs keeps its key', { inputs: 'text' }, { inputs: 'text' }],
  ['an object under another name keeps its key', { 'input.value': '{"a":1}' }, { 'input.value': { a: 1 } }],
  ['a prefix of names finds the object of them', { 'gen_ai.prompt.name': 'p' }, { 'gen_ai.prompt': { name: 'p' } }],
  [
    'values that say nothing are passed over',
    { 'ai.prompt': '', 'gen_ai.prompt': '[]', 'mlflow.spanInputs': '{}', inputs: 'x' },
    { inputs: 'x' },
  ],
])('%s', (_name, attributes, inputs) => {
  expect(read(mapInputs(nested(attributes), []))).toEqual(inputs)
})

test('nothing found is undefined', () => {
  expect(mapInputs(nested({ other: 1 }), [])).toBeUndefined()
})
