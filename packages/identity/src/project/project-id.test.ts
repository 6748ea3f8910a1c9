import { isApiError } from '@heddle/core-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseProjectId } from './project-id.ts'

function statusOf(id: string): number {
  try {
    parseProjectId(id)
    return 200
  } catch (error) {
    return isApiError(error) ? error.status : 500
  }
}

test('an id is split at its one slash', () => {
  expect(parseProjectId('acme/chat bot')).toEqual({ id: 'acme/chat bot', entity: 'acme', name: 'chat bot' })
})

test.each([
  ['no slash', 'acme', 400],
  ['two slashes', 'acme/a/b', 400],
  ['an empty entity', '/a', 400],
  ['an empty project', 'acme/', 400],
  ['nothing', '', 400],
  ['only a slash', '/', 400],
  ['a control character', 'acme/a\u0000b', 400],
  ['a line break', 'acme/a\nb', 400],
  ['half of a surrogate pair', 'acme/\ud800', 400],
  ['space at the edge', ' acme/a', 400],
  ['129 characters', `acme/${'a'.repeat(129)}`, 400],
  ['128 characters', `acme/${'a'.repeat(128)}`, 200],
  ['a word that starts a path', 'traces/a', 400],
  ['such a word in capitals', 'GraphQL/a', 400],
  ['such a word as project', 'acme/traces', 200],
  ['the star that means every entity', '*/a', 400],
  ['the project of switched-off clients', 'DISABLED/DISABLED', 403],
  ['letters of any script', 'größe/プロジェクト', 200],
  ['a name of every object', '__proto__/constructor', 200],
])('%s: %j → %i', (_case, id, status) => {
  expect(statusOf(id)).toBe(status)
})

test('the message truncates a long id', () => {
  expect(() => parseProjectId(`${'x'.repeat(10_000)}`)).toThrow(/^project_id "x{200}…" must be "entity\/project"/)
})

test('any text is either split without loss or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 20 }), (left, right) => {
      const id = `${left}/${right}`
      if (statusOf(id) === 200) expect(parseProjectId(id)).toEqual({ id, entity: left, name: right })
      else expect([400, 403]).toContain(statusOf(id))
    }),
  )
})
