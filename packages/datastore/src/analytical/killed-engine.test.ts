import process from 'node:process'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../testing/index.ts'
import { sql } from './sql.ts'
import { callsTable } from './tables/calls.ts'

let stores: TestStores
let restarted: () => void = () => {}
beforeAll(async () => {
  stores = await startTestStores({ engine: { onRestart: () => restarted() } })
})
afterAll(() => stores.close())

const oneStatement = sql`SELECT 1 AS one`
const tickMs = 5

/** Kills the engine once it is up, and waits until that is noticed. */
async function killEngine(): Promise<void> {
  await stores.engine.settled()
  const { pid } = stores.engine
  // Process 0 would be every process of this test's group.
  if (pid === undefined) throw new Error('the engine is not up')
  const noticed = new Promise<void>((resolve) => {
    restarted = resolve
  })
  process.kill(pid, 'SIGKILL')
  await noticed
}

/** Writers that never stop, and count what was acknowledged. */
function startWriters(count: number) {
  const acknowledged: string[] = []
  let goal = { count: Infinity, reached: () => {} }
  let isWriting = true

  async function write(writer: number): Promise<void> {
    for (let index = 0; isWriting; index++) {
      const id = `w${writer}-${index}`
      const row = aCallRow({ project_id: 'kill/ed', id, inputs: `{"pad":"${'x'.repeat(2_000)}"}` })
      try {
        await stores.analytical.insert(callsTable, aBlock(callsTable, row))
        acknowledged.push(id)
        if (acknowledged.length >= goal.count) goal.reached()
      } catch {
        // Refused, so not acknowledged: like a client, come again a little later.
        await new Promise((resolve) => setTimeout(resolve, tickMs))
      }
    }
  }

  const running = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
  return {
    acknowledged,
    /** Resolves when this many more writes have been acknowledged. */
    more: (writes: number) =>
      new Promise<void>((reached) => {
        goal = { count: acknowledged.length + writes, reached }
      }),
    async stop() {
      isWriting = false
      await running
    },
  }
}

test('a killed engine loses nothing acknowledged, and the store recovers', { timeout: 600_000 }, async () => {
  const kills = trials({ usual: 2, long: 20 })
  const writers = startWriters(4)
  for (let trial = 0; trial < kills; trial++) {
    await writers.more(10 + ((trial * 7) % 23))
    await killEngine()
  }
  await writers.more(10)
  await writers.stop()
  await stores.engine.settled()
  const found = await stores.analytical.rows<{ id: string }>(sql`SELECT id FROM calls FINAL WHERE project_id = 'kill/ed'`)
  const ids = new Set(found.map((row) => row.id))
  expect(writers.acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect((await stores.analytical.health()).restarts).toBeGreaterThanOrEqual(kills)
})

test('reads fail as unavailable until the engine is back', async () => {
  const reading = stores.analytical.rows(sql`SELECT sleep(3)`).catch((error: unknown) => error)
  await killEngine()
  // Asked at once, before the next engine can be up.
  const later = stores.analytical.rows(oneStatement).catch((error: unknown) => error)
  expect(await reading).toMatchObject({ kind: 'unavailable' })
  expect(await later).toMatchObject({ kind: 'unavailable' })
  await stores.engine.settled()
  expect(await stores.analytical.rows(oneStatement)).toEqual([{ one: 1 }])
})

test('health reports that the engine is unavailable', async () => {
  await killEngine()
  expect(await stores.analytical.health()).toMatchObject({ ready: false, version: '' })
  await stores.engine.settled()
  expect(await stores.analytical.health()).toMatchObject({ ready: true })
})
