import { join } from 'node:path'
import { lockFolder, StoreError } from '@heddle/datastore'

/** Far more servers than share a folder. */
const maxServers = 64

export interface ScratchFolder {
  path: string
  release(): void
}

/**
 * A folder for files that can be made again, which no other server has: a server empties its own at the start. The folder of a server that
 * has ended is taken over.
 */
export async function takeScratchFolder(dataDir: string): Promise<ScratchFolder> {
  for (let number = 1; number <= maxServers; number++) {
    const path = join(dataDir, 'scratch', number === 1 ? 'training' : `training-${number}`)
    const lock = await lockFolder({ folder: path, mode: 'exclusive', purpose: 'scratch files' }).catch((error: unknown) => {
      if (error instanceof StoreError) return undefined
      throw error
    })
    if (lock) return { path, release: () => lock.release() }
  }
  throw new StoreError(
    'unavailable',
    `${maxServers} servers use data folder ${dataDir} already; give this one a folder of its own with --data-dir`,
  )
}
