import { trainingRoutes } from '@heddle/core-api/routes'
import type { Jobs } from '@heddle/jobs'
import { asyncOnce } from '@heddle/service-kit'
import { type Engine, type TrainingService, unversionedPaths } from '@heddle/training'

/** The training service with the engine that it uses. */
export interface OpenTraining {
  service: TrainingService
  engine: Engine
  /** Closes the service, then the engine. */
  close(): Promise<void>
}

/** The training service, which is loaded and opened when it is first needed. */
export interface TrainingOnDemand {
  /** Opens it once for all who need it; called again after a failure, it tries again. @throws UsageError for a setting that cannot be used */
  open(): Promise<OpenTraining>
  /** Health of the engine; one that was never needed is healthy. */
  health: Engine['health']
  /** The state of its queue of jobs. */
  jobs: Pick<Jobs, 'stats'>
  /** Closes it if it was opened. */
  close(): Promise<void>
}

/** Prefixes of its paths: those of the operations, of files that a tracking client uploads, and of model clients whose base URL lacks `/v1`. */
export const trainingPrefixes: readonly string[] = [
  ...new Set(
    Object.values(trainingRoutes)
      .flatMap((resource) => Object.values(resource))
      .map(({ path }) => `/${path.split('/')[1]}/`),
  ),
  '/files/',
  ...unversionedPaths,
]

/** `jobs` reads the queue while the service is not open. */
export function trainingOnDemand({ load, jobs }: { load: () => Promise<OpenTraining>; jobs: Pick<Jobs, 'stats'> }): TrainingOnDemand {
  let opened: OpenTraining | undefined
  let isClosed = false
  const open = asyncOnce(async () => {
    if (isClosed) throw new Error('the server is shutting down')
    opened = await load()
    return opened
  })

  return {
    open,
    health: async () => opened?.engine.health() ?? { ok: true, detail: {} },
    jobs: { stats: () => (opened?.service.jobs ?? jobs).stats() },
    async close() {
      isClosed = true
      const last = await open().catch(() => undefined)
      await last?.close()
    },
  }
}
