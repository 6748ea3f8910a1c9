import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncOne } from '../archive/sync-folder.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** Where the first start leaves the admin key. */
export function adminKeyPath(dataDir: string): string {
  return join(dataDir, 'admin-key')
}

/** The secret in the file, or undefined when there is no file. */
export async function readAdminKey(dataDir: string): Promise<string | undefined> {
  const path = adminKeyPath(dataDir)
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (secret === '') throw new UsageError(`${path} is empty; remove it and start the server to create a new admin key`)
    return secret
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Writes the secret for its owner's eyes alone. The file is whole or not there, and there when this resolves, also after a power cut. */
export async function writeAdminKey(dataDir: string, secret: string): Promise<void> {
  const path = adminKeyPath(dataDir)
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // The mode of `open` counts for new files only, and is cut by the umask.
  await chmod(draft, 0o600)
  await rename(draft, path)
  await syncOne(dataDir)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
