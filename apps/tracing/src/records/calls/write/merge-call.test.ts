import type { CallRow } from '@heddle/datastore'
import fc from 'fast-check'
import { atOnce } from '@heddle/service-kit'
import { expect, test } from 'vitest'
import { buildIndex, unknownIndex } from '../../../query/build-index.ts'
import { rawSpanParts } from '../../../query/fields/raw-span-parts.ts'
import { completeChange, endChange, startChange, type CallChange } from './call-change.ts'
import { mergeCall } from './merge-call.ts'

const key = { project_id: 'e/p', id: '00000000-0000-7000-8000-000000000001' }
const payload = fc.dictionary(
  fc.constantFrom('a', 'b', 'list', 'deep'),
  fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer()), fc.dictionary(fc.string(), fc.string())),
)

const start = (inputs: object, otel: Record<string, unknown> | null = null) => ({
  trace_id: key.id,
  parent_id: null,
  op_name: 'op',
  display_name: null,
  thread_id: null,
  turn_id: null,
  started_at: 1_000,
  attributes: { from: 'start' },
  inputs: inputs as Record<string, unknown>,
  otel,
  wb_user_id: 'u',
  wb_run_id: null,
  wb_run_step: null,
})
const end = (output: object) => ({ ended_at: 2_000, exception: null, output, summary: { usage: {} }, wb_run_step_end: null })

const rawSpan = fc.option(payload.map((attributes) => ({ attributes, resource: { attributes: { service: { name: 's' } } } })))

const change: fc.Arbitrary<CallChange> = fc.oneof(
  fc.tuple(payload, rawSpan).map(([inputs, otel]) => startChange(key.id, start(inputs, otel))),
  payload.map((output) => endChange(key.id, end(output))),
  fc.tuple(payload, payload, rawSpan).map(([inputs, output, otel]) => completeChange(key.id, start(inputs, otel), end(output))),
  fc.constant<CallChange>({ kind: 'rename', id: key.id, display_name: 'n', at: 5 }),
)

/** Leaves in the order of their paths. */
const sorted = ({ idx, idx_gaps }: Pick<CallRow, 'idx' | 'idx_gaps'>) => ({
  leaves: idx.flatMap((path, index) => (index % 2 === 0 ? [`${path}=${idx[index + 1]}`] : [])).sort(),
  unindexed: idx_gaps,
})

test('however changes are grouped, the index is that of the payloads as they are in the end', () => {
  const groups = fc.array(fc.tuple(fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean()), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(groups, (merges) => {
      let row: CallRow | undefined
      for (const [changes, isReadFromStore] of merges) {
        const stored = row && isReadFromStore ? { ...row, ...unknownIndex } : row
        row = atOnce(mergeCall(key, stored, changes, { version: (row?.version ?? 0n) + 1n, retentionDays: null }))?.row
      }
      if (row === undefined || row.has_start === 0) return
      const { inputs, output, attributes, summary, otel } = row
      const whole = buildIndex({
        inputs: JSON.parse(inputs) as unknown,
        output: JSON.parse(output) as unknown,
        attributes: JSON.parse(attributes) as unknown,
        summary: JSON.parse(summary) as unknown,
        ...rawSpanParts(otel === '' ? null : JSON.parse(otel)),
      })
      expect(sorted(row)).toEqual(sorted(whole))
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
        row = atOnce(mergeCall(key, row, changes, { version: (row?.version ?? 0n) + 1n, retentionDays }))?.row
      const first = merges.find(([changes]) => changes.some(({ kind }) => kind === 'start' || kind === 'complete'))?.[1]
      if (first === undefined) return
      expect(row?.expire_at).toBe(first === null ? 0 : start({}).started_at + first * 86_400_000_000)
    }),
    { numRuns: 300 },
  )
})
