import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Analytical, DiskSpace } from '@heddle/datastore'
import { shareTestStores } from '@heddle/datastore/testing'
import type { Caller } from '@heddle/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupPath, backupRoute } from './backup-route.ts'
import { copiesFolder } from './copy-tables.ts'

const access: Caller['access'] = { role: 'admin', entity: '*', projects: [], scopes: [] }
const operator: Caller = { keyId: 'k', userId: 'u', username: 'u', entity: 'e', access, recording: null }

let analytical: Analytical
let dataDir: string
beforeAll(async () => {
  analytical = (await shareTestStores()).analytical
  dataDir = await mkdtemp(join(tmpdir(), 'heddle-backup-route-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

/** The lines with which a request for copies is answered. */
async function linesWith(room: DiskSpace): Promise<unknown[]> {
  const { handle } = backupRoute({ analytical, dataDir, readRoom: async () => room })
  const request = new Request(`http://local${backupPath}`, { method: 'POST', body: '{"tables":["calls"]}' })
  const text = await (await handle(request, operator)).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

test('copies that would not leave the reserve of the disk free are refused, and nothing is left of them', async () => {
  const lines = await linesWith({ free: (5 << 20) - 1, reserve: 5 << 20 })
  expect(lines.at(-1)).toEqual({
    error: expect.stringMatching(/^copying the tables needs .* on the disk of the data folder, but only .* are free$/),
  })
  expect(await readdir(copiesFolder(dataDir)).catch(() => [])).toEqual([])
})
