import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takePage } from './take-page.ts'

const key = (id: string, version: number) => ({ id, version: String(version), started_micros: 0, bytes: 0 })
const all = { monitor: 'm', rate: 1 }

test('takes all calls of a page where they may all be chosen', () => {
  const page = [key('a', 1), key('b', 2)]
  expect(takePage(page, { ...all, maxChosen: 2 })).toEqual({ calls: page, chosen: ['a', 'b'] })
})

test('does not part calls of one version', () => {
  const page = [key('a', 1), key('b', 2), key('c', 2), key('d', 3)]
  expect(takePage(page, { ...all, maxChosen: 2 })).toEqual({ calls: page.slice(0, 1), chosen: ['a'] })
  expect(takePage(page, { ...all, maxChosen: 3 })).toEqual({ calls: page.slice(0, 3), chosen: ['a', 'b', 'c'] })
})

test('takes as many calls as it may, and chooses all of them that are sampled', () => {
  const versions = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 }).map((list) => list.toSorted((one, other) => one - other))
  fc.assert(
    fc.property(versions, fc.nat({ max: 20 }), (list, maxChosen) => {
      const page = list.map((version, at) => key(`call-${at}`, version))
      const { calls, chosen } = takePage(page, { ...all, maxChosen })
      const next = page.slice(calls.length).filter(({ version }) => version === page[calls.length]?.version)
      expect(chosen).toEqual(calls.map(({ id }) => id))
      expect(chosen.length).toBeLessThanOrEqual(maxChosen)
      expect(page.length === calls.length || chosen.length + next.length > maxChosen).toBe(true)
      expect(page[calls.length]?.version).not.toBe(calls.at(-1)?.version ?? '')
    }),
    { seed: 15 },
  )
})
