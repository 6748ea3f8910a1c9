import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planChunks } from './plan-chunks.mjs'

const part = (name: string, bytes: number, imports: string[] = []) => ({ name, bytes, imports })

test('code of one page is fetched by this page alone, and code of all pages once', () => {
  const parts = [part('a', 5_000, ['common']), part('b', 5_000, ['common']), part('common', 50_000)]
  expect(planChunks({ parts, pages: [['a'], ['b']], requests: 10 })).toEqual([
    { parts: ['common'], pages: [0, 1] },
    { parts: ['a'], pages: [0] },
    { parts: ['b'], pages: [1] },
  ])
})

test('code that is smaller than what a request costs is fetched with code of other pages', () => {
  const parts = [part('a', 5_000, ['few']), part('b', 5_000, ['few', 'more']), part('few', 3_000), part('more', 20)]
  const pages = [['a'], ['b']]
  expect(planChunks({ parts, pages, requests: 10 }).map((chunk) => chunk.parts.toSorted())).toEqual([['few'], ['a'], ['b', 'more']])
})

test('a page that may fetch no more bytes does not fetch code of other pages, though it is smaller than what a request costs', () => {
  const own = ['a', 'b', 'c'].map((name) => part(name, 5_000, ['common']))
  const parts = [...own, part('few', 100), part('common', 10_000)]
  const input = { parts, pages: [['a', 'few'], ['b'], ['c', 'few']], requests: 10 }
  const chunkOfFew = (maxBytes: number) =>
    planChunks({ ...input, maxBytes: [Infinity, maxBytes] }).find((chunk) => chunk.parts.includes('few'))
  expect(chunkOfFew(15_100)?.pages).toEqual([0, 1, 2])
  expect(chunkOfFew(15_099)).toEqual({ parts: ['few'], pages: [0, 2] })
})

test('where a page must fetch fewer chunks and every way makes another page too heavy, it is the way that makes it so by the fewest bytes', () => {
  const parts = [part('own', 1_000), part('x', 5_000), part('y', 5_000)]
  const input = { parts, pages: [['own', 'x', 'y'], ['x'], ['y']], requests: 2 }
  const chunkOfOwn = (...maxBytes: number[]) =>
    planChunks({ ...input, maxBytes: [Infinity, ...maxBytes] }).find((chunk) => chunk.parts.includes('own'))
  expect(chunkOfOwn(5_900, 5_000)).toMatchObject({ pages: [0, 1] })
  expect(chunkOfOwn(5_000, 5_900)).toMatchObject({ pages: [0, 2] })
})

test('a page within another one fetches the code of both', () => {
  const parts = [part('list', 5_000), part('one', 5_000), part('other', 5_000)]
  const pages = [['list'], ['list', 'one'], ['other']]
  expect(planChunks({ parts, pages, requests: 10 })).toContainEqual({ parts: ['list'], pages: [0, 1] })
})

test('code that no page needs at once is left out', () => {
  expect(planChunks({ parts: [part('a', 5_000), part('dialog', 5_000)], pages: [['a']], requests: 10 })).toEqual([
    { parts: ['a'], pages: [0] },
  ])
})

test('code of a page that another page fetches later is apart from what is of the page alone', () => {
  const parts = [part('a', 50_000, ['both']), part('b', 5_000), part('dialog of b', 5_000, ['both']), part('both', 2_000)]
  const plan = planChunks({ parts, pages: [['a'], ['b']], later: [['a'], ['b', 'dialog of b']], requests: 10 })
  expect(plan.map((chunk) => chunk.parts)).toEqual([['both'], ['a'], ['b']])
})

test('a page whose part is not there is refused', () => {
  expect(() => planChunks({ parts: [part('a', 1)], pages: [['b']], requests: 10 })).toThrow('no part is named b')
})

/** Parts that import only those after them, as without circles, and pages that begin with some. */
const graphs = fc
  .array(fc.record({ bytes: fc.integer({ min: 1, max: 20_000 }), to: fc.array(fc.nat(30), { maxLength: 4 }) }), {
    minLength: 2,
    maxLength: 24,
  })
  .chain((drawn) => {
    const parts = drawn.map(({ bytes, to }, at) => {
      const later = to.map((step) => at + 1 + step).filter((one) => one < drawn.length)
      return part(`${at}`, bytes, [...new Set(later)].map(String))
    })
    const starts = fc.array(fc.nat(drawn.length - 1), { minLength: 1, maxLength: 2 })
    const pages = fc.array(
      starts.map((some) => some.map(String)),
      { minLength: 1, maxLength: 8 },
    )
    return fc.record({ parts: fc.constant(parts), pages, requests: fc.integer({ min: 1, max: 6 }) })
  })

function neededBy(parts: ReturnType<typeof part>[], starts: readonly string[]): Set<string> {
  const found = new Set(starts)
  for (const name of found) for (const imported of parts.find((one) => one.name === name)?.imports ?? []) found.add(imported)
  return found
}

test('each page fetches all that it needs with at most the given number of chunks, and no chunks import each other in a circle', () => {
  fc.assert(
    fc.property(graphs, ({ parts, pages, requests }) => {
      const chunks = planChunks({ parts, pages, requests })
      const names = chunks.flatMap((chunk) => chunk.parts)
      expect(new Set(names).size).toBe(names.length)
      const chunkOf = (name: string) => chunks.find((chunk) => chunk.parts.includes(name))
      for (const [page, starts] of pages.entries()) {
        const fetched = chunks.filter((chunk) => chunk.pages.includes(page))
        expect(fetched.length).toBeLessThanOrEqual(requests)
        for (const name of neededBy(parts, starts)) expect(fetched).toContain(chunkOf(name))
      }
      // A chunk that another imports is fetched by more pages, so no way leads back.
      for (const { name, imports } of parts)
        for (const imported of imports) {
          const [from, to] = [chunkOf(name), chunkOf(imported)]
          if (from && to && from !== to) expect(to.pages.length).toBeGreaterThan(from.pages.length)
        }
    }),
  )
})
