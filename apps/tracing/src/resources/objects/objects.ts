import type { Platform } from '../../platform.ts'
import type { FilesStore } from '../files/files-store.ts'
import { cachedObjectValues } from './values/cached-object-values.ts'
import { createEnsureOps } from './publish/ensure-ops.ts'
import { sqlObjectLabelsStore } from './labels/object-labels-store.sql.ts'
import { sqlObjectValuesStore } from './values/object-values-store.sql.ts'
import { objectsHandlers } from './objects-handlers.ts'
import { sqlObjectsStore } from './objects-store.sql.ts'
import { createPresentVersions } from './versions/present-versions.ts'
import { createObjectPublisher } from './publish/publish-object.ts'
import { startValueSweeper } from './values/value-sweeper.ts'

const cacheBytes = 64 * 1024 * 1024

/** Versioned objects with their tags and aliases, and the sweep that removes values which no version names. */
export function createObjects({ analytical, database, clock, refProjects, log }: Platform, { files }: { files: FilesStore }) {
  const objects = sqlObjectsStore(database)
  const values = cachedObjectValues(sqlObjectValuesStore(analytical, clock), { maxBytes: cacheBytes, clock })
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
    handlers: objectsHandlers({ objects, labels, publisher, presentVersions, refProjects, clock }),
    objects,
    values,
    publisher,
    presentVersions,
    ensureOps: createEnsureOps({ objects, values, files, clock }),
    close: () => sweeper.close(),
  }
}
