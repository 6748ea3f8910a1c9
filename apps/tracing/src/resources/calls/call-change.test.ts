import { expect, test } from 'vitest'
import { rawSpanMarkers } from '../../payload/raw-span-text.ts'
import { completeChange, type CallEnd, type CallStart } from './call-change.ts'

const messages = [{ role: 'user', content: 'a question that is long enough to be worth a marker in the raw span' }]

const aStart = (start: Partial<CallStart> = {}): CallStart => ({
  trace_id: 't',
  parent_id: null,
  op_name: 'op',
  display_name: null,
  thread_id: null,
  turn_id: null,
  started_at: 1,
  attributes: {},
  inputs: {},
  otel: null,
  wb_user_id: 'u',
  wb_run_id: null,
  wb_run_step: null,
  ...start,
})
const anEnd = (end: Partial<CallEnd> = {}): CallEnd => ({
  ended_at: 2,
  exception: null,
  output: null,
  summary: {},
  wb_run_step_end: null,
  ...end,
})

test('what a raw span repeats of the inputs and the output is not written again', () => {
  const otel = { attributes: { gen_ai: { input: { messages }, output: { messages: [{ ...messages[0], role: 'assistant' }] } } } }
  const output = { 'gen_ai.output.messages': otel.attributes.gen_ai.output.messages }
  const { start } = completeChange('id', aStart({ inputs: { 'gen_ai.input.messages': messages }, otel }), anEnd({ output }))
  expect(start.otel).toBe(
    `{"attributes":{"gen_ai":{"input":{"messages":${rawSpanMarkers.inputs}},"output":{"messages":${rawSpanMarkers.output}}}}}`,
  )
})

test('a call without a raw span has none', () => {
  expect(completeChange('id', aStart(), anEnd()).start.otel).toBe('')
})
