import type { Analytical, Queries } from '../analytical.ts'
import { ownSql, sql } from '../sql.ts'
import { localName } from '../table-definition.ts'
import { allTables } from '../tables/all-tables.ts'

/** A part that the engine has read completely. */
export interface CheckedPart {
  table: string
  part: string
  /** The damage; undefined when all checksums match. */
  reason: string | undefined
}

/**
 * Makes the engine read every byte of every part, one after the other, and compare its checksums. `total`: number of parts. In a cluster, these are
 * the parts of the server that answers.
 */
export async function* checkAllParts(queries: Pick<Queries, 'rows'>): AsyncGenerator<CheckedPart & { total: number }> {
  const known = allTables.flatMap(({ name }) => [name, localName(name)])
  const parts = (
    await queries.rows<{ table: string; part: string }>(
      sql`SELECT table, name AS part FROM system.parts WHERE active AND database = currentDatabase() ORDER BY table, name`,
    )
  ).filter(({ table }) => known.includes(table))
  for (const { table, part } of parts) {
    const checked = await queries.rows<{ result?: number; is_passed?: number; message?: string }>(
      sql`CHECK TABLE ${ownSql(table)} PART ${ownSql(`'${part}'`)}`,
      { maxSeconds: 3_600 },
    )
    const isDamaged = checked.some(({ result, is_passed }) => (is_passed ?? result) === 0)
    const [reason = 'a checksum does not match'] = checked.flatMap(({ message }) => (message ? [firstWords(message)] : []))
    yield { table, part, reason: isDamaged ? reason : undefined, total: parts.length }
  }
}

/** Takes a part out of its table. Its files are kept in the folder `detached`. */
export async function detachPart(
  analytical: Pick<Analytical, 'execute'>,
  { table, part }: Pick<CheckedPart, 'table' | 'part'>,
): Promise<void> {
  await analytical.execute(sql`ALTER TABLE ${ownSql(table)} DETACH PART ${ownSql(`'${part}'`)}`)
}

/** The first sentence, without what the engine guesses about its cause. */
function firstWords(message: string): string {
  return (/^[^.]{1,160}/.exec(message.replace(/^Code: \d+\. DB::Exception: /, ''))?.[0] ?? '').trim()
}
