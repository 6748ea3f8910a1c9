import {
  bind,
  type DeletingAnalytical,
  join,
  noteReleased,
  type RelationalStore,
  sql,
  type Sql,
  tableRowsTable,
  tablesTable,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { listedIds } from '../../query/visible-records.ts'
import { digestsIn } from '../../query/digests-in.ts'
import { longStatement } from './listed-calls-store.sql.ts'
import { namedList } from '../../deletions/lists.ts'
import type { CoveredContent, NamedContentStore } from './named-content-store.ts'

/** Rows that one statement removes. */
const rowsAtOnce = 5_000

/** The texts in which a record may name a digest. */
const naming: readonly { table: Sql; texts: readonly Sql[] }[] = [
  {
    table: sql`heddle.calls WHERE is_deleted = 0 AND`,
    texts: [sql`inputs`, sql`output`, sql`attributes`, sql`summary`, sql`otel`],
  },
  { table: sql`heddle.feedback WHERE is_deleted = 0 AND`, texts: [sql`payload`] },
  { table: sql`heddle.object_values WHERE`, texts: [sql`val`] },
  { table: sql`heddle.table_rows WHERE`, texts: [sql`val`] },
]

export function sqlNamedContentStore(analytical: DeletingAnalytical, database: RelationalStore): NamedContentStore {
  async function* names(project: ProjectScope, statement: Sql): AsyncGenerator<string[]> {
    for await (const block of analytical.of(project).blocks<{ name: string }>(statement, longStatement)) yield block.map(({ name }) => name)
  }

  async function listed(project: ProjectScope, statement: Sql): Promise<string[]> {
    return (await analytical.of(project).rows<{ name: string }>(statement, longStatement)).map(({ name }) => name)
  }

  /** Rows of these tables that no other table has. */
  function ownRows(project: ProjectScope, digests: readonly string[]): Sql {
    const rowsOf = (condition: Sql) =>
      sql`SELECT arrayJoin(row_digests) AS name FROM heddle.tables WHERE ${ofProject(project)} AND digest ${condition} ${bind('Array(String)', digests)}`
    return sql`SELECT DISTINCT name FROM (${rowsOf(sql`IN`)}) WHERE name NOT IN (${rowsOf(sql`NOT IN`)})`
  }

  return {
    namedByValues: (project, digests) =>
      names(
        project,
        sql`SELECT DISTINCT ${digestsIn(sql`val`)} AS name FROM heddle.object_values WHERE ${ofProject(project)} AND digest IN ${bind('Array(String)', digests)}`,
      ),

    namedByRows(project, deletionId) {
      const tables = listedIds(project.id, [namedList(deletionId)])
      const rows = sql`SELECT arrayJoin(row_digests) FROM heddle.tables WHERE ${ofProject(project)} AND digest IN (${tables})`
      return names(
        project,
        sql`SELECT DISTINCT ${digestsIn(sql`val`)} AS name FROM heddle.table_rows WHERE ${ofProject(project)} AND digest IN (${rows})`,
      )
    },

    tables(project, { deletionId, selection }, { after, limit }) {
      const named = selection.kind === 'project' ? [] : [sql`digest IN (${listedIds(project.id, [namedList(deletionId)])})`]
      const conditions = join([ofProject(project), sql`digest > ${bind('String', after)}`, ...named], sql` AND `)
      return listed(
        project,
        sql`SELECT DISTINCT digest AS name FROM heddle.tables WHERE ${conditions} ORDER BY name LIMIT ${bind('UInt64', limit)}`,
      )
    },

    async files(project, covered, { after, limit }) {
      const files = database.of(project).selectFrom('files').select('digest').where('project_id', '=', project.id)
      if (covered.selection.kind === 'project')
        return digestsOf(await files.where('digest', '>', after).orderBy('digest').limit(limit).execute())
      for (let from = after; ;) {
        const named = await listed(project, namedAfter(project, covered, { from, limit }))
        if (named.length === 0) return []
        const found = digestsOf(await files.where('digest', 'in', named).orderBy('digest').execute())
        if (found.length > 0) return found
        from = named.at(-1) ?? ''
      }
    },

    async stillNamed(project, digests) {
      const needles = bind('Array(String)', digests)
      const found = new Set<string>()
      for (const { table, texts } of naming) {
        const any = join(
          texts.map((text) => sql`multiSearchAny(${text}, ${needles})`),
          sql` OR `,
        )
        const isNamed = join(
          texts.map((text) => sql`position(${text}, needle) > 0`),
          sql` OR `,
        )
        const each = sql`SELECT arrayJoin(arrayFilter(needle -> ${isNamed}, ${needles})) AS name FROM ${table} ${ofProject(project)} AND (${any})`
        for (const name of await listed(project, sql`SELECT DISTINCT name FROM (${each})`)) found.add(name)
      }
      return found
    },

    async removeTables(project, digests, storedBefore) {
      const isOld = sql`${ofProject(project)} AND version < ${bind('UInt64', storedBefore)}`
      const rows = sql`SELECT DISTINCT digest AS name FROM heddle.table_rows WHERE ${isOld} AND digest IN (${ownRows(project, digests)})`
      let removed = 0
      for (let found = rowsAtOnce; found === rowsAtOnce; removed += found) {
        const some = await listed(project, sql`${rows} LIMIT ${bind('UInt64', rowsAtOnce)}`)
        found = some.length
        if (found > 0) await analytical.deleteRows(tableRowsTable, sql`${isOld} AND digest IN ${bind('Array(String)', some)}`)
      }
      // Last, since they say which rows these are.
      await analytical.deleteRows(tablesTable, sql`${isOld} AND digest IN ${bind('Array(String)', digests)}`)
      return removed
    },

    async removeFiles(project, digests, storedBefore) {
      return database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const removed = await transaction
            .deleteFrom('files')
            .where('project_id', '=', project.id)
            .where('digest', 'in', [...digests])
            .where('created_at', '<', storedBefore)
            .returning('sha256')
            .execute()
          await noteReleased(
            transaction,
            removed.flatMap(({ sha256 }) => sha256 ?? []),
          )
          return removed.length
        })
    },
  }
}

function ofProject(project: ProjectScope): Sql {
  return sql`project_id = ${bind('String', project.id)}`
}

function namedAfter(project: ProjectScope, { deletionId }: CoveredContent, { from, limit }: { from: string; limit: number }): Sql {
  const named = listedIds(project.id, [namedList(deletionId)])
  return sql`SELECT DISTINCT call_id AS name FROM (${named}) WHERE call_id > ${bind('String', from)} ORDER BY name LIMIT ${bind('UInt64', limit)}`
}

function digestsOf(rows: readonly { digest: string }[]): string[] {
  return rows.map(({ digest }) => digest)
}
