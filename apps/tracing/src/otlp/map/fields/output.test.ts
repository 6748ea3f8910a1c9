import { readConversation } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { mapOutput } from './output.ts'
import { events, json, nested, read } from '../../testing/a-span.ts'

const inNameOrder = [
  'ai.response',
  'gen_ai.completion',
  'output.value',
  'gen_ai.output.messages',
  'mlflow.spanOutputs',
  'final_result',
  'gen_ai.content.completion',
  'traceloop.entity.output',
  'gcp.vertex.agent.tool_response',
  'gcp.vertex.agent.llm_response',
  'langfuse.observation.output',
  'langfuse.trace.output',
  'ai.toolCall.result',
  'ai.embedding',
  'ai.embeddings',
  'gen_ai.tool.call.result',
  'tool_response',
  'gen_ai.retrieval.documents',
  'response_data',
  'llm.output_messages',
  'llm.completions',
]

test.each(inNameOrder.map((name, index) => [name, inNameOrder.slice(index)] as const))('%s wins over the names after it', (name, names) => {
  const attributes = nested({ outputs: 1, ...Object.fromEntries(names.toReversed().map((each) => [each, `value of ${each}`])) })
  expect(mapOutput(attributes, [])).toEqual({ [name]: `value of ${name}` })
})

const isOfTools = (name: string) => /tool|retrieval|embedding/i.test(name)

test.each([...inNameOrder, 'mastra.model_step.output'].filter((name) => !isOfTools(name)))(
  'an answer in %s is read as a conversation',
  (name) => {
    const output = read(mapOutput(nested({ [name]: json('[{"role":"assistant","content":"So."}]') }), []))
    expect(readConversation({ output }).output).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'So.' }] }])
  },
)

test.each<[string, Record<string, unknown>, unknown]>([
  ['a text under output', { output: 'x' }, 'x'],
  ['a number under outputs', { outputs: 0.5 }, 0.5],
  ['a list under output', { output: '[1]' }, [1]],
  ['an object under output', { 'output.a': 1 }, { a: 1 }],
])('%s is the output itself', (_name, attributes, output) => {
  expect(read(mapOutput(nested(attributes), []))).toEqual(output)
})

test('a number keeps its form', () => {
  expect(mapOutput(nested({ output: json('9007199254740993') }), [])).toMatchObject({ text: '9007199254740993' })
})

test('choices of events come before the names of observations', () => {
  const choices = events(['gen_ai.choice', { index: 0 }])
  expect(mapOutput(nested({ 'langfuse.observation.output': 'x' }), choices)).toEqual({ 'events.gen_ai.choice': [{ index: 0 }] })
  expect(mapOutput(nested({ 'gcp.vertex.agent.llm_response': 'x' }), choices)).toEqual({ 'gcp.vertex.agent.llm_response': 'x' })
})

test('events that carry an attribute are the last resort', () => {
  const carriers = events(
    ['gen_ai.client.inference.operation.details', { 'gen_ai.output.messages': '[1]' }],
    ['gen_ai.content.completion', { 'gen_ai.completion': 'c' }],
  )
  expect(read(mapOutput(nested({}), carriers))).toEqual({ 'gen_ai.output.messages': [1] })
  expect(mapOutput(nested({}), carriers.slice(1))).toEqual({ 'gen_ai.completion': 'c' })
})

test('nothing found is undefined', () => {
  expect(mapOutput(nested({ other: 1 }), [])).toBeUndefined()
})
