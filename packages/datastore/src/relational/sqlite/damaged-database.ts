import { StoreError } from '../../work/store-error.ts'
import type { SqliteDamage } from './examine-sqlite.ts'

/** What to do about the damage of a database. */
export function remedyOfDatabase({ kind }: SqliteDamage): string {
  const restore = 'restore a backup into a new data folder (`heddle restore`), or put back the files from a copy of the disk'
  if (kind === 'commits') return `${restore}, or continue without what is missing: \`heddle doctor --repair\``
  return `${restore}, or read what is left with \`sqlite3 heddle.db .recover\``
}

/** The error for a database that is not opened. `evidence`: where its files were copied. */
export function damagedDatabase(path: string, damage: SqliteDamage, evidence?: string): StoreError {
  const copies = evidence === undefined ? '' : `, and its files were copied to ${evidence}`
  const message = `the relational database ${path} is damaged: ${damage.reason}; nothing was written to it${copies}; ${remedyOfDatabase(damage)}`
  return new StoreError('failed', message)
}
