import { expect, test } from 'vitest'
import type { ListedCall } from '../../features/evaluations/run-latency.ts'
import { toListedRun } from './listed-run.ts'

const aCall = (fields: Partial<ListedCall>): ListedCall => ({
  id: 'run',
  op_name: 'Evaluation.evaluate',
  started_at: '2026-01-02T03:04:05Z',
  inputs: {},
  ...fields,
})

test.each([
  ['the mean of an object', { model_latency: { mean: 0.25 } }, 0.25],
  ['a number alone', { model_latency: 2 }, 2],
  ['nothing of a text', { model_latency: '2' }, null],
  ['nothing of a mean that is not a number', { model_latency: { mean: null } }, null],
  ['nothing where there is none', { exact: { mean: 1 } }, null],
  ['nothing of a run without an output', null, null],
])('the latency of a run is %s', (_what, output, latency_seconds) => {
  expect(toListedRun(aCall({ output })).latency_seconds).toBe(latency_seconds)
})

test('a run names its evaluation by a reference, and a value that was not published is none', () => {
  const ref = 'weave:///acme/sums/object/sums:v1'
  expect(toListedRun(aCall({ inputs: { self: ref } })).evaluation).toBe(ref)
  expect(toListedRun(aCall({ inputs: { this: ref } })).evaluation).toBe(ref)
  expect(toListedRun(aCall({ inputs: { self: { name: 'sums' } } })).evaluation).toBeNull()
  expect(toListedRun(aCall({})).evaluation).toBeNull()
})
