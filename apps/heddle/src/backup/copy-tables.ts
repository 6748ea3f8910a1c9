import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Analytical, type CopiedTable, copyTable, type DiskSpace, sizeOfTables, StoreError } from '@heddle/datastore'
import { formatBytes } from '../terminal/measures.ts'

/** Where the embedded engine puts copies of tables: the one folder outside its own that it writes to. */
export function copiesFolder(dataDir: string): string {
  return join(dataDir, 'engine', 'backups')
}

export interface CopyTablesOptions {
  analytical: Analytical
  dataDir: string
  tables: readonly CopiedTable[]
  onTable: (table: CopiedTable) => void
  /** Room on the disk of a folder. The reserve stays free while tables are copied: below it nothing can be written. */
  readRoom: (folder: string) => Promise<DiskSpace>
}

/** Longer than any backup: what is this old was left by one that was killed. */
const forgottenMs = 24 * 3_600_000

/**
 * Copies tables one after the other, each with all that was acknowledged before its turn.
 * @returns the name of the folder, among the copies, that has a folder for each table. It is the caller's to remove.
 * @throws StoreError `full` when the disk has no room for the copies.
 */
export async function copyTables({ analytical, dataDir, tables, onTable, readRoom }: CopyTablesOptions): Promise<string> {
  const copies = copiesFolder(dataDir)
  await removeForgotten(copies)
  assertDiskSpace(await readRoom(dataDir), await sizeOfTables(analytical))
  const folder = randomUUID()
  await mkdir(join(copies, folder), { recursive: true, mode: 0o700 })
  try {
    for (const table of tables) {
      onTable(table)
      await copyTable(analytical, { table, folder })
    }
    return folder
  } catch (error) {
    await rm(join(copies, folder), { recursive: true, force: true })
    throw error
  }
}

function assertDiskSpace({ free, reserve }: DiskSpace, copied: number): void {
  const needed = copied + reserve
  if (free >= needed) return
  throw new StoreError(
    'full',
    `copying the tables needs ${formatBytes(needed)} on the disk of the data folder, but only ${formatBytes(free)} are free`,
  )
}

async function removeForgotten(copies: string): Promise<void> {
  const names = await readdir(copies).catch(() => [])
  for (const name of names) {
    const path = join(copies, name)
    const changed = await stat(path).catch(() => undefined)
    if (changed && changed.mtimeMs < Date.now() - forgottenMs) await rm(path, { recursive: true, force: true })
  }
}
