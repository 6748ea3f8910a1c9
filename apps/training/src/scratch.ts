import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders for files that can all be made again. They belong to this process alone. */
export interface Scratch {
  /** A new folder, to be removed by its user. Leftovers of earlier processes have been removed when it resolves. */
  newFolder(...names: string[]): Promise<string>
}

/** Removes the content of the folder, as left by a killed process. */
export function createScratch(folder: string): Scratch {
  const emptied = rm(folder, { recursive: true, force: true })
  // Users of a folder receive the failure.
  emptied.catch(() => undefined)
  return {
    async newFolder(...names) {
      await emptied
      const own = join(folder, ...names)
      await mkdir(own, { recursive: true, mode: 0o700 })
      return own
    },
  }
}
