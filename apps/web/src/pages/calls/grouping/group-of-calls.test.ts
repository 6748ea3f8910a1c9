import { expect, test } from 'vitest'
import type { CallRow } from '../../../features/calls/call-row.ts'
import { groupOfCalls, groupsOffered } from './group-of-calls.ts'

const row = {
  name: 'answer',
  kind: 'model',
  status: 'error',
  startedAt: '2026-03-01T23:30:00.000Z',
  traceId: 'a'.repeat(32),
  tags: [{ tag: 'shipping' }, { tag: 'refund' }],
  further: ['first', 'second'],
} as unknown as CallRow
const columns = ['inputs.a', 'inputs.b']

test.each([
  ['name', 'answer'],
  ['kind', 'Model'],
  ['status', 'Failed'],
  ['tag', 'shipping, refund'],
  ['trace', 'a'.repeat(32)],
  ['inputs.b', 'second'],
])('rows grouped by %s are under %s', (group, value) => expect(groupOfCalls({ group, columns }, 'UTC')?.valueOf(row)).toBe(value))

test('days are those of the displayed time zone', () => {
  const dayIn = (timeZone: string) => groupOfCalls({ group: 'day' }, timeZone)?.valueOf(row)
  expect(dayIn('UTC')).toContain('1')
  expect(dayIn('Asia/Tokyo')).not.toBe(dayIn('UTC'))
})

test.each([undefined, 'inputs.c', 'toString', '__proto__'])('rows are not grouped by %s, a field that no column shows', (group) =>
  expect(groupOfCalls({ group, columns }, 'UTC')).toBeUndefined(),
)

test('each offered grouping works, and grouping by trace is only offered for spans', () => {
  for (const level of [undefined, 'all'] as const) {
    const offered = groupsOffered({ level, columns })
    expect(offered.map(({ value }) => value).includes('trace')).toBe(level === 'all')
    for (const { value, label } of offered) expect(groupOfCalls({ group: value, columns }, 'UTC')?.label).toBe(label)
  }
})
