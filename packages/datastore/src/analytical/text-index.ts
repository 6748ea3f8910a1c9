import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { Analytical } from './analytical.ts'
import { databaseName } from './engine/engine-config.ts'
import { replacedPartSeconds } from './tables/part-settings.ts'
import { bind, ownSql, sql } from './sql.ts'
import { localTable, settingsChange, type StoreKind } from './table-definition.ts'
import { callsTable } from './tables/calls.ts'
import { serverWork } from '../work/work-scope.ts'

/** The columns with a full-text index. */
const columns = ['inputs', 'output'] as const

/**
 * The engine syncs every file of a merged part except those of a text index, and a missing file makes the whole part damaged.
 * So replaced parts are kept until the operating system has certainly written back the files: on start the engine falls back to them.
 */
const replacedPartSecondsWithIndex = 480

export interface TextIndexOptions {
  analytical: Analytical
  locks: KeyedLock
  kind: StoreKind
  /** Undefined leaves the index as it is. */
  isOn: boolean | undefined
}

/**
 * Creates or drops the full-text index of payloads. Idempotent. Query results are the same with and
 * without it. Existing calls are indexed in the background, and until then are searched without an index.
 * While the index exists, replaced parts of calls are kept for eight minutes; after it is dropped, until the next start.
 * @throws StoreError of the statement that failed; the call may be retried.
 */
export async function setTextIndex({ analytical, locks, kind, isOn }: TextIndexOptions): Promise<void> {
  await locks.withKeys(serverWork, ['analytical-migrations'], async () => {
    const present = await presentIndexes(analytical)
    const seconds = isOn === true || present.size > 0 ? replacedPartSecondsWithIndex : replacedPartSeconds
    await keepReplacedParts({ analytical, kind, seconds })
    if (isOn === undefined) return
    for (const column of columns) {
      const { name, add, fill, remove } = textIndexChanges(kind, column)
      if (present.has(name) === isOn) continue
      if (isOn) await analytical.execute(ownSql(add))
      await analytical.execute(ownSql(isOn ? fill : remove), { inBackground: true })
    }
  })
}

async function keepReplacedParts({ analytical, kind, seconds }: Pick<TextIndexOptions, 'analytical' | 'kind'> & { seconds: number }) {
  const name = kind === 'embedded' ? callsTable.name : `${callsTable.name}_local`
  const [table] = await analytical.rows<{ engine_full: string }>(
    sql`SELECT engine_full FROM system.tables WHERE database = ${bind('String', databaseName)} AND name = ${bind('String', name)}`,
  )
  if (table?.engine_full.includes(`old_parts_lifetime = ${seconds},`)) return
  await analytical.execute(ownSql(settingsChange(kind, callsTable.name, { old_parts_lifetime: seconds })))
}

/** The index of a column: statements that add it for new rows, build it for existing rows, and drop it. Each is idempotent. */
export function textIndexChanges(kind: StoreKind, column: string): { name: string; add: string; fill: string; remove: string } {
  const name = `words_of_${column}`
  const change = `ALTER TABLE ${localTable(kind, callsTable.name)}`
  return {
    name,
    add: `${change} ADD INDEX IF NOT EXISTS ${name} ${column} TYPE text(tokenizer = splitByNonAlpha)`,
    fill: `${change} MATERIALIZE INDEX ${name}`,
    remove: `${change} DROP INDEX IF EXISTS ${name}`,
  }
}

async function presentIndexes(analytical: Analytical): Promise<Set<string>> {
  const names = bind(
    'Array(String)',
    columns.map((column) => textIndexChanges('embedded', column).name),
  )
  const found = await analytical.rows<{ name: string }>(
    sql`SELECT DISTINCT name FROM system.data_skipping_indices WHERE database = ${bind('String', databaseName)} AND name IN ${names}`,
  )
  return new Set(found.map(({ name }) => name))
}
