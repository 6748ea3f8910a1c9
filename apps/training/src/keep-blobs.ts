import type { StagedBytes } from '@heddle/core-api/internal'
import { blobKey, type KeyedLock, type WorkScope } from '@heddle/datastore'

/** Keeps contents, and then lets `work` write the rows that reference them, so that no sweep runs in between. */
export type KeepBlobs = <T>(scope: WorkScope, contents: readonly StagedBytes[], work: () => Promise<T>) => Promise<T>

export function createKeepBlobs(locks: KeyedLock): KeepBlobs {
  return (scope, contents, work) =>
    locks.withKeys(
      scope,
      contents.map(({ digest }) => blobKey(digest)),
      async () => {
        for (const content of contents) await content.keep()
        return work()
      },
    )
}
