import { describe, expect, inject, test } from 'vitest'
import { sliceOfSuite } from './slice-of-suite.ts'

describe.each([true, false])('a suite, whole: %s', (isWhole) => {
  const ran: string[] = []
  describe('its tests', () => {
    test.each(['a', 'b', 'c', 'd', 'e'])('%s', (name) => void ran.push(name))
    describe('a block in it', () => {
      test.each(['f', 'g'])('%s', (name) => void ran.push(name))
    })
    sliceOfSuite({ isWhole })
  })

  test('runs all of its tests, or every third of its own and those of blocks in it', () => {
    expect(ran.join('')).toBe(isWhole || inject('long') ? 'abcdefg' : 'adfg')
  })
})
