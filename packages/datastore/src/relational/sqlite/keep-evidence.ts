import { createHash } from 'node:crypto'
import { constants, existsSync, statSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readDiskSpace } from '../../disk-space.ts'
import { makeFolder, syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { commitRecordPath } from './commit-record.ts'

/**
 * Copies the files of a damaged database to `damaged/` next to it, since the next program that opens the database may shorten its log. The same files
 * are copied once, however often a start finds them. Files that do not fit on the disk are skipped, the database first.
 * @returns the folder of the copies; undefined if there was no room for any
 */
export async function keepEvidence(path: string): Promise<string | undefined> {
  const files = [path, `${path}-wal`, `${path}-shm`, commitRecordPath(path)].flatMap(statIfThere)
  const folder = join(dirname(path), 'damaged', `${basename(path)}-${fingerprintOf(files)}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  try {
    await makeFolder(draft)
    const { free, reserve } = await readDiskSpace(draft)
    let room = free - reserve
    for (const { file, size } of files.toSorted((a, b) => a.size - b.size)) {
      room -= size
      if (room < 0) break
      await copyIfThere(file, join(draft, basename(file)))
    }
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return folder
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    return undefined
  }
}

interface FoundFile {
  file: string
  size: number
  mtimeMs: number
}

function statIfThere(file: string): FoundFile[] {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? [{ file, size: found.size, mtimeMs: found.mtimeMs }] : []
}

/** Another program that closes the database may remove its log meanwhile. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
}

/** The index of the log (`-shm`) is rebuilt by each reader, so it is ignored. */
function fingerprintOf(files: readonly FoundFile[]): string {
  const counted = files.filter(({ file }) => !file.endsWith('-shm'))
  const lines = counted.map(({ file, size, mtimeMs }) => `${basename(file)} ${size} ${mtimeMs}\n`)
  return createHash('sha256').update(lines.join('')).digest('hex').slice(0, 12)
}
