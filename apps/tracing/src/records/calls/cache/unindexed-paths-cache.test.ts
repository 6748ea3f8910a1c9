import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, findCalls, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { createUnindexedPathsCache } from './unindexed-paths-cache.ts'

const aRow = (idx_gaps: string) => ({ project_id: 'e/p', idx_gaps })
/** Whether a path may be unindexed, once all has been read that a first query reads. */
async function whenRead(paths: ReturnType<typeof createUnindexedPathsCache>, path: string) {
  paths.of('e/p')
  await new Promise(setImmediate)
  return paths.of('e/p')?.([`|${path}|`])
}

describe('the unindexed paths that a server has cached', () => {
  test('come from the store at first, when the store alone can tell', async () => {
    const paths = createUnindexedPathsCache({ readUnindexed: async () => ['|in.a|out|', ''] })
    expect(paths.of('e/p')).toBeUndefined()
    expect([await whenRead(paths, 'in.a'), await whenRead(paths, 'in'), await whenRead(paths, 'out')]).toEqual([true, false, true])
  })

  test('of a call with too many to list are all paths', async () => {
    expect(await whenRead(createUnindexedPathsCache({ readUnindexed: async () => ['', '*'] }), 'in.a')).toBe(true)
  })

  test('that could not be read are requested again', async () => {
    const answers = [Promise.reject(new Error('no answer')), Promise.resolve(['|in|'])]
    const paths = createUnindexedPathsCache({ readUnindexed: () => answers.shift() ?? Promise.resolve([]) })
    expect(await whenRead(paths, 'in')).toBeUndefined()
    expect(await whenRead(paths, 'in')).toBe(true)
  })

  test.each([
    ['different lists', Array.from({ length: 2_001 }, (_, n) => `|in.${n % 9}|`)],
    ['paths', Array.from({ length: 2_000 }, (_, n) => `|in.${n}|out.${n}|`)],
    ['characters', Array.from({ length: 100 }, (_, n) => `|in.${n}${'x'.repeat(1_100)}|`)],
  ])('are left to the store where a project has too many %s', async (_, lists) => {
    expect(await whenRead(createUnindexedPathsCache({ readUnindexed: async () => lists }), 'in')).toBeUndefined()
  })

  test('hold those of every row that can be read, in whatever order rows are stored and read', async () => {
    const path = fc.constantFrom('in.a', 'in.b', 'out')
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.option(path), { maxLength: 12 }), async (scheduler, steps) => {
        const readable: string[] = []
        const paths = createUnindexedPathsCache({
          async readUnindexed() {
            await scheduler.schedule(Promise.resolve())
            const found = [...readable]
            await scheduler.schedule(Promise.resolve())
            return found
          },
        })
        const isMissing = (row: string) => paths.of('e/p')?.([row]) === false
        const write = (row: string) =>
          paths.storing([aRow(row)], async () => {
            await scheduler.schedule(Promise.resolve())
            readable.push(row)
            await scheduler.schedule(Promise.resolve())
          })
        const work = Promise.all(
          steps.map(async (step) => {
            await scheduler.schedule(Promise.resolve())
            if (step !== null) await write(`|${step}|`)
            expect(readable.filter(isMissing)).toEqual([])
          }),
        )
        await scheduler.waitFor(work)
      }),
      { numRuns: trials({ usual: 300, long: 20_000 }) },
    )
  })
})

describe('a filter on an indexed path (query-language 4)', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('finds calls whose index lacks it, also when the first of them comes after others were queried', async () => {
    const project_id = app.newProject()
    const long = 'x'.repeat(300)
    const find = async (value: string | number) => {
      const query = { $expr: { $eq: [{ $getField: 'inputs.deep.text' }, { $literal: value }] } }
      return (await findCalls(app.client, { project_id, query })).map(({ id }) => id)
    }
    const short = aCall({ project_id, inputs: { deep: { text: 'short' } } })
    await record(app.client, short)
    for (const _ of [1, 2, 3]) expect(await find('short')).toEqual([short.id])
    const later = aCall({ project_id, inputs: { deep: { text: long } } })
    await record(app.client, later)
    expect(await find(long)).toEqual([later.id])
    expect(await find('short')).toEqual([short.id])
  })
})
