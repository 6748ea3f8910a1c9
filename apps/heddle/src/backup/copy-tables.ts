import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Analytical, type CopiedTable, copyTable, type DiskSpace, sizeOfTables, StoreError } from '@heddle/datastore'
import { formatBytes } from '../terminal/measures.ts'

/** Where the embedded engine puts copies of tables: the only folder it writes to besides its own. */
export function copiesFolder(dataDir: string): string {
  return join(dataDir, 'engine', 'backups')
}

export interface CopyTablesOptions {
  analytical: Analytical
  dataDir: string
  tables: readonly CopiedTable[]
  onTable: (table: CopiedTable) => void
  /** Free space on the disk of a folder. Copying leaves the reserve free, below which all writes are refused. */
  readRoom: (folder: string) => Promise<DiskSpace>
}

/**
 * Copies tables one after the other, each with all rows acknowledged before its copy begins.
 * @returns the name of a folder in `copiesFolder`, with a subfolder for each table, which the caller removes
 * @throws StoreError `full` when the disk has no room for the copies
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
