import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../error-code.ts'
import { knownRowColumns } from '../rows/row-columns.ts'
import { allTables } from '../tables/all-tables.ts'
import { damagedFolder, damageOf, goneDamage, type JournalDamage } from './journal-damage.ts'
import { ledgerPathOf, ledgerTables, readLedger } from './journal-ledger.ts'
import { emptyPart, hasRows, isWritten, numberOfPart, readFiles } from './journal-part.ts'
import { readPart } from './read-part.ts'
import { findGone } from './recover-parts.ts'

/**
 * The damage that the next start will find in the journals below `folder`. Nothing is changed; no server may be using them. In a report of it `folder` is
 * where the files are.
 */
export async function examineJournals(folder: string): Promise<JournalDamage[]> {
  const found: JournalDamage[] = []
  for (const table of new Set([...(await namesIn(folder)), ...(await ledgerTables(folder))])) {
    const journal = join(folder, table)
    const names = await namesIn(journal)
    const kept = (await Promise.all(['refused', damagedFolder].map((each) => namesIn(join(journal, each))))).flat().map(numberOfPart)
    const known = allTables.filter(({ name }) => name === table).flatMap(knownRowColumns)
    const noted = await readLedger(ledgerPathOf(folder, table))
    for (const number of findGone(names, { noted, kept: kept.filter((each) => each !== undefined) }))
      found.push(goneDamage(journal, number))
    for (const number of new Set(names.map(numberOfPart))) {
      if (number === undefined || isWritten(names, number) || (!hasRows(names, number) && kept.includes(number))) continue
      const reading = readPart(await readFiles(emptyPart(journal, number)), known)
      if (reading.state !== 'whole') found.push({ ...damageOf(journal, number, reading), folder: journal })
    }
  }
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}
