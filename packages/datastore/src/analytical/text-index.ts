import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { Analytical } from './analytical.ts'
import { databaseName } from './engine/engine-config.ts'
import { replacedPartSeconds } from './part-settings.ts'
import { bind, ownSql, sql } from './sql.ts'
import { localTable, settingsChange, type StoreKind } from './table-definition.ts'
import { callsTable } from './tables/calls.ts'

/** The columns whose words are indexed. */
const columns = ['inputs', 'output'] as const

/**
 * The engine syncs every file of a part that it merges, but not those of such an index, and a part without one of its files is damaged whole.
 * So the parts that it replaces stay until the system has surely written the files by itself: at a start the engine falls back on them.
 */
const replacedPartSecondsWithIndex = 480

export interface TextIndexOptions {
  analytical: Analytical
  locks: KeyedLock
  kind: StoreKind
  /** Undefined leaves the index as it is, there or not. */
  isOn: boolean | undefined
}

/**
 * Makes the index of the words of payloads, or removes it; nothing happens where that is done already. Answers are the same with and
 * without it. Calls that are there are indexed in the background, and until then are searched as without an index.
 * While there is an index replaced parts of calls stay for eight minutes; after its removal until the next start.
 * @throws StoreError of the statement that failed; it may be tried again.
 */
export async function setTextIndex({ analytical, locks, kind, isOn }: TextIndexOptions): Promise<void> {
  await locks.withKeys(['analytical-migrations'], async () => {
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

/** The index of a column: the statements that add it for rows to come, fill it for those that are there, and remove it. Each may be repeated. */
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
