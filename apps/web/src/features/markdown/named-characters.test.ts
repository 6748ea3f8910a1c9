import { expect, test } from 'vitest'
import { decodeNamedCharacterReference } from './named-characters.ts'

test.each([
  ['amp', '&'],
  ['lt', '<'],
  ['unknown', false],
  ['constructor', false],
])('the name %s means %j', (name, character) => {
  expect(decodeNamedCharacterReference(name)).toBe(character)
})
