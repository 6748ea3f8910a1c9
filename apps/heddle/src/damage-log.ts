import type { JournalDamage } from '@heddle/datastore'
import type { ServerLog } from './server-log.ts'

/** Logs what is missing from a journal and where its files are kept: an error where rows were acknowledged, a warning where they may have been. */
export function tellOfJournal({ isCertain, ...damage }: JournalDamage, log: Pick<ServerLog, 'error' | 'warn'>): void {
  if (isCertain)
    log.error(damage, 'a journal is damaged: its whole blocks were recovered, what is missing was acknowledged, and its files are kept')
  else
    log.warn(
      damage,
      'a journal ends in rows without records, as a power cut may leave them: they may have been acknowledged, and its files are kept',
    )
}
