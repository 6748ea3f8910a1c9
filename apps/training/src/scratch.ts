import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders for files that can all be made again. They belong to this process alone. */
export interface Scratch {
  /** A folder of its own, which its user removes. What processes before left is gone when it resolves. */
  newFolder(...names: string[]): Promise<string>
}

/** Removes what is in the folder, as left by a process that was killed. */
export function createScratch(folder: string): Scratch {
  const emptied = rm(folder, { recursive: true, force: true })
  // Those who need a folder meet the failure.
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
