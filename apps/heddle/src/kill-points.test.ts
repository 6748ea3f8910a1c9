import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { backupPath } from './backup/backup-route.ts'
import type { TracingClient } from './connect.ts'
import { createKeptRecords, type KeptRecords } from './testing/kill-points/kept-records.ts'
import { type KillPoint, killPoints } from './testing/kill-points/kill-point.ts'
import { type RunningCommand, startCommand } from './testing/run-command.ts'

const apiKey = 'a-key-of-the-kill-points-with-fifty-characters-or-so'

/** The same data folder under one server after the other. */
interface Life {
  folder: string
  records: KeptRecords
}

interface Server {
  command: RunningCommand
  client: TracingClient
  url: string
}

const toldOf = ({ folder }: Life) => join(folder, 'reached')

function launch(life: Life, point?: KillPoint): RunningCommand {
  const armed = point && {
    NODE_OPTIONS: `--import=${new URL('end-at-point.js', inject('builtChildren')).href}`,
    KILL_POINT: JSON.stringify({ ...point, told: toldOf(life) }),
  }
  return startCommand(['serve', '--port', '0'], { HEDDLE_DATA_DIR: join(life.folder, 'data'), HEDDLE_API_KEY: apiKey, ...armed })
}

/** Resolves when the server is up. */
async function addressOf(command: RunningCommand): Promise<Server> {
  await command.said('Any program')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(command.out())?.[0] ?? ''
  return { command, url, client: createClient({ baseUrl: url, apiKey, contract: tracing, retries: 4 }) }
}

async function end({ child, ended }: RunningCommand): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
}

const isReached = (life: Life) => existsSync(toldOf(life))

/** Reads all that the lives before have written. What the point cuts short is read in the next life. */
async function expectAllKept(life: Life, { client }: Server): Promise<void> {
  const faults = await life.records.faults(client).catch((error: unknown) => {
    if (!isReached(life)) throw error
    return []
  })
  expect(faults).toEqual([])
}

/** Writes a fixed number of records with reads in between; ends when the point is reached. */
async function work(life: Life, { url }: Server, count: number): Promise<void> {
  const client = createClient({ baseUrl: url, apiKey, contract: tracing, retries: 0 })
  const until = life.records.acknowledged + count
  async function repeat(request: () => Promise<unknown>): Promise<void> {
    // What is refused, or has no answer, is not acknowledged: that is all there is to know.
    while (!isReached(life) && life.records.acknowledged < until) await request().catch(() => undefined)
  }
  const write = () => life.records.write(client)
  await Promise.all([repeat(write), repeat(write), repeat(write), repeat(() => client.calls.queryStats({ project_id: 'any/project' }))])
}

async function copyTables({ url }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const request = fetch(url + backupPath, { method: 'POST', headers, body: JSON.stringify({ tables: ['calls'] }) })
  const readToEnd = async ({ body }: Response) => {
    // The response continues until it is closed, so that the server knows when the copies are no longer needed.
    for await (const part of body ?? []) if (/"(?:folder|error)"/.test(Buffer.from(part).toString())) return
  }
  await request.then(readToEnd).catch(() => undefined)
}

/** Does what leads to the point, on a server that is up. */
async function approach(point: KillPoint, life: Life, server: Server): Promise<void> {
  await expectAllKept(life, server)
  await work(life, server, point.stage === 'work' ? 2_000 : 12)
  if (point.stage === 'backup') await copyTables(server)
  if (point.stage === 'stop') server.command.child.kill('SIGTERM')
  // Nothing else ends a server whose point does not come.
  if (point.stage === 'work' && !isReached(life)) return
  if (point.victim === 'engine' && point.stage !== 'stop') await expectAllKept(life, server)
  else await server.command.ended
}

/** Lets a server live until the point is reached. */
async function liveUntil(point: KillPoint, life: Life): Promise<void> {
  const command = launch(life, point)
  try {
    // What the life before left in the journal is written on the way up, so any point may be reached there.
    const server = await addressOf(command).catch(() => undefined)
    if (server && point.stage !== 'start') await approach(point, life, server)
    expect(isReached(life), `the point is reached, of a server that wrote ${command.note()}`).toBe(true)
  } catch (error) {
    throw new Error(`at the point ${JSON.stringify(point)}`, { cause: error })
  } finally {
    await end(command)
    await rm(toldOf(life), { force: true })
  }
}

/** Kills servers over one folder at these points, one after the other. The last one is not killed. */
async function liveOver(points: readonly KillPoint[]): Promise<void> {
  const life: Life = { folder: await mkdtemp(join(tmpdir(), 'heddle-points-')), records: createKeptRecords() }
  try {
    for (const point of points) await liveUntil(point, life)
    const command = launch(life)
    try {
      const server = await addressOf(command)
      await expectAllKept(life, server)
      await work(life, server, 12)
      await expectAllKept(life, server)
    } finally {
      await end(command)
    }
  } finally {
    await rm(life.folder, { recursive: true, force: true })
  }
}

/** Deals points to folders: one on the way up to the first server of each, and the others alternately. */
function dealt(points: readonly KillPoint[]): KillPoint[][] {
  const onTheWayUp = points.filter(({ stage }) => stage === 'start')
  const others = points.filter(({ stage }) => stage !== 'start')
  return onTheWayUp.map((first, folder) => [first, ...others.filter((_, index) => index % onTheWayUp.length === folder)])
}

const points = killPoints(trials({ usual: 1, long: 4 }))
/** Points for each folder. */
const most = trials({ usual: 4, long: Infinity })

test('a server that is killed at any point of its work has all that it acknowledged, once and unchanged, when it starts again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(points, { minLength: points.length }), async (shuffled) => {
      const folders = dealt(shuffled).slice(0, trials({ usual: 1, long: Infinity }))
      for (const folder of folders) await liveOver(folder.slice(0, most))
    }),
    { numRuns: 1, endOnFailure: true },
  )
}, 3_600_000)
