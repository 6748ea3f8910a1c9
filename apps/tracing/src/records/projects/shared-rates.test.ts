import { randomUUID } from 'node:crypto'
import { isApiError } from '@heddle/core-api'
import type { RelationalStore } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { newPostgresDatabase } from '@heddle/datastore/testing'
import { sqlProjectLimitsStore } from '@heddle/identity'
import { createProjectLimiter } from '@heddle/service-kit'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

const exchangeEveryMs = 1_000
const seconds = 120

describe.skipIf(inject('postgresUrl') === '')('servers on one PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof newPostgresDatabase>>
  let databases: RelationalStore[]
  beforeAll(async () => {
    postgres = await newPostgresDatabase(inject('postgresUrl'))
    // One after the other: the first migrates.
    databases = [await openPostgres(postgres.url), await openPostgres(postgres.url)]
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await Promise.all(databases.map((database) => database.destroy()))
    await postgres.drop()
  })

  /** A server with connections of its own, whose requests are all of one key. */
  function aServer(database: RelationalStore, time: { nowMs: number }) {
    const store = sqlProjectLimitsStore(database)
    const errors: unknown[] = []
    let exchanged: ReturnType<typeof store.addRequests> = Promise.resolve([])
    const limiter = createProjectLimiter({
      store: { ...store, addRequests: (added, day) => (exchanged = store.addRequests(added, day)) },
      sharesStore: true,
      nowMs: () => time.nowMs,
      onError: (error) => errors.push(error),
    })
    return {
      limiter,
      errors,
      /** Resolves once the exchange that runs is taken into account. */
      exchanged: () => exchanged,
      async isAdmitted(projectId: string): Promise<boolean> {
        try {
          await limiter.forRequest({ keyId: 'key', body: { bytes: 0, declaredBytes: 0 }, addsData: false }).charge(projectId, 'read')
          return true
        } catch (error) {
          if (!isApiError(error) || error.status !== 429) throw error
          return false
        }
      },
    }
  }

  test('admit together what one may, but for the burst and a second of each', { timeout: 300_000 }, async () => {
    const limit = fc.integer({ min: 20, max: 2_000 })
    const property = fc.asyncProperty(
      limit,
      fc.constantFrom('requests_per_minute', 'requests_per_minute_per_key'),
      async (perMinute, name) => {
        const time = { nowMs: 0 }
        const projectId = `test/${randomUUID()}`
        const servers = databases.map((database) => aServer(database, time))
        await servers[0]?.limiter.set({ id: projectId }, { [name]: perMinute })

        const admitted: number[] = []
        for (let second = 0; second < seconds; second++) {
          for (const { isAdmitted } of servers)
            for (let request = 0; request < perMinute / 10 + 2; request++) if (await isAdmitted(projectId)) admitted.push(second)
          await vi.advanceTimersByTimeAsync(exchangeEveryMs)
          await Promise.all(servers.map(({ exchanged }) => exchanged()))
          time.nowMs += exchangeEveryMs
        }
        await Promise.all(servers.map(({ limiter }) => limiter.close()))

        expect(servers.flatMap(({ errors }) => errors)).toEqual([])
        const burst = 1 + Math.floor(perMinute * 0.05)
        const overshoot = servers.length * (burst + perMinute / 60 + 1)
        for (let from = 0; from <= seconds - 60; from += 10)
          expect(admitted.filter((second) => second >= from && second < from + 60).length).toBeLessThanOrEqual(perMinute + overshoot)
        const minutes = seconds / 60
        expect(admitted.length).toBeLessThanOrEqual(minutes * perMinute + overshoot)
        expect(admitted.length).toBeGreaterThanOrEqual(minutes * perMinute * 0.85 - overshoot)
      },
    )
    await fc.assert(property, { numRuns: trials({ usual: 2, long: 20 }) })
  })

  test('add to the same sums at the same time, and lose nothing', { timeout: 120_000 }, async () => {
    const stores = databases.map(sqlProjectLimitsStore)
    const subjects = Array.from({ length: 300 }, () => randomUUID()).toSorted()
    const rounds = 10
    const sums = await Promise.all(
      stores.map(async (store, at) => {
        const seen: number[][] = []
        for (let round = 0; round < rounds; round++) {
          const added = subjects.map((subject) => ({ rate: 'requests_per_minute' as const, subject, requests: at + 1 }))
          const told = new Map((await store.addRequests(added, 1)).map(({ subject, requests }) => [subject, requests]))
          seen.push(subjects.map((subject) => told.get(subject) ?? Number.NaN))
        }
        return seen
      }),
    )
    // Each sum holds at least what its server has added, and the last of all holds everything.
    sums.forEach((seen, at) => seen.forEach((row, round) => expect(Math.min(...row)).toBeGreaterThanOrEqual((round + 1) * (at + 1))))
    const last = sums.map((seen) => seen.at(-1) ?? [])
    expect(subjects.map((_, index) => Math.max(...last.map((row) => row[index] ?? Number.NaN)))).toEqual(subjects.map(() => rounds * 3))
  })
})
