import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../error-code.ts'
import { replaceFile } from '../../replace-file.ts'
import { type MissingRows, type PartReading, sumBytes } from './part-reading.ts'

/** Damage found in a journal part when the journal was opened. All of its files are kept. */
export interface JournalDamage {
  table: string
  /** Number of the part, as in the names of its files in `folder`. */
  part: number
  /** False when the missing rows may belong to an unfinished write, as after a power cut, and were then never acknowledged. */
  isCertain: boolean
  reason: string
  /** Intact blocks, which are written to the table. */
  recovered: { bytes: number; blocks: number; rows: number }
  missing: MissingRows
  /** Where the damaged files are now. */
  folder: string
}

/** The folder of a journal for damaged files. */
export const damagedFolder = 'damaged'

/** Format of the reports. */
const reportFormat = 1

/** Describes a part with state `damaged` or `doubtful`. `folder` is the folder of its table's journal. */
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

/** A part that is in the ledger but has no files. */
export function goneDamage(folder: string, part: number): JournalDamage {
  return {
    table: basename(folder),
    part,
    isCertain: true,
    reason: 'all of its files are gone',
    recovered: { bytes: 0, blocks: 0, rows: 0 },
    missing: { bytes: undefined, blocks: undefined, rows: undefined },
    folder: join(folder, damagedFolder),
  }
}

/** Writes a report next to the damaged files. Durable once it resolves. */
export async function writeReport({ folder, ...damage }: JournalDamage): Promise<void> {
  const report = { format: reportFormat, ...damage }
  await replaceFile(join(folder, `${damage.part}.json`), Buffer.from(`${JSON.stringify(report, null, 2)}\n`))
}

/** The reports of all tables with a journal in `journalDir`, unless someone deleted them. @throws Error for an unreadable report */
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
