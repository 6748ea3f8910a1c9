import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../error-code.ts'
import { syncFolder } from '../../durable-folders.ts'
import { type MissingRows, type PartReading, sumBytes } from './part-reading.ts'

/** What was found when a journal was opened whose files are not as they were written. All of its files are kept. */
export interface JournalDamage {
  table: string
  /** Number of the part; its files in `folder` have it in their names. */
  part: number
  /** False where the rows may be of a write that never finished, as a power cut leaves it, and then nobody was told that they are kept. */
  isCertain: boolean
  reason: string
  /** What was whole and goes to the table. */
  recovered: { bytes: number; blocks: number; rows: number }
  missing: MissingRows
  /** Where the damaged files are now. */
  folder: string
}

/** The folder of a journal that keeps what is damaged. */
export const damagedFolder = 'damaged'

/** Format of the reports. */
const reportFormat = 1

/** What is said of a part that was read as damaged or doubtful. `folder` is the folder of its table's journal. */
export function damageOf(folder: string, part: number, { state, reason, blocks, missing }: PartReading): JournalDamage {
  return {
    table: basename(folder),
    part,
    isCertain: state === 'damaged',
    reason,
    recovered: { bytes: sumBytes(blocks), blocks: blocks.length, rows: blocks.reduce((sum, { rows }) => sum + rows, 0) },
    missing,
    folder: join(folder, damagedFolder),
  }
}

/** Writes a report beside the files that are kept, on disk when it resolves. */
export async function writeReport({ folder, ...damage }: JournalDamage): Promise<void> {
  const path = join(folder, `${damage.part}.json`)
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await writeWhole(file, Buffer.from(`${JSON.stringify({ format: reportFormat, ...damage }, null, 2)}\n`))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length;) from += (await file.writev([bytes.subarray(from)])).bytesWritten
}

/** The reports of all tables whose journals are in `journalDir`, for as long as someone keeps them. @throws Error for one that cannot be read */
export async function readDamageReports(journalDir: string): Promise<JournalDamage[]> {
  const paths = await readdir(journalDir, { recursive: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const reports = paths.filter((path) => reportPath.test(path)).toSorted()
  return Promise.all(
    reports.map(async (path) => ({
      ...(JSON.parse(await readFile(join(journalDir, path), 'utf8')) as Omit<JournalDamage, 'folder'>),
      folder: join(journalDir, dirname(path)),
    })),
  )
}

const reportPath = /(^|\/)damaged\/[0-9]+\.json$/
