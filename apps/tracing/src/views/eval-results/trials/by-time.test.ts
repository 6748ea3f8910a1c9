import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byTime } from './by-time.ts'

test('keys come in groups of about one size, in the order of time, and none is lost', () => {
  const keysOf = fc.array(fc.record({ started_micros: fc.integer({ min: -5, max: 60 }), id: fc.uuid() }), { maxLength: 200 })
  const check = fc.property(keysOf, fc.integer({ min: 1, max: 20 }), (keys, size) => {
    const groups = byTime(keys, size)
    const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id).toSorted()
    expect(ids(groups.flat())).toEqual(ids(keys))
    for (const [at, group] of groups.entries()) {
      const before = groups[at - 1] ?? []
      expect(Math.max(...before.map(({ started_micros }) => started_micros))).toBeLessThan(
        Math.min(...group.map(({ started_micros }) => started_micros)),
      )
      const last = Math.max(...group.map(({ started_micros }) => started_micros))
      // Those of one start stay together.
      expect(group.filter(({ started_micros }) => started_micros < last).length).toBeLessThan(2 * size)
    }
  })
  fc.assert(check)
})
