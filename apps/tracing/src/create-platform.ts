import { type ServiceLog } from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import { systemTiming } from '@heddle/datastore'
import { sqlEventOutbox } from './events/event-outbox-store.sql.ts'
import { sqlProjectNamesStore } from './payload/project-names-store.sql.ts'
import { createRefProjects } from './payload/ref-projects.ts'
import type { Platform } from './platform.ts'
import type { TracingDeps } from './tracing-deps.ts'

const noLog: ServiceLog = { info: () => undefined, error: () => undefined }

/** What the resources stand on, made of what the server brings. */
export function createPlatform(deps: TracingDeps): Platform {
  const { analytical, database, blobs, locks, identity, sharesStore, clock, jobQueue, log } = deps
  const refProjects = createRefProjects({ identity, names: sqlProjectNamesStore(database) })
  const store = sqlJobsStore({ database, queue: jobQueue ?? 'tracing' })
  const jobs = createJobs({ store, clock, timing: systemTiming, newId: newUuid, log: log ?? noLog })
  const outbox = deps.outbox ?? sqlEventOutbox({ database, queue: jobQueue, sharesStore, clock, log, ...deps.webhooks })
  return { jobs, analytical, database, blobs, locks, identity, sharesStore, clock, newId: newUuid, outbox, refProjects, log }
}
