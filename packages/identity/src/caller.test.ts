import { expect, test } from 'vitest'
import { type Access, isOperator, mayUse } from './caller.ts'

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

test.each<[string, Partial<Access>, boolean]>([
  ['an admin key for all projects', {}, true],
  ['one whose scopes name every effect', { scopes: ['write', 'read', 'destroy'] }, true],
  ['one whose scopes leave out deleting', { scopes: ['write', 'read'] }, false],
  ['one of an entity', { entity: 'acme' }, false],
  ['one of some projects', { projects: [{ project_id: 'acme/chat', role: 'admin' }] }, false],
  ['a writer for all projects', { role: 'writer' }, false],
])('%s is an operator: %s', (_case, access, expected) => {
  expect(isOperator({ ...anyAccess, role: 'admin', ...access })).toBe(expected)
})
