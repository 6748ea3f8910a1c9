import { randomUUID } from 'node:crypto'
import { type RelationalStore, systemTiming } from '@heddle/datastore'
import { createIdentity, sqlIdentityStore } from '@heddle/identity'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import type { CallKey } from '../../../records/calls/calls-store.ts'
import { versionAt } from '../../../records/calls/write/hybrid-clock.ts'
import { sqlMonitorsStore } from '../monitors-store.sql.ts'
import { createSweepMonitors } from '../sweep-monitors.ts'
import { createWatchMonitor } from '../watch-monitor.ts'

const settleMs = 10_000
const second = 1_000_000

/** A server that dies at one of its operations, counted from 0: before it, or after it and before its answer. */
export interface Death {
  operation: number
  isAfter: boolean
}

interface WatchedProject {
  /** One that no other trial uses. */
  projectId: string
  rate: number
  scorers: readonly string[]
}

/** Servers that look after one monitor, over one database, with calls and time in memory. */
export async function monitorServers(database: RelationalStore, { projectId, rate, scorers }: WatchedProject) {
  const queue = `queue of ${projectId}`
  let now = 1_900_000_000 * second
  const calls: CallKey[] = []
  const clock = () => now
  const identity = createIdentity({ store: sqlIdentityStore(database), clock })
  const names = { project_id: projectId, object_id: 'watch', kind: 'object', digest: 'd' }
  const classes = { base_object_class: 'Monitor', leaf_object_class: 'Monitor' }
  await database
    .insertInto('object_versions')
    .values({ ...names, ...classes, version_index: 0, wb_user_id: 'u', size_bytes: 1, created_at: now, deleted_at: null })
    .execute()
  await database.insertInto('object_latest').values(names).execute()
  const bases = { _type: 'Monitor', _class_name: 'Monitor', _bases: ['Object', 'BaseModel'] }
  const value = { ...bases, active: true, sampling_rate: rate, scorers, op_names: [] }

  /** The first that a dead server does is its last: what follows fails, too. */
  function mortal<T extends object>(target: T, death: Death | undefined, done: { operations: number }): T {
    return new Proxy(target, {
      get(object, key) {
        const member: unknown = Reflect.get(object, key)
        if (typeof member !== 'function') return member
        return async (...input: unknown[]) => {
          const at = done.operations++
          const isDead = death !== undefined && (at > death.operation || (at === death.operation && !death.isAfter))
          if (isDead) throw new Error('the server is dead')
          const result: unknown = await member.apply(object, input)
          if (death !== undefined && at === death.operation) throw new Error('the server is dead')
          return result
        }
      },
    })
  }

  return {
    projectId,
    queue,
    calls,
    pass(seconds: number) {
      now += seconds * second
    },
    /** Writes calls that end now. */
    write(count: number) {
      for (let n = 0; n < count; n++) {
        now += 1_000
        calls.push({ id: `call-${calls.length}`, version: String(versionAt(now)), started_micros: now, bytes: 1 })
      }
    },
    /** Lets a server look after the monitor once. */
    async sweep(death?: Death) {
      const done = { operations: 0 }
      const store = mortal(sqlMonitorsStore(database), death, done)
      const jobStore = mortal(sqlJobsStore({ database, queue }), death, done)
      const jobs = createJobs({ store: jobStore, clock, timing: systemTiming, newId: randomUUID, log: { info() {}, error() {} } })
      const times = { everyMs: 0, settleMs, windowMs: 86_400_000 }
      const watch = createWatchMonitor({
        store,
        jobs,
        clock,
        times,
        loadScorer: async (_project, ref) => ({ ref, name: ref, className: 'x', run: { by: 'rule', judge: () => ({}) } }),
        calls: {
          findWritten: async (_project, { after, until, limit }) =>
            calls.filter(({ version }) => BigInt(version) > after && BigInt(version) <= until).slice(0, limit),
        },
      })
      const sweep = createSweepMonitors({
        store,
        watch,
        clock,
        times,
        loadObject: async () => ({ classes: [], value }),
        openProject: (id, signal) => identity.openForWork(id, { caller: 'test', signal }),
        onError() {},
      })
      await sweep(new AbortController().signal).catch(() => undefined)
    },
    /** The requested scores, as `call scorer`, and the counts of the monitor. */
    async outcome() {
      const rows = await database.selectFrom('jobs').select('payload').where('queue', '=', queue).execute()
      const asked = rows.map(({ payload }) => JSON.parse(payload) as { call_id: string; scorer_ref: string })
      const state = await database.selectFrom('monitors').selectAll().where('project_id', '=', projectId).executeTakeFirstOrThrow()
      return {
        scores: asked.map(({ call_id, scorer_ref }) => `${call_id} ${scorer_ref}`).sort(),
        sampled: state.sampled,
        skipped: state.skipped,
      }
    },
    async close() {
      await database.deleteFrom('object_latest').where('project_id', '=', projectId).execute()
      await database.deleteFrom('object_versions').where('project_id', '=', projectId).execute()
    },
  }
}
