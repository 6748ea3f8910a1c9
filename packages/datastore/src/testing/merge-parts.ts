import { vi } from 'vitest'
import type { Analytical } from '../analytical/analytical.ts'
import { bind, ownSql, sql } from '../analytical/sql.ts'

/**
 * Merges the parts of each partition of `table` into one, which also removes expired rows. The engine skips `OPTIMIZE` in silence while a
 * merge of its own takes the same parts, so that the statement is repeated until each partition has a single merged part.
 */
export async function mergeParts(analytical: Analytical, table: string): Promise<void> {
  const unmerged = sql`SELECT partition FROM system.parts WHERE active AND database = 'heddle' AND table = ${bind('String', table)}
    GROUP BY partition HAVING count() > 1 OR min(level) = 0`
  await vi.waitFor(
    async () => {
      await analytical.execute(ownSql(`OPTIMIZE TABLE heddle.${table} FINAL`))
      const left = await analytical.rows<{ partition: string }>(unmerged)
      if (left.length > 0) throw new Error(`${table} still has unmerged parts in ${left.map(({ partition }) => partition).join(', ')}`)
    },
    { timeout: 60_000, interval: 200 },
  )
}
