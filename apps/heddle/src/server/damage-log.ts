import type { JournalDamage, TableDamage } from '@heddle/datastore'
import type { ServerLog } from './server-log.ts'

/** Logs what is missing from a journal and where its files are kept: an error where rows were acknowledged, a warning where they may have been. */
export function tellOfJournal(damage: JournalDamage, log: Pick<ServerLog, 'error' | 'warn'>): void {
  const { table, part, reason, missing, recovered, folder, isCertain } = damage
  const figures = { missingBytes: missing.bytes, missingBlocks: missing.blocks, missingRows: missing.rows, recoveredBytes: recovered.bytes }
  const fields = { table, part, reason, ...figures, recoveredBlocks: recovered.blocks, path: folder }
  if (isCertain)
    log.error(fields, 'a journal is damaged: its whole blocks were recovered, what is missing was acknowledged, and its files are kept')
  else
    log.warn(
      fields,
      'a journal ends in rows that are not whole, as a power cut may leave them: they may have been acknowledged, and its files are kept',
    )
}

/** Logs which parts of tables are damaged or gone: an error for each whose rows are in no answer, with where its files are kept or how many rows are gone. */
export function tellOfTables({ detached, lost }: TableDamage, log: Pick<ServerLog, 'error' | 'warn'>): void {
  for (const { table, name, reason, path, missingRows } of detached) {
    if (missingRows === 0)
      log.warn({ table, part: name, reason, path }, 'a part of a table is damaged: its rows are in other parts, and its files are kept')
    else
      log.error(
        { table, part: name, reason, path, missingRows },
        'a part of a table is damaged: its rows are in no answer, and its files are kept',
      )
  }
  for (const { table, name, rows } of lost) log.error({ table, part: name, rows }, 'a part of a table is gone: its rows are in no answer')
}
