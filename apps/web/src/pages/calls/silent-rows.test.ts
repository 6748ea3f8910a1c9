import { expect, test } from 'vitest'
import type { CallRow } from '../../features/calls/call-row.ts'
import { silentRows } from './silent-rows.ts'

const row = (part: Partial<CallRow>) => ({ input: 'a', output: 'b', error: undefined, status: 'success', ...part }) as CallRow

test.each<[string, Partial<CallRow>, boolean]>([
  ['says both', {}, false],
  ['has no input', { input: '' }, true],
  ['has no output', { output: '' }, true],
  ['failed without an output', { output: '', error: 'no' }, false],
  ['still runs', { output: '', status: 'running' }, false],
])('a row that %s is requested: %j', (_, part, isSilent) => {
  expect(silentRows([row(part)], false)).toHaveLength(isSilent ? 1 : 0)
  expect(silentRows([row(part)], true)).toHaveLength(isSilent ? 1 : 0)
})

test('a row that shows what nobody said is requested where it represents a trace', () => {
  const rows = [row({ isSpoken: { input: false, output: true } }), row({ isSpoken: { input: true, output: true } })]
  expect(silentRows(rows, true)).toEqual(rows.slice(0, 1))
  expect(silentRows(rows, false)).toEqual([])
})
