import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { newerData } from '../../newer-data.ts'
import { replaceFile } from '../../replace-file.ts'
import type { Analytical, Queries } from '../analytical.ts'
import { findLostParts, type LostPart, rowsMissingFrom } from './lost-parts.ts'
import { type DetachedPart, readDetachedParts, readLastDeletions, readTableParts, type TablePart } from './table-parts.ts'

/** Data missing from the tables, with the evidence. */
export interface TableDamage {
  /** Parts that the engine cannot read; their files are kept. `missingRows` are in no other part; undefined if unknown. */
  detached: (DetachedPart & { missingRows: number | undefined })[]
  /** Parts whose files are missing. Each is returned once, and kept in a report. */
  lost: LostPart[]
  /** A file of recorded parts that could not be read, at this or an earlier start, and still exists: missing parts may go unnoticed. */
  damagedNotes?: string | undefined
}

/** Records on disk which parts the tables have, to detect parts whose files are missing. */
export interface PartLedger {
  /**
   * Compares the present parts with the recorded ones, and records the present ones. Must be called before the first read or write: new rows get the
   * free number of a missing part, which then looks present.
   */
  check(): Promise<TableDamage>
  /** Records the parts some time after rows were written. Debounced. */
  noteSoon(): void
  /** Records pending changes. */
  close(): Promise<void>
}

export interface PartLedgerOptions {
  analytical: Pick<Analytical, 'stored'>
  /** Folder of the engine. */
  folder: string
  /** Seconds since 1970. */
  now: () => number
  /** Milliseconds from a write until its part is recorded. Default 2 000. */
  delayMs?: number
}

const ledgerName = 'parts.json'
/** The report of lost parts, until someone deletes it. */
const reportName = 'lost-parts.json'
const format = 1

export function createPartLedger({ analytical, folder, now, delayMs = 2_000 }: PartLedgerOptions): PartLedger {
  const path = join(folder, ledgerName)
  let timer: NodeJS.Timeout | undefined
  let noting: Promise<unknown> = Promise.resolve()
  let noted: readonly TablePart[] | undefined
  let damagedNotes: string | undefined

  // Acknowledged rows that wait in the journal are left there: a read of them would write them to the tables.
  const queries = analytical.stored

  async function note(): Promise<TableDamage> {
    if (noted === undefined) ({ parts: noted, damagedNotes } = await readNoted(folder))
    const { parts, detached, lost } = await compare(noted, { queries, now })
    if (lost.length > 0) await writeJson(join(folder, reportName), { format, parts: [...(await readLostParts(folder)), ...lost] })
    await writeJson(path, { format, parts })
    noted = parts
    return { detached, lost, damagedNotes }
  }

  function noteNext(): Promise<TableDamage> {
    clearTimeout(timer)
    timer = undefined
    const next = noting.then(note)
    noting = next.catch(() => undefined)
    return next
  }

  return {
    check: noteNext,
    noteSoon() {
      // A failed update is retried after the next write; the previous ledger is still true.
      timer ??= setTimeout(() => void noteNext().catch(() => undefined), delayMs).unref()
    },
    async close() {
      if (timer) await noteNext().catch(() => undefined)
      await noting
    },
  }
}

/** Missing parts according to the ledger in the engine's folder, for an engine without writers. Records nothing. */
export async function examineParts({ analytical, folder, now }: PartLedgerOptions): Promise<TableDamage> {
  const { parts, damagedNotes } = await readNoted(folder)
  const { detached, lost } = await compare(parts, { queries: analytical.stored, now })
  return { detached, lost, damagedNotes }
}

async function readNoted(folder: string): Promise<{ parts: readonly TablePart[]; damagedNotes: string | undefined }> {
  const content = await readJson<{ parts: TablePart[] }>(join(folder, ledgerName))
  const damaged = join(folder, damagedNotesName)
  return { parts: content?.parts ?? [], damagedNotes: existsSync(damaged) ? damaged : undefined }
}

async function compare(
  noted: readonly TablePart[],
  { queries, now }: { queries: Pick<Queries, 'rows'>; now: () => number },
): Promise<Omit<TableDamage, 'damagedNotes'> & { parts: TablePart[] }> {
  // In this order: what removed a part after the parts were read must not explain an earlier loss.
  const parts = await readTableParts(queries)
  const detached = (await readDetachedParts(queries)).map((part) => ({ ...part, missingRows: rowsMissingFrom(part, noted, parts) }))
  const lost = findLostParts(noted, { now: now(), parts, detached, deletions: await readLastDeletions(queries) })
  return { parts, detached, lost }
}

/** The lost parts in the report in the engine's folder; empty after someone deleted it. */
export async function readLostParts(folder: string): Promise<LostPart[]> {
  return (await readJson<{ parts: LostPart[] }>(join(folder, reportName)))?.parts ?? []
}

/** Name of the copy of an unreadable file of notes. */
export const damagedNotesName = `${ledgerName}.damaged`

/** Undefined when the file does not exist, or is damaged; a damaged one is renamed. @throws StoreError for a newer format */
async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    const content = JSON.parse(await readFile(path, 'utf8')) as T & { format?: number }
    if ((content.format ?? 0) > format) throw newerData(`${path}, format ${content.format}`)
    return content
  } catch (error) {
    if (error instanceof SyntaxError) await rename(path, `${path}.damaged`)
    else if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

async function writeJson(path: string, content: object): Promise<void> {
  await makeFolder(dirname(path))
  await replaceFile(path, Buffer.from(JSON.stringify(content)))
}
