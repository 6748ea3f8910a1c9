import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncOne } from './sync-folder.ts'
import { UsageError } from '../terminal/usage-error.ts'

const manifestName = 'manifest.json'
/** Holds the hash of the manifest, as `sha256sum -c` reads it. */
const sealName = 'manifest.json.sha256'
/** The files of a manifest; it does not name them itself. */
export const manifestFiles: readonly string[] = [manifestName, sealName]

/** Writes what a folder holds, and a hash of that, as the last of its files. It is on disk when it resolves. */
export async function writeSealedManifest(folder: string, manifest: unknown): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeSynced(folder, sealName, sealOf(text))
  await writeSynced(folder, manifestName, text)
}

/** The value as it was written; undefined if there is none. @throws UsageError if it was changed since */
export async function readSealedManifest(folder: string): Promise<unknown> {
  const text = await readText(folder, manifestName)
  if (text === undefined) return undefined
  if ((await readText(folder, sealName)) !== sealOf(text)) throw damaged(folder, `${manifestName} does not match ${sealName}`)
  return JSON.parse(text)
}

export function damaged(folder: string, what: string): UsageError {
  return new UsageError(`${folder} is damaged: ${what}; nothing was changed`)
}

function sealOf(text: string): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${manifestName}\n`
}

async function readText(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function writeSynced(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.draft`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, name))
  await syncOne(folder)
}
