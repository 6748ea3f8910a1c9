import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '@heddle/datastore'
import { z } from 'zod'
import type { Manifest } from './manifest.ts'

/** In the data folder that was backed up. */
export const lastBackupFile = 'last-backup.json'

const LastBackup = z.object({ format: z.literal(1), ended_at: z.iso.datetime(), bytes: z.int().min(0) })

/** When the data folder was last backed up, and how large the backup is. */
export type LastBackup = Pick<z.output<typeof LastBackup>, 'ended_at' | 'bytes'>

/** Notes in the data folder that a backup of it is complete. */
export async function noteBackup(dataDir: string, { ended_at, files, blobs }: Manifest): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, blobs.bytes)
  await replaceFile(join(dataDir, lastBackupFile), Buffer.from(`${JSON.stringify({ format: 1, ended_at, bytes })}\n`))
}

/** Null where no backup was made, or the file is not readable: it only informs. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  const text = await readFile(join(dataDir, lastBackupFile), 'utf8').catch(() => '')
  const parsed = LastBackup.safeParse(parseJson(text))
  return parsed.success ? { ended_at: parsed.data.ended_at, bytes: parsed.data.bytes } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
