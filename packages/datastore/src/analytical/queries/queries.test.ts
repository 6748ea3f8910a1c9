import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, ownSql, sql, type Sql } from '../sql.ts'
import { projectsOf, serverWork, sharedWork, type StatementPermits, type WorkScope } from '../../work/work-scope.ts'

/** Far less than the statements of these tests would take. */
const patience = { timeout: 25_000 }

/** Permits that say who has them, for as many as there are of them. */
function countedPermits() {
  const holders: string[] = []
  const permits: StatementPermits & { left: number } = {
    left: 10,
    async acquire({ project }, signal) {
      if (permits.left === 0 || signal.aborted) return undefined
      permits.left--
      holders.push(project)
      return () => {
        permits.left++
        holders.splice(holders.indexOf(project), 1)
      }
    },
  }
  return { permits, holders }
}

const { permits, holders } = countedPermits()
let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores({ permits })
})
afterAll(() => stores.close())

function aScope(project: string) {
  const client = new AbortController()
  const scope: WorkScope = { tenant: { caller: 'key', project }, signal: client.signal }
  return { scope, leave: () => client.abort(new Error('the client left')) }
}

const running = async (name: string) => {
  const half = bind('String', name.slice(0, 4))
  const [row] = await stores.analytical.rows<{ count: number }>(
    sql`SELECT toFloat64(count()) AS count FROM system.processes WHERE position(query, concat(${half}, ${bind('String', name.slice(4))})) > 0`,
  )
  return row?.count
}
/** Minutes of work, which the list of running statements shows by the name of its result. */
const endless = (name: string): Sql => ownSql(`SELECT sum(sipHash64(number)) AS ${name} FROM numbers(1000000000000)`)
const endlessRows = (name: string): Sql => ownSql(`SELECT number, sipHash64(number) AS ${name} FROM numbers(1000000000000)`)

test('a statement is cancelled when its caller leaves, and its permit is released once it has ended', async () => {
  const { scope, leave } = aScope('leaving')
  const answer = stores.analytical.of(scope).rows(endless('leaving_rows'))
  await expect.poll(() => running('leaving_rows'), patience).toBe(1)
  expect(holders).toEqual(['leaving'])
  leave()
  await expect(answer).rejects.toMatchObject({ name: 'StoreError', kind: 'cancelled' })
  await expect.poll(() => holders, patience).toEqual([])
  expect(await running('leaving_rows')).toBe(0)
})

test('a stream is cancelled in the engine when its caller leaves or stops reading', async () => {
  const leaving = aScope('streams')
  const blocks = stores.analytical.of(leaving.scope).blocks(endlessRows('leaving_stream'))[Symbol.asyncIterator]()
  await blocks.next()
  expect(holders).toEqual(['streams'])
  leaving.leave()
  const readOn = async () => {
    for (;;) if ((await blocks.next()).done) return 'the stream ended like a whole one'
  }
  await expect(readOn()).rejects.toMatchObject({ kind: 'cancelled' })
  for await (const block of stores.analytical.of(aScope('streams').scope).blocks(endlessRows('stopped_stream'))) {
    expect(block.length).toBeGreaterThan(0)
    break
  }
  await expect.poll(() => holders, patience).toEqual([])
  expect(await running('_stream')).toBe(0)
})

test('a statement that succeeds or fails releases its permit at once', async () => {
  const { scope } = aScope('quick')
  expect(await stores.analytical.of(scope).rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
  await expect(stores.analytical.of(scope).rows(ownSql('SELECT nothing FROM nowhere'))).rejects.toMatchObject({ kind: 'failed' })
  for await (const block of stores.analytical.of(scope).blocks(sql`SELECT 1 AS one`)) expect(block).toEqual([{ one: 1 }])
  expect(holders).toEqual([])
})

test('a caller that has left starts nothing', async () => {
  const { scope, leave } = aScope('gone')
  leave()
  await expect(stores.analytical.of(scope).rows(sql`SELECT 1`)).rejects.toMatchObject({ kind: 'cancelled' })
  expect(holders).toEqual([])
})

test('a statement without a permit is refused with 429, and server work needs none', async () => {
  permits.left = 0
  await expect(stores.analytical.of(aScope('late').scope).rows(sql`SELECT 1`)).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 1 })
  expect(await stores.analytical.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
  expect(await stores.analytical.health()).toMatchObject({ ready: true })
  permits.left = 10
})

test('a shared statement runs until all of its callers have left', async () => {
  const [one, other] = [aScope('one'), aScope('other')]
  const answer = stores.analytical.of(sharedWork([one.scope, other.scope])).rows(endless('shared_by_two'))
  await expect.poll(() => running('shared_by_two'), patience).toBe(1)
  one.leave()
  expect(await running('shared_by_two')).toBe(1)
  other.leave()
  await expect(answer).rejects.toMatchObject({ kind: 'cancelled' })
  await expect.poll(() => running('shared_by_two'), patience).toBe(0)
  expect(sharedWork([one.scope]).signal?.aborted).toBe(true)
  expect(sharedWork([one.scope, serverWork])).toBe(serverWork)
})

test('a shared statement reads the projects of all its callers, or any where one is the server', () => {
  const { signal } = new AbortController()
  const scopeOf = (project: string): WorkScope => ({ tenant: { caller: 'key', project }, signal })
  expect(projectsOf(sharedWork([scopeOf('acme/a'), scopeOf('acme/b'), scopeOf('acme/a')]))).toEqual(['acme/a', 'acme/b'])
  expect(projectsOf(sharedWork([scopeOf('acme/a'), { ...scopeOf('acme/b'), signal: undefined }]))).toEqual(['acme/a', 'acme/b'])
  expect(projectsOf(sharedWork([scopeOf('acme/a'), serverWork]))).toBeUndefined()
})
