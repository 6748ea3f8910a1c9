import { canonicalJson, parseJson } from '@heddle/json'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textDigest } from '../payload/digest.ts'
import { tableDigest } from '../records/tables/store-table.ts'
import { type Access, isAcknowledged, type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'
import { writeUntilKilled } from './testing/write-until-killed.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/tables'

/** One request that makes a table, and the table that it makes. */
interface Write {
  path: string
  body: string
  digest: string
  /** JSON texts of the rows, in order. */
  rows: readonly string[]
}

/** A row whose bytes show any change: a number that JavaScript would write otherwise, and text beyond ASCII. */
const aRow = (name: string) => `{"name":"${name}","exact":1.0,"text":"ü🙂${'x'.repeat(100)}"}`

async function aWrite(
  path: string,
  fields: string,
  { rows, digests }: { rows: readonly string[]; digests: readonly string[] },
): Promise<Write> {
  return { path, body: `{"project_id":"${project_id}",${fields}}`, digest: await tableDigest([digests]), rows }
}

function digestsOf(rows: readonly string[]): string[] {
  const digests = new Map([...new Set(rows)].map((row) => [row, textDigest(canonicalJson(parseJson(row)))]))
  return rows.map((row) => digests.get(row) ?? '')
}

async function created(rows: readonly string[]): Promise<Write> {
  const body = `{"table":{"project_id":"${project_id}","rows":[${rows.join(',')}]}}`
  return { path: '/table/create', body, digest: await tableDigest([digestsOf(rows)]), rows }
}

function fromDigests(rows: readonly string[]): Promise<Write> {
  const digests = digestsOf(rows)
  return aWrite('/table/create_from_digests', `"row_digests":${JSON.stringify(digests)}`, { rows, digests })
}

/** A row appended, one put before the first and the last one of the base taken out. */
function updated({ digest, rows: base }: Write, name: string): Promise<Write> {
  const row = aRow(name)
  const updates = `{"append":{"row":${row}}},{"insert":{"index":0,"row":${row}}},{"pop":{"index":${base.length}}}`
  const rows = [row, ...base.slice(0, -1), row]
  return aWrite('/table/update', `"base_digest":"${digest}","updates":[${updates}]`, { rows, digests: digestsOf(rows) })
}

/** More positions than one insert takes. */
const manyPositions = 100_000

/** What one writer sends, in order: a table, one of its rows in many chunks or in several inserts, and an update of the first. */
async function workOf(turn: number, round: number): Promise<Write[]> {
  const rows = Array.from({ length: [1, 40, 1_200][(turn + round) % 3] ?? 1 }, (_, at) => aRow(`${turn}-${round}-${at}`))
  const table = await created(rows)
  const repeated = Array.from({ length: round % 4 === 0 ? manyPositions : 2_100 }, (_, at) => rows[at % Math.min(rows.length, 3)] ?? '')
  const update = await updated(table, `${turn}-${round}-new`)
  return [table, await fromDigests(repeated), update]
}

async function isStored(access: Access, write: Write): Promise<boolean> {
  return isAcknowledged(access, write, (text) => expect(JSON.parse(text)).toMatchObject({ digest: write.digest }))
}

const ask = async (server: Server, apiKey: string, path: string, body: object) => {
  const response = await sendTo(server.url, apiKey, { path, body: JSON.stringify({ project_id, ...body }) })
  expect(response?.status).toBe(200)
  return (await response?.text()) ?? ''
}

/** True when the table is there with every row, false when nothing of it is there; fails when it is half there. */
async function isThere(server: Server, apiKey: string, { digest, rows }: Write): Promise<boolean> {
  const { count } = JSON.parse(await ask(server, apiKey, '/table/query_stats', { digest })) as { count: number }
  expect([0, rows.length]).toContain(count)
  const offset = Math.max(0, rows.length - 1_500)
  const lines = (await ask(server, apiKey, '/table/query_stream', { digest, offset })).split('\n').filter((line) => line !== '')
  const wanted = count === 0 ? [] : rows.slice(offset).map((row, at) => `"val":${row},"original_index":${offset + at}}`)
  expect(lines.map((line) => line.slice(line.indexOf('"val"')))).toEqual(wanted)
  return count > 0
}

test('a server that is killed in the middle of writing tables has each of them as a whole or not at all, and every acknowledged one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: trials({ usual: 15, long: 60 }) }), async (killAfter) => {
      const { dataDir, apiKey, acknowledged, unanswered } = await writeUntilKilled<Write>({
        servers,
        killAfter,
        writers: 4,
        workOf,
        send: isStored,
      })
      expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter)
      const again = await servers.start(dataDir, apiKey)
      try {
        for (const write of acknowledged) expect([write.path, await isThere(again, apiKey, write)]).toEqual([write.path, true])
        for (const write of unanswered) {
          await isThere(again, apiKey, write)
          // What got no answer is sent again, as clients do.
          expect((await sendTo(again.url, apiKey, write))?.status).toBe(200)
          expect(await isThere(again, apiKey, write)).toBe(true)
        }
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
