import { expect, test } from 'vitest'
import { effects, isAllowed, isEffect, isRole, roles } from './roles.ts'

test.each([
  { role: 'reader', read: true, write: false, destroy: false },
  { role: 'writer', read: true, write: true, destroy: false },
  { role: 'ingest', read: false, write: true, destroy: false },
  { role: 'admin', read: true, write: true, destroy: true },
] as const)('a $role may read: $read, write: $write, destroy: $destroy', ({ role, ...expected }) => {
  for (const effect of effects) expect(isAllowed({ role, scopes: [] }, effect)).toBe(expected[effect])
})

test('scopes only restrict: every role with every set of scopes', () => {
  const sets = [[], ['read'], ['write'], ['destroy'], ['read', 'write'], ['read', 'destroy'], ['write', 'destroy'], [...effects]] as const
  for (const role of roles) {
    for (const scopes of sets) {
      for (const effect of effects) {
        const kept = scopes.length === 0 || scopes.some((scope) => scope === effect)
        expect(isAllowed({ role, scopes }, effect), `${role} ${scopes.join()} ${effect}`).toBe(
          isAllowed({ role, scopes: [] }, effect) && kept,
        )
      }
    }
  }
})

test('unknown roles and effects are recognised', () => {
  expect(['reader', 'owner', 'toString'].map(isRole)).toEqual([true, false, false])
  expect(['destroy', 'delete', 'constructor'].map(isEffect)).toEqual([true, false, false])
})
