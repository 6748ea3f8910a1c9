import { deletionJobKinds } from '../../deletions/deletion-job-kinds.ts'
import { createRemovalJob } from '../../deletions/removal-job.ts'
import type { Platform } from '../../platform.ts'
import type { FilesStore } from '../files/files-store.ts'
import { cachedObjectValues } from './values/cached-object-values.ts'
import { createEnsureOps } from './publish/ensure-ops.ts'
import { sqlObjectLabelsStore } from './labels/object-labels-store.sql.ts'
import { sqlObjectValuesStore } from './values/object-values-store.sql.ts'
import { objectsHandlers } from './objects-handlers.ts'
import { sqlObjectsStore } from './objects-store.sql.ts'
import { sqlObjectDeletionStore } from './versions/object-deletion-store.sql.ts'
import { createPresentVersions } from './versions/present-versions.ts'
import { createObjectPublisher } from './publish/publish-object.ts'
import { startValueSweeper } from './values/value-sweeper.ts'

const cacheBytes = 64 * 1024 * 1024

interface ObjectsOptions {
  files: FilesStore
  /** Versions that a large deletion marks at a time. Default 500. */
  removedAtOnce: number | undefined
}

/** Versioned objects with their tags and aliases, and the sweep that removes values which no version names. */
export function createObjects(
  { analytical, database, deletions, newId, clock, refProjects, sharesStore, log }: Platform,
  { files, removedAtOnce }: ObjectsOptions,
) {
  const objects = sqlObjectsStore(database)
  const deletion = sqlObjectDeletionStore({ database, deletions, newId, removedAtOnce })
  const values = cachedObjectValues(sqlObjectValuesStore(analytical, clock), { maxBytes: cacheBytes, clock, sharesStore })
  const labels = sqlObjectLabelsStore(database)
  const sweeper = startValueSweeper({
    objects,
    values,
    clock,
    onError: (error) => log?.error({ err: error }, 'failed to remove unreferenced object values; will retry on next sweep'),
  })
  const publisher = createObjectPublisher({ objects, values, clock })
  const presentVersions = createPresentVersions({ values, labels })
  return {
    handlers: objectsHandlers({ objects, deletion, labels, publisher, presentVersions, refProjects, clock }),
    jobKinds: { [deletionJobKinds.object_versions]: createRemovalJob({ deletions, clock, removeSome: deletion.removeSome }) },
    objects,
    deletion,
    values,
    publisher,
    presentVersions,
    ensureOps: createEnsureOps({ objects, values, files, clock }),
    close: () => sweeper.close(),
  }
}
