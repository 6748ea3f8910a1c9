import type { ProjectKey } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { membersOf } from './members-of.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const aKey = (key: Partial<ProjectKey>): ProjectKey => ({
  id: 'k',
  name: 'n',
  prefix: 'p',
  user_id: 'ann',
  role: 'reader',
  scopes: [],
  reach: 'project',
  is_own: false,
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  recording: null,
  ...key,
})
const before = '2026-02-01T00:00:00Z'

test('the keys of a user are one member with the role that may do most, and the last use of all', () => {
  const keys = [
    aKey({ role: 'writer', last_used_at: '2026-02-01T00:00:00Z' }),
    aKey({ role: 'ingest', is_own: true }),
    aKey({ role: 'reader', revoked_at: before, last_used_at: '2026-02-02T00:00:00.5Z' }),
  ]
  expect(membersOf(keys, now)).toMatchObject([
    { user_id: 'ann', strongest: { role: 'writer' }, keys: 2, last_used_at: '2026-02-02T00:00:00.5Z', is_own: true },
  ])
})

test.each([
  ['was revoked', { revoked_at: before }],
  ['has expired', { expires_at: before }],
])('a user whose only key %s is not a member', (_, ended) => {
  expect(membersOf([aKey({ role: 'admin', ...ended })], now)).toEqual([])
})

test('a role counts with the effects alone that the key has of it', () => {
  const keys = [aKey({ role: 'admin', scopes: ['read'] }), aKey({ role: 'writer' })]
  expect(membersOf(keys, now)).toMatchObject([{ strongest: { role: 'writer', scopes: [] }, keys: 2 }])
})

test('who may do most comes first, then by name', () => {
  const users = [
    ['sender', 'ingest'],
    ['zoe', 'admin'],
    ['reader', 'reader'],
    ['bob', 'admin'],
    ['writer', 'writer'],
  ] as const
  const keys = users.map(([user_id, role]) => aKey({ user_id, role }))
  expect(membersOf(keys, now).map(({ user_id }) => user_id)).toEqual(['bob', 'zoe', 'writer', 'reader', 'sender'])
})
