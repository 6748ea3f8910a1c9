import { bind, join, type ScopedAnalytical, sql, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import type { ParquetTable } from '../../query/parquet-tables.ts'
import type { ParquetStore, TableDay } from './parquet-store.ts'

/** A day may be large, and no request waits for it. */
const maxSeconds = 3_600

export function sqlParquetStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): ParquetStore {
  async function conditionsOf(project: ProjectScope, table: ParquetTable): Promise<Sql> {
    const { hidden, now } = await visibility.of(project)
    const expiry = table.name === 'feedback' ? [] : [notExpired(now)]
    return join([sql`project_id = ${bind('String', project.id)}`, ...expiry, ...table.visible(project.id, hidden)], sql` AND `)
  }

  return {
    async days(project, table) {
      const { source, time, version, size } = table
      return analytical.of(project).rows<TableDay>(
        sql`SELECT toString(toDate(${time})) AS day, toFloat64(count()) AS rows, toFloat64(sum(${size})) AS bytes, hex(groupBitXor(cityHash64(${version}))) AS hash
          FROM ${source} WHERE ${await conditionsOf(project, table)} GROUP BY day ORDER BY day`,
        { maxSeconds },
      )
    },

    async *read(project, table, { day, part, parts }) {
      const { source, time, version, columns } = table
      const divided = parts === 1 ? [] : [sql`cityHash64(${version}) % ${bind('UInt64', parts)} = ${bind('UInt64', part)}`]
      const conditions = [await conditionsOf(project, table), sql`toDate(${time}) = toDate(${bind('String', day)})`, ...divided]
      yield* analytical.of(project).parquet(
        sql`SELECT ${join(
          columns.map(({ select }) => select),
          sql`, `,
        )} FROM (SELECT * FROM ${source} WHERE ${join(conditions, sql` AND `)})`,
        { maxSeconds },
      )
    },
  }
}

function notExpired(now: number): Sql {
  const never = sql`expire_at = fromUnixTimestamp64Micro(toInt64(0))`
  return sql`(${never} OR expire_at > fromUnixTimestamp64Micro(${bind('Int64', now)}))`
}
