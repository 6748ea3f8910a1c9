import { isApiError } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { resolveField } from './resolve-field.ts'

test.each([
  ['id', { kind: 'column', name: 'id' }],
  ['started_at', { kind: 'column', name: 'started_at' }],
  ['summary.weave.latency_ms', { kind: 'column', name: 'summary.weave.latency_ms' }],
  ['inputs', { kind: 'payload', root: 'inputs', segments: [] }],
  ['output_dump', { kind: 'payload', root: 'output', segments: [] }],
  ['inputs.a.b', { kind: 'payload', root: 'inputs', segments: ['a', 'b'] }],
  ['inputs.a\\\\.b', { kind: 'payload', root: 'inputs', segments: ['a\\', 'b'] }],
  ['inputs.a\\.b.c', { kind: 'payload', root: 'inputs', segments: ['a.b', 'c'] }],
  ['inputs.a\\b', { kind: 'payload', root: 'inputs', segments: ['a\\b'] }],
  ['inputs.say "x"', { kind: 'payload', root: 'inputs', segments: ['say "x"'] }],
  ['inputs.list.0', { kind: 'payload', root: 'inputs', segments: ['list', '0'] }],
  ['summary.weave', { kind: 'payload', root: 'summary', segments: ['weave'] }],
  [
    'feedback.[wandb.runnable.my_scorer].payload.output.score',
    { kind: 'feedback', type: 'wandb.runnable.my_scorer', part: 'payload', segments: ['output', 'score'] },
  ],
  ['feedback.[*].payload', { kind: 'feedback', type: '*', part: 'payload', segments: [] }],
  ['feedback.[quality].runnable_ref', { kind: 'feedback', type: 'quality', part: 'runnable_ref', segments: [] }],
  ['annotation_queue_items.queue_id', { kind: 'queue' }],
])('%s is known', (path, field) => {
  expect(resolveField(path)).toEqual(field)
})

test.each([
  ['nope', /^Field nope is not allowed\. /],
  ['', /^Field {2}is not allowed\. /],
  ['__proto__', /^Field __proto__ is not allowed\. /],
  ['inputs_dump.a', /^Field inputs_dump\.a is not allowed/],
  ['input_refs', /^Field input_refs is not allowed/],
  ['output_refs', /^Field output_refs is not allowed/],
  ['otel_dump', /^Field otel_dump is not allowed/],
  ['storage_size_bytes', /^Field storage_size_bytes is not allowed/],
  ['total_storage_size_bytes', /^Field total_storage_size_bytes is not allowed/],
  ['annotation_queue_items.state', /^Field annotation_queue_items\.state is not allowed/],
  ['summary.weave.costs', /^Summary field 'costs' is not allowed\. Supported fields are: latency_ms, status, trace_name$/],
  ['summary.weave.status.x', /^Summary field 'status\.x' is not allowed/],
  ['feedback.quality.payload.score', /^Invalid feedback field path: feedback\.quality\.payload\.score/],
  ['feedback.[quality].creator', /^Invalid feedback field path/],
  ['feedback.[quality].runnable_ref.x', /^Invalid feedback field path/],
  ['feedback', /^Invalid feedback field path/],
  ['inputs.list.-1', /^Negative array index -1 in field inputs\.list\.-1 is not supported$/],
])('%s is refused with 422 and the reason', (path, reason) => {
  expect(refusalOf(() => resolveField(path))).toMatchObject({ status: 422, message: expect.stringMatching(reason) as string })
})

test.each(['inputs.' + 'a.'.repeat(100), 'inputs.' + 'x'.repeat(4000)])('a path beyond the bounds is refused with 400', (path) => {
  expect(refusalOf(() => resolveField(path))).toMatchObject({ status: 400 })
})

function refusalOf(run: () => unknown): { status: number; message: string } {
  try {
    run()
  } catch (error) {
    if (isApiError(error)) return error
    throw error
  }
  throw new Error('was not refused')
}
