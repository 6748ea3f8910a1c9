import { systemTiming } from '@heddle/datastore'
import { createJobs, sqlJobsStore, sqlTransactionalJobs } from '@heddle/jobs'
import type { ServiceLog } from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import type { Platform } from './platform.ts'
import { createScratch } from './scratch.ts'
import type { TrainingDeps } from './training-deps.ts'

const noLog: ServiceLog = { info: () => undefined, error: () => undefined }

/** The shared parts of all resources, created from the server's dependencies. */
export function createPlatform(deps: TrainingDeps): Platform {
  const {
    database,
    blobs,
    locks,
    identity,
    engine,
    refusedBaseModels = [],
    scratchDir,
    sharesStore,
    clock,
    jobQueue = 'training',
    log,
  } = deps
  const store = sqlJobsStore({ database, queue: jobQueue })
  const jobs = createJobs({ store, clock, timing: systemTiming, newId: newUuid, log: log ?? noLog, trace: deps.traceJob })
  const queued = sqlTransactionalJobs({ queue: jobQueue, clock, newId: newUuid })
  return {
    jobs,
    queued,
    database,
    blobs,
    locks,
    identity,
    engine,
    refusedBaseModels,
    scratch: createScratch(scratchDir),
    sharesStore,
    clock,
    newId: newUuid,
    log,
  }
}
