import { refScheme } from '@heddle/core-api/internal'
import {
  type AnsweredRow,
  bind,
  columnsExcept,
  type FeedbackRow,
  feedbackTable,
  inParts,
  join,
  rowDecoder,
  rowEncoder,
  type ScopedAnalytical,
  sql,
  type Sql,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { timeSlices } from '@heddle/service-kit'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import { compileFeedbackQuery } from '../../query/feedback-query.ts'
import { feedbackNotHidden, listedIds } from '../../query/visible-records.ts'
import { resolveFeedbackRowField } from '../../query/fields/read/read-feedback-row.ts'
import type { FeedbackWithoutPayload, FeedbackSelection, FeedbackStore, SelectedFeedback } from './feedback-store.ts'

/** Ids of one look-up. */
const idsAtOnce = 1_000

const wholeRow = rowDecoder(feedbackTable, columnsExcept(feedbackTable, []))
const placeOfRow = rowDecoder(feedbackTable, columnsExcept(feedbackTable, ['payload']))

export function sqlFeedbackStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): FeedbackStore {
  const compile = async (project: ProjectScope, selection: FeedbackSelection) =>
    compileFeedbackQuery({ ...selection, project_id: project.id, hidden: (await visibility.of(project)).hidden })

  async function latest<R extends FeedbackWithoutPayload>(project: ProjectScope, ids: readonly string[], row: RowReader<R>): Promise<R[]> {
    const possible = ids.filter((id) => !id.includes('\0'))
    const found: R[] = []
    for (const part of inParts(possible, idsAtOnce)) {
      const some = bind('Array(String)', part)
      const rows = await analytical
        .of(project)
        .rows<AnsweredRow>(
          sql`SELECT ${row.select} FROM heddle.feedback WHERE project_id = ${bind('String', project.id)} AND id IN ${some}`,
          { isConsistent: true },
        )
      found.push(...latestOf(rows.map(row.decode)))
    }
    return found
  }

  /** Which of some rows a purge that has not ended hides. */
  async function hiddenAmong(
    project: ProjectScope,
    rows: readonly FeedbackWithoutPayload[],
  ): Promise<(row: FeedbackWithoutPayload) => boolean> {
    const { feedback } = (await visibility.of(project)).hidden
    if (feedback.length === 0 || rows.length === 0) return () => false
    const lists = feedback.map(async ({ deletion, last_version }) => {
      const ids = rows.map(({ id }) => id)
      const listed = await analytical
        .of(project)
        .rows<{ call_id: string }>(sql`${listedIds(project.id, [deletion])} AND call_id IN ${bind('Array(String)', ids)}`)
      return { last_version: BigInt(last_version), ids: new Set(listed.map(({ call_id }) => call_id)) }
    })
    const found = await Promise.all(lists)
    return ({ id, version }) => found.some(({ last_version, ids }) => version <= last_version && ids.has(id))
  }

  return {
    async append(rows) {
      if (rows.length === 0) return
      const encoder = rowEncoder(feedbackTable)
      const pace = timeSlices.begin()
      for (const row of rows) {
        const turn = pace()
        if (turn) await turn
        encoder.add(row)
      }
      const projects = [...new Set(rows.map(({ project_id }) => project_id))]
      const onlyDeletes = rows.every(({ is_deleted }) => is_deleted === 1)
      await analytical.insert(feedbackTable, { ...encoder.finish(), onlyDeletes, projects })
    },

    async findLatest(project, ids) {
      const rows = await latest(project, ids, wholeRow)
      const isHidden = await hiddenAmong(project, rows)
      return rows.map((row) => (isHidden(row) ? { ...row, is_deleted: 1 } : row))
    },

    async findLive(project, ids) {
      return (await latest(project, ids, placeOfRow)).filter(({ is_deleted }) => is_deleted === 0)
    },

    async select(project, selection) {
      const { matching, page } = await compile(project, selection)
      const fields = selectFields(selection.fields)
      const rows = await analytical.of(project).rows<AnsweredRow>(sql`SELECT ${fields.sql} ${matching} ${page}`)
      return rows.map(fields.read)
    },

    async count(project, selection) {
      const { matching } = await compile(project, selection)
      const [row] = await analytical.of(project).rows<{ count: number }>(sql`SELECT toFloat64(count()) AS count ${matching}`)
      return row?.count ?? 0
    },

    async ofCalls(project, callIds) {
      const refs = callIds.map((id) => `${refScheme}${project.id}/call/${id}`)
      if (refs.length === 0) return []
      const { hidden } = await visibility.of(project)
      const onCalls = [
        sql`project_id = ${bind('String', project.id)}`,
        sql`weave_ref IN ${bind('Array(String)', refs)}`,
        ...feedbackNotHidden(project.id, hidden),
      ]
      const rows = await analytical
        .of(project)
        .rows<AnsweredRow>(
          sql`SELECT ${wholeRow.select} FROM heddle.feedback FINAL WHERE ${join(onCalls, sql` AND `)} ORDER BY created_at, id`,
        )
      return rows.map(wholeRow.decode)
    },
  }
}

/** How some columns of a row are selected and read. */
interface RowReader<R> {
  select: Sql
  decode: (row: AnsweredRow) => R
}

/** The highest version of each id on each target. */
function latestOf<R extends FeedbackWithoutPayload>(rows: readonly R[]): R[] {
  const latest = new Map<string, R>()
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
