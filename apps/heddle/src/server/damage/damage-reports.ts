import type { JournalDamage, StoreError, TableDamage } from '@heddle/datastore'
import type { ServerLog } from '../../log/server-log.ts'
import { logJournalDamage, logTableDamage } from './damage-log.ts'

/** The damage that this server has met. */
export interface DamageReports {
  /** Damage that a request or a sweep met: logged the first time. */
  met(error: StoreError): void
  /** Damage in the journals that an earlier process left. */
  inJournal(damage: JournalDamage): void
  /** Parts of tables that are damaged or gone. */
  inTables(damage: TableDamage): void
  /** How much is damaged, without naming any of it; undefined if no damage is known. */
  summary(): string | undefined
}

/** Up to this many are distinguished; further damage is neither logged nor counted. */
const maxThings = 10_000

export function createDamageReports(log: Pick<ServerLog, 'error' | 'warn'>): DamageReports {
  const things = new Set<string>()

  function isNew(thing: string): boolean {
    if (things.has(thing) || things.size >= maxThings) return false
    things.add(thing)
    return true
  }

  return {
    met(error) {
      if (isNew(error.message)) log.error({ err: error }, 'met damaged data')
    },
    inJournal(damage) {
      if (isNew(`journal ${damage.table} ${damage.part}`)) logJournalDamage(damage, log)
    },
    inTables({ detached, lost, damagedNotes }) {
      logTableDamage({ detached: detached.filter(({ path }) => isNew(`part ${path}`)), lost, damagedNotes }, log)
      if (damagedNotes !== undefined) isNew(`notes ${damagedNotes}`)
      for (const { table, name } of lost) isNew(`lost part ${table} ${name}`)
    },
    summary: () => (things.size === 0 ? undefined : `${things.size} damaged; run heddle doctor`),
  }
}
