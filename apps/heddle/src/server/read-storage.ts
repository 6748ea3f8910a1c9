import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerFacts } from '@heddle/tracing'
import { readLastBackup } from '../backup/last-backup.ts'

type Storage = Awaited<ReturnType<NonNullable<ServerFacts['readStorage']>>>
type PartName = NonNullable<Storage['parts']>[number]['name']

/** More would keep the disk busy for long. */
const defaultMaxFiles = 200_000
const keptMs = 60_000

/** By the first name of a path in the data folder. */
const partOf = (name: string): PartName => {
  if (name === 'engine') return 'calls'
  if (name.startsWith('heddle.db')) return 'records'
  if (name === 'blobs') return 'files'
  return name === 'scratch' ? 'scratch' : 'other'
}

/** Reads what the data folder has by kind, at most once a minute however many ask, and when it was last backed up. */
export function createReadStorage(dataDir: string, { now = () => performance.now(), maxFiles = defaultMaxFiles } = {}) {
  let last: { at: number; sizes: Promise<Pick<Storage, 'parts' | 'is_complete'>> } | undefined
  return async (): Promise<Storage> => {
    if (last === undefined || now() - last.at >= keptMs) last = { at: now(), sizes: measure(dataDir, maxFiles) }
    const [sizes, last_backup] = await Promise.all([last.sizes, readLastBackup(dataDir)])
    return { ...sizes, last_backup }
  }
}

async function measure(dataDir: string, maxFiles: number): Promise<Pick<Storage, 'parts' | 'is_complete'>> {
  const bytes: Record<PartName, number> = { calls: 0, records: 0, files: 0, scratch: 0, other: 0 }
  let files = 0
  for await (const { path, first } of filesIn(dataDir)) {
    if (++files > maxFiles) break
    // One that goes meanwhile takes up nothing.
    bytes[partOf(first)] += (await lstat(path).catch(() => undefined))?.size ?? 0
  }
  const parts = Object.entries(bytes).map(([name, size]) => ({ name: name as PartName, bytes: size }))
  return { parts, is_complete: files <= maxFiles }
}

/** The files below a folder, with the first name below it. Links are not followed. */
async function* filesIn(root: string, below = '', first = ''): AsyncGenerator<{ path: string; first: string }> {
  const folder = await opendir(join(root, below)).catch(() => undefined)
  if (!folder) return
  for await (const entry of folder) {
    const name = join(below, entry.name)
    const of = first === '' ? entry.name : first
    if (entry.isDirectory()) yield* filesIn(root, name, of)
    else if (entry.isFile()) yield { path: join(root, name), first: of }
  }
}
