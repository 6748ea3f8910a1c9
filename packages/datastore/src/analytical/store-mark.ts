import type { Analytical } from './analytical.ts'
import { databaseName } from './engine/engine-config.ts'
import { ownSql, sql } from './sql.ts'
import type { StoreKind } from './table-definition.ts'

const table = 'store_identity'

/** The store id of the analytical tables; undefined when they have none. */
export async function readAnalyticalMark(analytical: Pick<Analytical, 'rows'>): Promise<string | undefined> {
  const [found] = await analytical.rows<{ comment: string }>(
    sql`SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = 'store_identity'`,
  )
  return found?.comment
}

/** Sets the store id, a UUID. It is the comment of an empty table, so a damaged part cannot lose it. */
export async function writeAnalyticalMark({
  analytical,
  kind,
  id,
}: {
  analytical: Analytical
  kind: StoreKind
  id: string
}): Promise<void> {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`${JSON.stringify(id)} is not a UUID`)
  const place = `${databaseName}.${table}${kind === 'replicated' ? " ON CLUSTER '{cluster}'" : ''}`
  await analytical.execute(ownSql(`DROP TABLE IF EXISTS ${place}`))
  await analytical.execute(ownSql(`CREATE TABLE ${place} (id String) ENGINE = MergeTree ORDER BY id COMMENT '${id}'`))
}
