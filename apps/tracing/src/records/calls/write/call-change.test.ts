import { expect, test } from 'vitest'
import { rawSpanMarkers } from '../../../payload/raw-span-text.ts'
import { completeChange, type CallEnd, type CallStart } from './call-change.ts'

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

test('a raw span is stored without what looks like a marker', () => {
  const { start } = completeChange('id', aStart({ otel: { name: '\0inputs' } }), anEnd())
  expect(start.otel).not.toContain(rawSpanMarkers.inputs)
  expect(JSON.parse(start.otel)).toEqual({ name: '\0inputs' })
})

test('a call without a raw span has none', () => {
  expect(completeChange('id', aStart(), anEnd()).start.otel).toBe('')
})
