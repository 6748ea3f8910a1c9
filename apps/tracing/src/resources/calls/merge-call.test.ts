import type { CallRow } from '@heddle/datastore'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildIndex } from '../../query/build-index.ts'
import { completeChange, endChange, startChange, type CallChange } from './call-change.ts'
import { mergeCall } from './merge-call.ts'

const key = { project_id: 'e/p', id: '00000000-0000-7000-8000-000000000001' }
const payload = fc.dictionary(
  fc.constantFrom('a', 'b', 'list', 'deep'),
  fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer()), fc.dictionary(fc.string(), fc.string())),
)

const start = (inputs: object) => ({
  trace_id: key.id,
  parent_id: null,
  op_name: 'op',
  display_name: null,
  thread_id: null,
  turn_id: null,
  started_at: 1_000,
  attributes: { from: 'start' },
  inputs: inputs as Record<string, unknown>,
  otel: null,
  wb_user_id: 'u',
  wb_run_id: null,
  wb_run_step: null,
})
const end = (output: object) => ({ ended_at: 2_000, exception: null, output, summary: { usage: {} }, wb_run_step_end: null })

const change: fc.Arbitrary<CallChange> = fc.oneof(
  payload.map((inputs) => startChange(key.id, start(inputs))),
  payload.map((output) => endChange(key.id, end(output))),
  fc.tuple(payload, payload).map(([inputs, output]) => completeChange(key.id, start(inputs), end(output))),
  fc.constant<CallChange>({ kind: 'rename', id: key.id, display_name: 'n', at: 5 }),
)

const parsed = (index: Pick<CallRow, 'idx' | 'idx_gaps'>) => ({
  idx: JSON.parse(index.idx) as Record<string, unknown>,
  gaps: index.idx_gaps,
})

test('however changes are grouped, the index is that of the payloads as they are in the end', () => {
  const groups = fc.array(fc.tuple(fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean()), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(groups, (merges) => {
      let row: CallRow | undefined
      for (const [changes, isReadFromStore] of merges) {
        const stored = row && isReadFromStore ? { ...row, idx: '', idx_gaps: '' } : row
        row = mergeCall(key, stored, changes, { version: (row?.version ?? 0n) + 1n, retentionDays: null })?.row
      }
      if (row === undefined || row.has_start === 0) return
      const { inputs, output, attributes, summary } = row
      const whole = buildIndex({
        inputs: JSON.parse(inputs) as unknown,
        output: JSON.parse(output) as unknown,
        attributes: JSON.parse(attributes) as unknown,
        summary: JSON.parse(summary) as unknown,
      })
      const { idx, gaps } = parsed(row)
      expect({ idx: { in: {}, out: {}, attr: {}, sum: {}, ...idx }, gaps }).toEqual({ idx: parsed(whole).idx, gaps: whole.idx_gaps })
    }),
    { numRuns: 300 },
  )
})

test('however changes are grouped, a call lives as long as the setting said when its start was written first', () => {
  const days = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null })
  const groups = fc.array(fc.tuple(fc.array(change, { minLength: 1, maxLength: 3 }), days), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(groups, (merges) => {
      let row: CallRow | undefined
      for (const [changes, retentionDays] of merges)
        row = mergeCall(key, row, changes, { version: (row?.version ?? 0n) + 1n, retentionDays })?.row
      const first = merges.find(([changes]) => changes.some(({ kind }) => kind === 'start' || kind === 'complete'))?.[1]
      if (first === undefined) return
      expect(row?.expire_at).toBe(first === null ? 0 : start({}).started_at + first * 86_400_000_000)
    }),
    { numRuns: 300 },
  )
})
