import { sqlFilesStore } from '@heddle/tracing'
import type { TrainingService } from '@heddle/training'
import { removeReleased, repeatSweep } from '@heddle/datastore'
import { isBackupRunning } from '../backup/running-backup.ts'
import type { ServerLog } from '../log/server-log.ts'
import type { Stores } from '../stores/stores.ts'

export interface BlobRemovalParts {
  stores: Pick<Stores, 'database' | 'blobs' | 'locks'>
  dataDir: string
  logger: Pick<ServerLog, 'error'>
}

const everyMs = 2_000

/** Removes what training releases, such as superseded recovery points, within seconds. Files of the tracing service may be in the same stores. */
export function withBlobRemoval(service: TrainingService, { stores, dataDir, logger }: BlobRemovalParts): TrainingService {
  const { findReferenced } = sqlFilesStore(stores)
  const sweeper = repeatSweep((signal) => removeReleased({ ...stores, findReferenced, isHeld: () => isBackupRunning(dataDir), signal }), {
    everyMs,
    onError: (error) => logger.error({ err: error }, 'failed to remove released blobs; will retry within seconds'),
  })
  async function close() {
    await sweeper.close()
    await service.close()
  }
  return { ...service, close }
}
