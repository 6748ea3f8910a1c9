import { readdir } from 'node:fs/promises'
import { makeFolder } from '../../durable-folders.ts'
import { type JournalDamage, damageOf, writeReport } from './journal-damage.ts'
import { createPart, cutRows, emptyPart, hasRows, isWritten, type JournalPart, movePart, numberOfPart, readFiles } from './journal-part.ts'
import { type PartReading, sumBytes, unbrokenEnd } from './part-reading.ts'
import { readPart } from './read-part.ts'

export interface RecoverOptions {
  /** Numbers of the parts that were set aside before. */
  kept: readonly number[]
  /** Lists of columns that the table's rows may have. */
  known: readonly (readonly string[])[]
  onDamage: (damage: JournalDamage) => void
  /** A number that no part has. */
  nextNumber: () => number
}

/** What an earlier process left in the journal of a table. */
export interface RecoveredParts {
  /** In their order, each with whole blocks alone. */
  parts: JournalPart[]
  /** Parts whose rows are in their table, or that hold none, and of which files are there. */
  written: JournalPart[]
}

/**
 * The whole blocks of the parts that an earlier process left. What a crash cut short, and was never acknowledged, is cut off; the files of a part
 * that is damaged are kept in the folder `damaged`, and its whole blocks become a part of their own.
 */
export async function recoverParts(folder: string, options: RecoverOptions): Promise<RecoveredParts> {
  const names = await readdir(folder)
  const numbers = new Set(names.map(numberOfPart).filter((each) => each !== undefined))
  const found: RecoveredParts = { parts: [], written: [] }
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const part = emptyPart(folder, number)
    // Of a part that was moved aside its records may be here still.
    const isMoved = !hasRows(names, number) && options.kept.includes(number)
    if (isWritten(names, number) || isMoved) found.written.push(part)
    else await recoverPart({ folder, number, found }, options)
  }
  return found
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
  const blocks = reading.blocks.filter(({ offset }) => offset < unbrokenEnd(reading.blocks))
  const bytes = sumBytes(blocks)
  if (files.rows !== undefined && bytes < files.rows.length) await cutRows(part, bytes)
  const list = bytes > 0 ? found.parts : found.written
  list.push({ rowsPath: part.rowsPath, columns: reading.columns, blocks, bytes })
}

interface Place {
  folder: string
  number: number
}

interface Damaged extends Place {
  reading: PartReading
  rows: Buffer | undefined
}

/** Sets the files aside, after their whole blocks have been written into a part of their own, if there are any. A crash in between does it again. */
async function salvage(
  { folder, number, reading, rows }: Damaged,
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

async function copyBlocks({ folder, number, reading, rows }: Damaged & { rows: Buffer }): Promise<JournalPart> {
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
