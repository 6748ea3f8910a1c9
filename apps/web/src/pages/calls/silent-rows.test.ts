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
])('a row that %s is asked for: %j', (_, part, isSilent) => expect(silentRows([row(part)])).toHaveLength(isSilent ? 1 : 0))
