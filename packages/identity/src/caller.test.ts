import { expect, test } from 'vitest'
import { type Access, mayUse } from './caller.ts'

const anyAccess: Access = { entity: '*', role: 'writer', scopes: [], projects: [] }
const chat = { id: 'acme/chat', entity: 'acme' }

test.each<[string, Partial<Access>, boolean]>([
  ['a key for every entity', {}, true],
  ['a key of this entity', { entity: 'acme' }, true],
  ['a key of another entity', { entity: 'other' }, false],
  ['a key of this project alone', { projects: [{ project_id: 'acme/chat', role: 'writer' }] }, true],
  ['a key of another project alone', { projects: [{ project_id: 'acme/other', role: 'admin' }] }, false],
  ['a key with a lesser role in this project', { role: 'admin', projects: [{ project_id: 'acme/chat', role: 'reader' }] }, false],
  ['a key with a greater role in this project', { role: 'reader', projects: [{ project_id: 'acme/chat', role: 'ingest' }] }, true],
  ['a key whose scopes leave out writing', { scopes: ['read'] }, false],
  ['a key of another entity that names this project', { entity: 'other', projects: [{ project_id: 'acme/chat', role: 'admin' }] }, false],
])('%s writes to a project: %s', (_case, access, expected) => {
  expect(mayUse({ ...anyAccess, ...access }, chat, 'write')).toBe(expected)
})
