import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
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

/**
 * Copies tables one after the other, each with all that was acknowledged before its turn.
 * @returns the name of the folder, among the copies, that has a folder for each table. It is the caller's to remove.
 * @throws StoreError `full` when the disk has no room for the copies.
 */
export async function copyTables({ analytical, dataDir, tables, onTable, readRoom }: CopyTablesOptions): Promise<string> {
  const copies = copiesFolder(dataDir)
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
