import { isRecordedId } from '@heddle/core-api/internal'
import { describe, expect, test } from 'vitest'
import { firstWithRoom, followingName, follows } from './following-names.ts'

describe('names that follow a name', () => {
  test.each([
    ['nightly', 1, 'nightly'],
    ['nightly', 2, 'nightly-2'],
    ['nightly-2', 2, 'nightly-2-2'],
    ['x'.repeat(200), 12, `${'x'.repeat(197)}-12`],
  ])('of %s, number %i', (name, number, expected) => {
    expect(followingName(name, number)).toBe(expected)
    expect([isRecordedId(expected), follows(name, expected)]).toEqual([true, true])
  })

  test.each(['nightly-1', 'nightly-02', 'nightly-x', 'night-2', 'nightly2', 'nightly-2-2', 'nightly-99999999999999999999'])(
    '%s is none of them',
    (id) => expect(follows('nightly', id)).toBe(false),
  )
})

describe('the first name with room', () => {
  test.each([0, 1, 2, 3, 4, 7, 8, 1_000])('after %i that are full takes few questions', async (full) => {
    const asked: string[] = []
    const found = await firstWithRoom('g', async (id) => {
      asked.push(id)
      return Number(id.split('-')[1] ?? 1) <= full
    })
    expect(found).toBe(followingName('g', full + 1))
    expect(asked.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(full + 2)) + 1)
  })
})
