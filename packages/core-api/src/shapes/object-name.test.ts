import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toObjectName } from './object-name.ts'

test.each([
  ['tone', 'tone'],
  ['helpful?', 'helpful'],
  [' Is it good? ', 'Is-it-good'],
  ['a/b: c', 'a-b-c'],
  ['-x-', 'x'],
  ['v1.2_final', 'v1.2_final'],
  ['größe', 'gr-e'],
  ['日本', ''],
  ['?!', ''],
  [`${'a'.repeat(127)} b`, 'a'.repeat(127)],
])('%j becomes %j', (name, expected) => {
  expect(toObjectName(name)).toBe(expected)
})

test('a name that was made is a name already', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const made = toObjectName(name)
      expect(toObjectName(made)).toBe(made)
      expect(made).toMatch(/^([\w.]([\w.-]{0,126}[\w.])?)?$/)
    }),
  )
})
