import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { RelationalStore } from '@heddle/datastore'
import { openTestRelational } from '@heddle/datastore/testing'
import '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isSampled } from './is-sampled.ts'
import { type Death, monitorServers } from './testing/monitor-servers.ts'

const scorers = ['weave:///a/b/object/x:1', 'weave:///a/b/object/y:1']
const trials = inject('long') ? 300 : 10

type Step = { kind: 'write'; count: number } | { kind: 'pass'; seconds: number } | { kind: 'sweep'; deaths: (Death | undefined)[] }

const death = fc.option(fc.record({ operation: fc.nat({ max: 6 }), isAfter: fc.boolean() }), { nil: undefined })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 8, max: 20 }) }),
  fc.record({ kind: fc.constant('sweep' as const), deaths: fc.array(death, { minLength: 1, maxLength: 2 }) }),
)

describe.each(['sqlite', 'postgres'] as const)('monitors over %s', (dialect) => {
  const isMissing = dialect === 'postgres' && inject('postgresUrl') === ''
  let relational: Awaited<ReturnType<typeof openTestRelational>>
  let database: RelationalStore
  let projects = 0
  beforeAll(async () => {
    if (isMissing) return
    const folder = join(inject('storesFolder'), `monitors-${randomUUID()}`)
    relational = await openTestRelational(folder, dialect === 'postgres' ? inject('postgresUrl') : undefined)
    database = relational.database
  })
  afterAll(() => relational?.closeRelational())

  test.skipIf(isMissing)(
    'ask for each chosen call and scorer once, and count each call once, whenever servers die and however many there are',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), fc.constantFrom(0, 0.2, 1), async (steps, rate) => {
          const servers = await monitorServers(database, { projectId: `acme/project-${projects++}`, rate, scorers })
          await servers.sweep()
          for (const each of steps) {
            if (each.kind === 'write') servers.write(each.count)
            if (each.kind === 'pass') servers.pass(each.seconds)
            if (each.kind === 'sweep') await Promise.all(each.deaths.map((one) => servers.sweep(one)))
          }
          servers.pass(20)
          for (let times = 0; times < 3; times++) {
            await servers.sweep()
            servers.pass(1)
          }
          const chosen = servers.calls.filter(({ id }) => isSampled(`${servers.projectId}/watch`, id, rate))
          expect(await servers.outcome()).toEqual({
            scores: chosen.flatMap(({ id }) => scorers.map((scorer) => `${id} ${scorer}`)).sort(),
            sampled: chosen.length * scorers.length,
            skipped: servers.calls.length - chosen.length,
          })
          await servers.close()
        }),
        { numRuns: trials, seed: 15 },
      )
    },
    120_000,
  )
})
