import { refScheme } from '@heddle/core-api/internal'
import {
  type AnsweredRow,
  type ScopedAnalytical,
  bind,
  columnsExcept,
  feedbackTable,
  type FeedbackRow,
  join,
  rowDecoder,
  rowEncoder,
  sql,
  type Sql,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { compileFeedbackQuery } from '../../query/feedback-query.ts'
import { resolveFeedbackRowField } from '../../query/fields/read/read-feedback-row.ts'
import type { FeedbackSelection, FeedbackStore, SelectedFeedback } from './feedback-store.ts'

/** Ids of one look-up. */
const idsAtOnce = 1_000

const wholeRow = rowDecoder(feedbackTable, columnsExcept(feedbackTable, []))

export function sqlFeedbackStore(analytical: ScopedAnalytical): FeedbackStore {
  return {
    async append(rows) {
      if (rows.length === 0) return
      const encoder = rowEncoder(feedbackTable)
      for (const row of rows) encoder.add(row)
      await analytical.insert(feedbackTable, { ...encoder.finish(), onlyDeletes: rows.every(({ is_deleted }) => is_deleted === 1) })
    },

    async findLatest(project, ids) {
      const possible = ids.filter((id) => !id.includes('\0'))
      const found: FeedbackRow[] = []
      for (let at = 0; at < possible.length; at += idsAtOnce) {
        const some = bind('Array(String)', possible.slice(at, at + idsAtOnce))
        const rows = await analytical
          .of(project)
          .rows<AnsweredRow>(
            sql`SELECT ${wholeRow.select} FROM heddle.feedback WHERE project_id = ${bind('String', project.id)} AND id IN ${some}`,
            { isConsistent: true },
          )
        found.push(...latestOf(rows.map(wholeRow.decode)))
      }
      return found
    },

    async select(project, selection) {
      const { matching, page } = compile(project, selection)
      const fields = selectFields(selection.fields)
      const rows = await analytical.of(project).rows<AnsweredRow>(sql`SELECT ${fields.sql} ${matching} ${page}`)
      return rows.map(fields.read)
    },

    async count(project, selection) {
      const { matching } = compile(project, selection)
      const [row] = await analytical.of(project).rows<{ count: number }>(sql`SELECT toFloat64(count()) AS count ${matching}`)
      return row?.count ?? 0
    },

    async ofCalls(project, callIds) {
      const refs = callIds.map((id) => `${refScheme}${project.id}/call/${id}`)
      if (refs.length === 0) return []
      const rows = await analytical.of(project).rows<AnsweredRow>(
        sql`SELECT ${wholeRow.select} FROM heddle.feedback FINAL
          WHERE project_id = ${bind('String', project.id)} AND weave_ref IN ${bind('Array(String)', refs)} ORDER BY created_at, id`,
      )
      return rows.map(wholeRow.decode)
    },
  }
}

function compile(project: ProjectScope, selection: FeedbackSelection) {
  return compileFeedbackQuery({ ...selection, project_id: project.id })
}

/** The highest version of each id on each target. */
function latestOf(rows: readonly FeedbackRow[]): FeedbackRow[] {
  const latest = new Map<string, FeedbackRow>()
  for (const row of rows) {
    const key = `${row.id}\0${row.weave_ref}`
    const known = latest.get(key)
    if (known === undefined || row.version > known.version) latest.set(key, row)
  }
  return [...latest.values()]
}

interface SelectedFields {
  sql: Sql
  read(row: AnsweredRow): SelectedFeedback
}

function selectFields(fields: readonly string[] | null): SelectedFields {
  if (fields === null) return { sql: wholeRow.select, read: (row) => ({ columns: wholeRow.decode(row), values: new Map() }) }
  const columns = new Set<keyof FeedbackRow>()
  const values = new Map<string, Sql>()
  for (const path of fields) {
    const field = resolveFeedbackRowField(path)
    if (field.kind === 'column') columns.add(field.name)
    else values.set(path, field.operand.sql)
  }
  const names = [...values.keys()]
  const inside = [...values.values()].map((value, index) => sql`${value} AS ${bind('Identifier', `value_${index}`)}`)
  const chosen = rowDecoder(feedbackTable, [...columns])
  return {
    sql: join([...(columns.size > 0 ? [chosen.select] : []), ...inside], sql`, `),
    read: (row) => ({
      columns: chosen.decode(row),
      values: new Map(names.map((name, index) => [name, row[`value_${index}`] as string | number | null])),
    }),
  }
}
