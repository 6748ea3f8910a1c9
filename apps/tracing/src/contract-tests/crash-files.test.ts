import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileBlobs, openSqlite, processLock, sweepBlobs } from '@heddle/datastore'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashDigest } from '../payload/digest.ts'
import { sqlFilesStore } from '../records/files/files-store.sql.ts'
import { type Access, type KillableServers, type Server, startKillableServers } from './testing/killable-server.ts'
import { writeUntilKilled } from './testing/write-until-killed.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/files'
const sizes = [0, 1, 1_000, 70_000, 400_000, 3_000_000]

interface Upload {
  bytes: Buffer
  digest: string
}

function anUpload(turn: number): Upload {
  const bytes = randomBytes(sizes[turn % sizes.length] ?? 0)
  return { bytes, digest: hashDigest(createHash('sha256').update(bytes).digest('hex')) }
}

/** The status of the answer; undefined where there was none. */
async function send({ url, apiKey }: Access, { bytes, digest }: Upload): Promise<number | undefined> {
  const body = new FormData()
  body.append('project_id', project_id)
  body.append('expected_digest', digest)
  body.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'f')
  try {
    const response = await fetch(`${url}/file/create`, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body })
    await response.text()
    return response.status
  } catch {
    return undefined
  }
}

/** `whole` when the content is that of the upload, else what came instead of it. */
async function read({ url }: Server, apiKey: string, { bytes, digest }: Upload): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/file/content`, { method: 'POST', headers, body: JSON.stringify({ project_id, digest }) })
  const content = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) return `status ${response.status}`
  return content.equals(bytes) ? 'whole' : `${content.byteLength} bytes of ${bytes.byteLength}`
}

/** The findings of a sweep after all writes: everything is older than the grace time then. */
async function sweep(dataDir: string) {
  const database = await openSqlite(join(dataDir, 'heddle.db'))
  const blobs = fileBlobs(join(dataDir, 'blobs'))
  const locks = processLock()
  const files = sqlFilesStore({ database, blobs, locks })
  const later = { now: Date.now() * 1000 + 60_000_000, graceMicros: 1 }
  const swept = await sweepBlobs({ blobs, locks, findReferenced: (hashes) => files.findReferenced(hashes), ...later })
  await database.destroy()
  return swept
}

test('a server that is killed in the middle of uploads has every acknowledged file whole, no other in part, and nothing left after a sweep', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (killAfter) => {
      const { dataDir, apiKey, acknowledged, unanswered } = await writeUntilKilled<Upload>({
        servers,
        killAfter,
        writers: 6,
        workOf: (_, round) => [anUpload(round)],
        send: async (access, upload) => {
          const status = await send(access, upload)
          if (status !== undefined) expect(status).toBe(200)
          return status !== undefined
        },
      })
      await sweep(dataDir)
      const again = await servers.start(dataDir, apiKey)
      try {
        for (const upload of acknowledged) expect(await read(again, apiKey, upload)).toBe('whole')
        for (const upload of unanswered) {
          expect(['whole', 'status 404']).toContain(await read(again, apiKey, upload))
          expect(await send({ url: again.url, apiKey }, upload)).toBe(200)
          expect(await read(again, apiKey, upload)).toBe('whole')
        }
      } finally {
        await servers.kill(again)
      }
      const digests = new Set([...acknowledged, ...unanswered].map(({ digest }) => digest))
      expect(await sweep(dataDir)).toEqual({ examined: digests.size, deleted: 0, unfinished: 0 })
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
