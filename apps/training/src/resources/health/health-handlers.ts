import type { Handlers, training } from '@heddle/core-api'
import { HttpAnswer } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { Engine } from '../../engine/engine.ts'
import type { HealthStore } from './health-store.ts'
import { probe, type Probe } from './probe.ts'

export interface HealthDeps {
  store: HealthStore
  jobs: Jobs
  engine: Pick<Engine, 'health'>
  /** Called with the reason of a failed check, in terms that users do not see. */
  onFailure: (check: string, error: string) => void
}

export function healthHandlers({ store, jobs, engine, onFailure }: HealthDeps): Handlers<typeof training.health, Context> {
  return {
    async check() {
      return { status: 'ok' }
    },

    async systemCheck() {
      const [database, cpu_queue, gpu_queue] = await Promise.all([
        probe((signal) => store.check(signal)),
        probe(async () => void (await jobs.stats())),
        probe(async () => {
          const { ok, detail } = await engine.health()
          if (!ok) throw new Error(`the engine is not well: ${JSON.stringify(detail)}`)
        }),
      ])
      const failed = Object.entries({ database, cpu_queue, gpu_queue }).filter(([, { success }]) => !success)
      for (const [name, { error }] of failed) onFailure(name, error ?? '')
      const checks = { api: true, database: database.success, cpu_queue: shown(cpu_queue), gpu_queue: shown(gpu_queue) }
      return new HttpAnswer(checks, { status: failed.length > 0 ? 503 : 200 })
    },
  }
}

/** The words of a store or an engine may name files and tables. */
const shown = ({ error, ...probe }: Probe): Probe => ({
  ...probe,
  error: error === null ? null : 'it does not respond as it should; the log of the server has the reason',
})
