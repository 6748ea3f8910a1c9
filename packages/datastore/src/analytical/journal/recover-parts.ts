import { readdir } from 'node:fs/promises'
import { makeFolder } from '../../durable-folders.ts'
import { type JournalDamage, damageOf, goneDamage, writeReport } from './journal-damage.ts'
import { createPart, cutRows, emptyPart, hasRows, isWritten, type JournalPart, movePart, numberOfPart, readFiles } from './journal-part.ts'
import { type PartReading, sumBytes, contiguousEnd } from './part-reading.ts'
import { readPart } from './read-part.ts'

export interface RecoverOptions {
  /** Numbers of the parts that were quarantined before. */
  kept: readonly number[]
  /** Column lists that rows of the table may have. */
  known: readonly (readonly string[])[]
  onDamage: (damage: JournalDamage) => void
  /** Returns an unused part number. */
  nextNumber: () => number
  /** Parts that the ledger has. */
  noted: ReadonlySet<number>
}

/** The parts that an earlier process left in the journal of a table. */
export interface RecoveredParts {
  /** In order, each with only intact blocks. */
  parts: JournalPart[]
  /** Parts that still have files, but no rows or rows that are in their table. */
  written: JournalPart[]
}

/**
 * Recovers the parts that an earlier process left. Unfinished writes, which were never acknowledged, are truncated. The files of a damaged
 * part are moved to the folder `damaged`, and its intact blocks become a new part.
 */
export async function recoverParts(folder: string, options: RecoverOptions): Promise<RecoveredParts> {
  const names = await readdir(folder)
  const numbers = new Set(names.map(numberOfPart).filter((each) => each !== undefined))
  const found: RecoveredParts = { parts: [], written: [] }
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const part = emptyPart(folder, number)
    // The block index of a quarantined part may still be here.
    const isMoved = !hasRows(names, number) && options.kept.includes(number)
    if (isWritten(names, number) || isMoved) found.written.push(part)
    else await recoverPart({ folder, number, found }, options)
  }
  for (const number of findGone(names, options)) {
    const damage = goneDamage(folder, number)
    await makeFolder(damage.folder, folder)
    await writeReport(damage)
    options.onDamage(damage)
  }
  return found
}

/** Parts in the ledger without any file, either here or among the parts that were set aside. */
export function findGone(names: readonly string[], { noted, kept }: Pick<RecoverOptions, 'noted' | 'kept'>): number[] {
  const present = new Set([...names.map(numberOfPart), ...kept])
  return [...noted].filter((number) => !present.has(number)).toSorted((a, b) => a - b)
}

async function recoverPart({ found, ...place }: Place & { found: RecoveredParts }, options: RecoverOptions): Promise<void> {
  const part = emptyPart(place.folder, place.number)
  const files = await readFiles(part)
  const reading = readPart(files, options.known)
  if (reading.state !== 'whole') {
    const salvaged = await salvage({ ...place, reading, rows: files.rows }, options)
    if (salvaged) found.parts.push(salvaged)
    return
  }
  const blocks = reading.blocks.filter(({ offset }) => offset < contiguousEnd(reading.blocks))
  const bytes = sumBytes(blocks)
  if (files.rows !== undefined && bytes < files.rows.length) await cutRows(part, bytes)
  const list = bytes > 0 ? found.parts : found.written
  list.push({ rowsPath: part.rowsPath, columns: reading.columns, blocks, bytes })
}

interface Place {
  folder: string
  number: number
}

interface DamagedPart extends Place {
  reading: PartReading
  rows: Buffer | undefined
}

/** Copies the intact blocks, if any, to a new part, then moves the damaged files away. Repeated after a crash in between. */
async function salvage(
  { folder, number, reading, rows }: DamagedPart,
  { onDamage, nextNumber }: RecoverOptions,
): Promise<JournalPart | undefined> {
  const damage = damageOf(folder, number, reading)
  await makeFolder(damage.folder, folder)
  const salvaged = rows && reading.blocks.length > 0 ? await copyBlocks({ folder, number: nextNumber(), reading, rows }) : undefined
  await writeReport(damage)
  await movePart(emptyPart(folder, number), damage.folder)
  onDamage(damage)
  return salvaged
}

async function copyBlocks({ folder, number, reading, rows }: DamagedPart & { rows: Buffer }): Promise<JournalPart> {
  const copy = await createPart(folder, number, reading.columns)
  try {
    const blocks = reading.blocks.map(({ offset, bytes, rows: count }) => {
      return { bytes: rows.subarray(offset, offset + bytes), rows: count, columns: reading.columns }
    })
    await copy.append(blocks)
    await copy.mark()
    await copy.close()
  } catch (error) {
    await copy.abandon()
    throw error
  }
  return copy
}
