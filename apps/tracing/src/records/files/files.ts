import type { Platform } from '../../platform.ts'
import { startBlobSweeper } from './blob-sweeper.ts'
import { filesHandlers } from './files-handlers.ts'
import { sqlFilesStore } from './files-store.sql.ts'

/** Files, and the sweep that removes what unfinished uploads left. */
export function createFiles({ database, blobs, locks, clock, log }: Platform) {
  const files = sqlFilesStore({ database, blobs, locks })
  const sweeper = startBlobSweeper({
    files,
    blobs,
    locks,
    clock,
    onError: (error) => log?.error({ err: error }, 'failed to remove leftovers of unfinished uploads; will retry on next sweep'),
  })
  return { handlers: filesHandlers({ files, clock }), files, close: () => sweeper.close() }
}
