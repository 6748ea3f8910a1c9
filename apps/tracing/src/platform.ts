import type { Analytical, Blobs, Database, KeyedLock, Micros } from '@heddle/datastore'
import type { Identity } from '@heddle/identity'
import type { ServiceLog } from '@heddle/service-kit'
import type { RefProjectsFor } from './payload/ref-projects.ts'

/** What every resource may stand on: the stores, who may do what, time and ids. */
export interface Platform {
  analytical: Analytical
  database: Database
  blobs: Blobs
  locks: KeyedLock
  identity: Identity
  /** True when other servers write to the same stores: then nothing is cached that one of them may change. */
  sharesStore: boolean
  clock: () => Micros
  newId: () => string
  /** Which projects the references of a request may name. */
  refProjects: RefProjectsFor
  log: ServiceLog | undefined
}
