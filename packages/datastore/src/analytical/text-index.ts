import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { Analytical } from './analytical.ts'
import { databaseName } from './engine/engine-config.ts'
import { bind, ownSql, sql } from './sql.ts'
import { localTable, type StoreKind } from './table-definition.ts'
import { callsTable } from './tables/calls.ts'

/** The columns whose words are indexed. */
const columns = ['inputs', 'output'] as const

export interface TextIndexOptions {
  analytical: Analytical
  locks: KeyedLock
  kind: StoreKind
  isOn: boolean
}

/**
 * Makes the index of the words of payloads, or removes it; nothing happens where that is done already. Answers are the same with and
 * without it. Calls that are there are indexed in the background, and until then are searched as without an index.
 * @throws StoreError of the statement that failed; it may be tried again.
 */
export async function setTextIndex({ analytical, locks, kind, isOn }: TextIndexOptions): Promise<void> {
  await locks.withKeys(['analytical-migrations'], async () => {
    const present = await presentIndexes(analytical)
    for (const column of columns) {
      const { name, add, fill, remove } = textIndexChanges(kind, column)
      if (present.has(name) === isOn) continue
      if (isOn) await analytical.execute(ownSql(add))
      await analytical.execute(ownSql(isOn ? fill : remove), { inBackground: true })
    }
  })
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
