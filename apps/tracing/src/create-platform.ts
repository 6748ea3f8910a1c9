import { type ServiceLog } from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import { systemTiming } from '@heddle/datastore'
import { sqlDeletionsStore } from './deletions/deletions-store.sql.ts'
import { createProjectVisibility } from './deletions/visibility.ts'
import { sqlEventOutbox } from './events/event-outbox-store.sql.ts'
import { sqlProjectNamesStore } from './payload/project-names-store.sql.ts'
import { createRefProjects } from './payload/ref-projects.ts'
import type { Platform } from './platform.ts'
import type { TracingDeps } from './tracing-deps.ts'

const noLog: ServiceLog = { info: () => undefined, error: () => undefined }

/** The shared parts of all resources, created from the server's dependencies. */
export function createPlatform(deps: TracingDeps): Platform {
  const { analytical, database, blobs, locks, identity, sharesStore, clock, jobQueue: queue = 'tracing', log } = deps
  const refProjects = createRefProjects({ identity, names: sqlProjectNamesStore(database) })
  const store = sqlJobsStore({ database, queue })
  const jobs = createJobs({ store, clock, timing: systemTiming, newId: newUuid, log: log ?? noLog, trace: deps.traceJob })
  const outbox = deps.outbox ?? sqlEventOutbox({ database, queue, sharesStore, clock, log, ...deps.webhooks })
  const deletions = sqlDeletionsStore({ database, queue, jobs, clock, newId: newUuid, sharesStore })
  const visibility = createProjectVisibility({ deletions, clock })
  const stores = { analytical, database, blobs, locks, identity, sharesStore }
  return { jobs, ...stores, clock, newId: newUuid, deletions, visibility, outbox, refProjects, log }
}
