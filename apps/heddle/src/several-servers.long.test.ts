import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { type Receiver, startReceiver } from '@heddle/tracing/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { assistants } from './testing/several-servers/assistants.ts'
import { madeKeys } from './testing/several-servers/made-keys.ts'
import { reachedLimits } from './testing/several-servers/reached-limits.ts'
import { reviews } from './testing/several-servers/reviews.ts'
import { signIns } from './testing/several-servers/sign-ins.ts'
import { apiKey, startServers, type Servers } from './testing/several-servers/start-servers.ts'
import { trainedModels } from './testing/several-servers/trained-models.ts'
import { workUntil } from './testing/several-servers/work.ts'
import { writtenRecords } from './testing/several-servers/written-records.ts'
import { type SharedStores, startSharedStores } from './testing/shared-stores.ts'

const count = 3
/** Servers are killed in turn. */
const kills = 36
/** Records that are acknowledged between two events: enough that a server lives for longer than it takes to see that a lease has expired. */
const recordsBetween = 120

describe.skipIf(inject('postgresUrl') === '')('three servers behind a proxy that sends each request to the next one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-several-'))
  let stores: SharedStores
  let servers: Servers
  let receiver: Receiver
  beforeAll(async () => {
    stores = await startSharedStores(folder)
    receiver = await startReceiver()
    servers = await startServers({ count, folder, environment: stores.environment })
  }, 240_000)
  afterAll(async () => {
    await servers?.close()
    receiver?.close()
    await stores?.close()
    rmSync(folder, { recursive: true, maxRetries: 20 })
  }, 120_000)

  const clientOf = (baseUrl: string, retries = 4) => createClient({ baseUrl, apiKey, contract: tracing, retries })

  test('lose nothing, double nothing and break no session while each of them is killed in the middle of all kinds of work', async () => {
    const { url } = servers.proxy
    const clients = { tracing: clientOf(url), training: createClient({ baseUrl: url, apiKey, contract: training, retries: 4 }) }
    const written = writtenRecords({ once: clientOf(url, 0), again: clients.tracing })
    const works = [
      written,
      signIns(url, apiKey),
      madeKeys(url, clients.tracing),
      await reviews(url, clients.tracing),
      await assistants(url, apiKey, clients),
      await trainedModels(clients, receiver),
      await reachedLimits({ url, apiKey, addresses: servers.addresses }),
    ]
    let isOver = false
    const working = Promise.all(
      works.map(async (work) => {
        const done = await workUntil(work, () => isOver)
        isOver = true
        return done
      }),
    )
    const furtherRecords = async () => {
      const until = written.records.acknowledged + recordsBetween
      while (written.records.acknowledged < until && !isOver) await delay(20)
    }
    for (let at = 0; at < kills && !isOver; at++) {
      await furtherRecords()
      await servers.kill(at % count)
      await furtherRecords()
      await servers.start(at % count)
    }
    isOver = true
    const done = await working
    for (const [at, work] of works.entries()) {
      const { steps, faults } = done[at] ?? { steps: 0, faults: [] }
      expect([...faults, ...(await work.faults())], work.name).toEqual([])
      expect(steps, `parts of ${work.name} that were done`).toBeGreaterThan(0)
    }
    expect(servers.proxy.answered).toHaveLength(count)
    expect(Math.min(...servers.proxy.answered)).toBeGreaterThan(0)
  }, 3_600_000)
})
