import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../usage-error.ts'

/** Of what this program writes. A later one may read older formats; an older one refuses a newer. */
const currentFormat = 1

const Count = z.number().int().nonnegative()
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Names joined by `/`: none begins with a dot that leads upwards, none is empty. */
const RelativePath = z.string().refine((path) => path.split('/').every((name) => !['', '.', '..'].includes(name)) && !path.includes('\0'))

const Manifest = z.object({
  format: z.number().int(),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** All that was acknowledged before is in the backup. */
  started_at: z.string(),
  ended_at: z.string(),
  tables: z.record(z.string(), z.object({ rows: Count, parts: Count, digest: Sha256 })),
  /** Rows of each table of the records. */
  records: z.record(z.string(), Count),
  /** `digest` is taken over the sorted names of the contents, which are their hashes. */
  blobs: z.object({ count: Count, bytes: Count, digest: Sha256 }),
  /** Every other file. */
  files: z.array(z.object({ path: RelativePath, bytes: Count, sha256: Sha256 })),
})
/** What is in a backup. */
export type Manifest = z.output<typeof Manifest>

const manifestName = 'manifest.json'
/** Holds the hash of the manifest, as `sha256sum -c` reads it. */
const sealName = 'manifest.json.sha256'
export const manifestFiles: readonly string[] = [manifestName, sealName]

/** Writes the manifest, with which a folder becomes a backup. It is on disk when it resolves. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: currentFormat, ...manifest }, null, 1)}\n`
  await writeSynced(folder, sealName, sealOf(text))
  await writeSynced(folder, manifestName, text)
}

/** @throws UsageError when the folder is no backup, one that did not end, a damaged one, or one of a newer program */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(folder, manifestName)
  if (text === undefined) throw new UsageError(`${folder} has no ${manifestName}: it is no backup, or one that did not end`)
  if ((await readText(folder, sealName)) !== sealOf(text)) throw damaged(folder, `${manifestName} is not what ${sealName} says`)
  const value = JSON.parse(text)
  if (value?.format > currentFormat)
    throw new UsageError(`${folder} has format ${value.format}, and this program reads up to ${currentFormat}; use a newer heddle`)
  const manifest = Manifest.safeParse(value)
  if (!manifest.success)
    throw damaged(folder, `${manifestName}: ${manifest.error.issues[0]?.path.join('.')} ${manifest.error.issues[0]?.message}`)
  return manifest.data
}

export function damaged(folder: string, what: string): UsageError {
  return new UsageError(`the backup in ${folder} is damaged: ${what}; nothing was changed`)
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
  const entries = await open(folder, 'r')
  await entries.sync().finally(() => entries.close())
}
