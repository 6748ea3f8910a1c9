import type { Analytical, Blobs, KeyedLock, Micros, RelationalStore } from '@heddle/datastore'
import type { Identity } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { ServiceLog } from '@heddle/service-kit'
import type { EventOutbox } from './events/event-outbox.ts'
import type { RefProjectsFor } from './payload/ref-projects.ts'

/** What a server brings: the stores, who may do what, and time. */
export interface PlatformDeps {
  analytical: Analytical
  database: RelationalStore
  blobs: Blobs
  locks: KeyedLock
  identity: Identity
  /** True when other servers write to the same stores: then nothing is cached that one of them may change. */
  sharesStore: boolean
  clock: () => Micros
}

/** What every resource may stand on. */
export interface Platform extends PlatformDeps {
  /** Work that outlives requests. */
  jobs: Jobs
  newId: () => string
  /** What webhooks are sent. */
  outbox: EventOutbox
  /** Which projects the references of a request may name. */
  refProjects: RefProjectsFor
  log: ServiceLog | undefined
}
