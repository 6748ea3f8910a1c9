import { sqlFilesStore, startBlobSweeper } from '@heddle/tracing'
import type { TrainingService } from '@heddle/training'
import type { Micros, RepeatedSweep, SweptBlobs } from '@heddle/datastore'
import type { ServerLog } from '../log/server-log.ts'
import type { Stores } from '../stores/stores.ts'

export interface BlobSweepParts {
  stores: Pick<Stores, 'database' | 'blobs' | 'locks'>
  clock: () => Micros
  logger: Pick<ServerLog, 'error'>
}

export interface SweepingService {
  service: TrainingService
  sweeper: RepeatedSweep<SweptBlobs>
}

/** The tracing service sweeps the blobs of both; without it, this does. Its files may be in the same stores. */
export function sweepBlobsAlone(service: TrainingService, { stores, clock, logger }: BlobSweepParts): SweepingService {
  const sweeper = startBlobSweeper({
    ...stores,
    files: sqlFilesStore(stores),
    clock,
    onError: (error) => logger.error({ err: error }, 'failed to remove blobs that nothing needs; will retry on next sweep'),
  })
  async function close() {
    await sweeper.close()
    await service.close()
  }
  return { service: { ...service, close }, sweeper }
}
