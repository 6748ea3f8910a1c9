import { readdir } from 'node:fs/promises'
import { codeOf, makeFolder } from '@heddle/datastore'
import { UsageError } from '../terminal/usage-error.ts'

/** @throws UsageError unless the path does not exist or is an empty folder */
export async function assertNothingIn(path: string): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw codeOf(error) === 'ENOTDIR' ? new UsageError(`${path} is not a folder; choose another path`) : error
  })
  if (names.length > 0)
    throw new UsageError(
      `${path} is not empty (${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}); choose a new folder, or empty it`,
    )
}

/** Creates a folder that only its owner can access, and syncs its name to disk. @throws UsageError if it exists and is not empty */
export async function makeEmptyFolder(path: string): Promise<void> {
  await assertNothingIn(path)
  await makeFolder(path)
}
