import { expect, test } from 'vitest'
import { moveTo } from './move-to.ts'

test.each([
  ['c', 0, ['c', 'a', 'b']],
  ['a', 2, ['b', 'c', 'a']],
  ['b', 1, ['a', 'b', 'c']],
] as const)('%s moves to place %i', (member, place, expected) => expect(moveTo(['a', 'b', 'c'], member, place)).toEqual(expected))
