import type { JournalDamage, TableDamage } from '@heddle/datastore'
import type { ServerLog } from '../../log/server-log.ts'

/** Logs the rows missing from a journal and where its files are kept: an error where rows were acknowledged, a warning where they may have been. */
export function logJournalDamage(damage: JournalDamage, log: Pick<ServerLog, 'error' | 'warn'>): void {
  const { table, part, reason, missing, recovered, folder, isCertain } = damage
  const counts = { missingBytes: missing.bytes, missingBlocks: missing.blocks, missingRows: missing.rows, recoveredBytes: recovered.bytes }
  const fields = { table, part, reason, ...counts, recoveredBlocks: recovered.blocks, path: folder }
  if (isCertain)
    log.error(fields, 'journal is damaged: intact blocks were recovered, acknowledged rows are missing; the damaged files are kept')
  else
    log.warn(
      fields,
      'journal ends in an incomplete block, as after a power failure: its rows may have been acknowledged; the files are kept',
    )
}

/** Logs which parts of tables are damaged or gone: an error for each whose rows are in no answer, with where its files are kept or how many rows are gone. */
export function logTableDamage({ detached, lost, damagedNotes }: TableDamage, log: Pick<ServerLog, 'error' | 'warn'>): void {
  for (const { table, name, reason, path, missingRows } of detached) {
    if (missingRows === 0)
      log.warn({ table, part: name, reason, path }, 'table part is damaged: its rows are also in other parts; the damaged files are kept')
    else
      log.error(
        { table, part: name, reason, path, missingRows },
        'table part is damaged: its rows are missing from results; the damaged files are kept',
      )
  }
  if (damagedNotes !== undefined)
    log.error({ path: damagedNotes }, 'notes of table parts are damaged: parts that are gone may be unnoticed')
  for (const { table, name, rows } of lost) log.error({ table, part: name, rows }, 'table part is gone: its rows are missing from results')
}
