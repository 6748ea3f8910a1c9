import { readdir } from 'node:fs/promises'
import { makeFolder } from '@heddle/datastore'
import { UsageError } from '../terminal/usage-error.ts'

/** @throws UsageError when there is something at the path, unless it is a folder with nothing in it */
export async function assertNothingIn(path: string): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return []
    throw code === 'ENOTDIR' ? new UsageError(`${path} is not a folder; choose another path`) : error
  })
  if (names.length > 0) throw new UsageError(`${path} is not empty (${names.slice(0, 3).join(', ')} …); choose a new folder, or empty it`)
}

/** Makes a folder for its owner alone; its name is on disk when it resolves. @throws UsageError when something is in it */
export async function makeEmptyFolder(path: string): Promise<void> {
  await assertNothingIn(path)
  await makeFolder(path)
}
