import type { Analytical } from './analytical.ts'
import { bind, sql } from './sql.ts'
import type { StoreKind } from './table-definition.ts'

/** `replicated` for a ClickHouse server with the macros of a cluster; `embedded` for a single server and for the embedded engine. */
export async function readStoreKind(analytical: Pick<Analytical, 'rows'>): Promise<StoreKind> {
  const names = bind('Array(String)', ['cluster', 'shard', 'replica'])
  const macros = await analytical.rows<{ macro: string }>(sql`SELECT macro FROM system.macros WHERE has(${names}, macro)`)
  return macros.length === 3 ? 'replicated' : 'embedded'
}
