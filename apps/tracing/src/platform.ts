import type { Analytical, Blobs, KeyedLock, Micros, RelationalStore } from '@heddle/datastore'
import type { Identity } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { ServiceLog } from '@heddle/service-kit'
import type { DeletionsStore } from './deletions/deletions-store.ts'
import type { ProjectVisibility } from './deletions/visibility.ts'
import type { EventOutbox } from './events/event-outbox.ts'
import type { RefProjectsFor } from './payload/ref-projects.ts'

/** Dependencies from the server: the stores, permissions, and time. */
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

/** Shared dependencies of all resources. */
export interface Platform extends PlatformDeps {
  /** Work that outlives requests. */
  jobs: Jobs
  newId: () => string
  /** Deletions of many records, which are hidden immediately and removed later. */
  deletions: DeletionsStore
  /** What decides which calls and feedback a reader sees. */
  visibility: ProjectVisibility
  /** What webhooks are sent. */
  outbox: EventOutbox
  /** Which projects the references of a request may name. */
  refProjects: RefProjectsFor
  log: ServiceLog | undefined
}
