import type { Blobs, KeyedLock, Micros, RelationalStore } from '@heddle/datastore'
import type { Identity } from '@heddle/identity'
import type { Jobs, TransactionalJobs } from '@heddle/jobs'
import type { ServiceLog } from '@heddle/service-kit'
import type { RefusedFolder } from './base-models/list-base-models.ts'
import type { Engine } from './engine/engine.ts'
import type { Scratch } from './scratch.ts'

/** Dependencies from the server: the stores, the engine, permissions, and time. */
export interface PlatformDeps {
  database: RelationalStore
  blobs: Blobs
  locks: KeyedLock
  identity: Identity
  /** Runs and trains the models. It belongs to the server, which closes it after the service. */
  engine: Engine
  /** Folders of base models that cannot be used, so that the engine does not have them. Default: none. */
  refusedBaseModels?: readonly RefusedFolder[]
  /** Folder for files of checkpoints, of running jobs and of imports, which can all be made again. It belongs to this process alone, which empties it at the start. */
  scratchDir: string
  /** True when other servers work on the same stores. */
  sharesStore: boolean
  clock: () => Micros
}

/** Shared dependencies of all resources. */
export interface Platform extends Required<Omit<PlatformDeps, 'scratchDir'>> {
  scratch: Scratch
  /** Work that outlives requests. */
  jobs: Jobs
  /** Jobs that follow from a change of relational data. */
  queued: TransactionalJobs
  /** UUIDs that sort by the time of their making. */
  newId: () => string
  log: ServiceLog | undefined
}
