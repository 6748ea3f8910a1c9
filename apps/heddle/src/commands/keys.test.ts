import { expect, test } from 'vitest'
import { toNewKey } from './keys.ts'

const now = 1_700_000_000_000_000

test('options become what is wanted of a key', () => {
  const options = { name: 'ci', role: 'ingest', scope: ['write'], project: ['acme/a', 'acme/b=reader'], expiresInDays: '2' }
  expect(toNewKey(options, now)).toEqual({
    name: 'ci',
    role: 'ingest',
    scopes: ['write'],
    projects: [
      { project_id: 'acme/a', role: 'ingest' },
      { project_id: 'acme/b', role: 'reader' },
    ],
    expiresAt: now + 172_800_000_000,
  })
})

test.each([
  [{ role: 'owner' }, /--role is "owner"; it must be one of reader, writer, ingest, admin/],
  [{ scope: ['all'] }, /--scope is "all"; it must be one of read, write, destroy/],
  [{ project: ['a/b=boss'] }, /the role in --project a\/b=boss is "boss"/],
  [{ expiresInDays: '0' }, /--expires-in-days is "0"/],
  [{ expiresInDays: '1.5' }, /--expires-in-days is "1.5"/],
])('%j is refused', (options, message) => {
  expect(() => toNewKey({ name: 'ci', role: 'reader', ...options }, now)).toThrow(message)
})
