import { tooLarge } from '@heddle/core-api/internal'
import { bind, join, type Micros, type ScopedAnalytical, serverWork, type Sql, sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { seen } from '../../query/calls-query.ts'
import { payloadJson } from '../../query/fields/payload-text.ts'
import { latestVersions } from '../calls/row/latest-versions.ts'
import { compileResultsQuery, type PageRow } from '../../query/results/results-query.ts'
import {
  callKind,
  countTrials,
  type GroupedTrial,
  type GroupUsage,
  manyTrials,
  type SummaryOf,
  type TrialGroup,
  trialGroups,
  trialsOfGroups,
  usageOfGroups,
} from '../../query/results/summary-query.ts'
import {
  idsOfTrials,
  type PlainRowTrial,
  plainTrialsOfRows,
  possible,
  type RowStarts,
  type RowTrial,
  startsIn,
  trialsOfRows,
} from '../../query/results/trials-in.ts'
import type {
  EvalResultsStore,
  RowsInput,
  StoredChild,
  StoredChildMarks,
  StoredRoot,
  StoredTrial,
  SummaryInput,
} from './eval-results-store.ts'

/** Predict-and-score calls of one page: more of them take too long, and are more than an answer holds. */
const maxTrials = 250_000
/** Memory that the groups of a summary may take, and that of one without its scores, by estimate. */
const maxGroupsBytes = 64 * 1024 * 1024
const groupBytes = 1_000
/** Trials that the engine groups at a time, of the hundred thousands that a statement may read. */
const grouping = { rowsAtOnce: 16_384 }

export function sqlEvalResultsStore(analytical: ScopedAnalytical, clock: () => Micros): EvalResultsStore {
  const live = (project: ProjectScope) => join(seen({ project_id: project.id, now: clock() }), sql` AND `)
  /** Live calls below others. When these started is looked up first among all versions, by the index of parents. */
  const below = (project: ProjectScope, parents: readonly string[]) => {
    const ids = bind('Array(String)', possible(parents))
    // Many are found by comparing all calls, as the summary does. Calls below others with an equal hash are below no call of the page.
    const parent =
      parents.length > manyTrials
        ? sql`cityHash64(parent_id) IN (SELECT arrayJoin(arrayMap(id -> cityHash64(id), ${ids})))`
        : sql`parent_id IN ${ids}`
    const starts = sql`SELECT started_at FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND ${parent}`
    return sql`FROM heddle.calls FINAL WHERE ${live(project)} AND started_at IN (${starts}) AND ${parent}`
  }
  const trialsIn = (project: ProjectScope, evaluations: readonly string[]) => ({ project_id: project.id, now: clock(), evaluations })
  const compile = (project: ProjectScope, input: RowsInput) => compileResultsQuery(trialsIn(project, input.evaluations), input)
  const summaryOf = async (project: ProjectScope, input: SummaryInput): Promise<SummaryOf> => {
    const trials = trialsIn(project, input.evaluations)
    const [found] = input.children ? await analytical.of(project).rows<{ total: number }>(countTrials(trials)) : []
    const isLarge = (found?.total ?? 0) > manyTrials
    return { trials, rows: compile(project, input).digests(input.isWhole), children: input.children, isLarge }
  }
  const readAll = async <Row>(project: ProjectScope, statement: Sql): Promise<Row[]> => {
    const found: Row[] = []
    for await (const block of analytical.of(project).blocks<Row>(statement)) for (const row of block) found.push(row)
    return found
  }
  const count = async (project: ProjectScope, input: RowsInput) => {
    const [found] = await analytical.of(project).rows<{ total: number }>(compile(project, input).count(input.isWhole))
    return found?.total ?? 0
  }

  return {
    async rows(project, input, page) {
      const rows: RowStarts[] = []
      let total = 0
      let trials = 0
      for await (const block of analytical.of(project).blocks<PageRow>(compile(project, input).page(input.isWhole, page), grouping)) {
        for (const { total: all, ...row } of block) {
          rows.push(row)
          trials += row.starts.length
          total = all
        }
        if (trials > maxTrials) throw tooManyTrials()
      }
      // A page beyond the last row tells nothing of the others.
      const isBeyond = rows.length === 0 && (page.offset > 0 || page.limit === 0)
      return { rows, total: isBeyond ? await count(project, input) : total }
    },

    trialsOfRows: (project, evaluations, rows) => readAll<RowTrial>(project, trialsOfRows(trialsIn(project, evaluations), rows)),

    plainTrialsOfRows: (project, evaluations, rows) =>
      readAll<PlainRowTrial>(project, plainTrialsOfRows(trialsIn(project, evaluations), rows)),

    async idsOfTrials(project, evaluations, { rows, limit }) {
      const found = await readAll<{ id: string }>(project, idsOfTrials(trialsIn(project, evaluations), rows, limit))
      return found.map(({ id }) => id)
    },

    countRows: count,

    async trialGroups(project, input) {
      const groups: TrialGroup[] = []
      let size = 0
      for await (const block of analytical.of(project).blocks<TrialGroup>(trialGroups(await summaryOf(project, input)), grouping)) {
        for (const group of block) {
          groups.push(group)
          size += groupBytes + group.score_shape.length + group.sums.length * 8
        }
        if (size > maxGroupsBytes)
          throw tooLarge(
            'The scores of the trials are too unlike each other to be added up: ask without include_summary, or for fewer evaluations',
          )
      }
      return groups
    },

    async groupedTrials(project, input, names) {
      const found: GroupedTrial[] = []
      for await (const block of analytical
        .of(project)
        .blocks<GroupedTrial>(trialsOfGroups(await summaryOf(project, input), names), grouping))
        for (const trial of block) found.push(trial)
      return found
    },

    groupUsage: async (project, input, changes) =>
      analytical.of(project).rows<GroupUsage>(usageOfGroups(await summaryOf(project, input), changes)),

    async mayHaveOlder() {
      const found = await analytical.of(serverWork).rows(sql`SELECT 1 AS found FROM heddle.calls WHERE ${isOlder} LIMIT 1`)
      return found.length > 0
    },

    async *olderTrials(project, evaluations) {
      const parents = sql`parent_id IN ${bind('Array(String)', possible(evaluations))}`
      const older = sql`SELECT id FROM heddle.calls FINAL WHERE ${live(project)} AND ${parents} AND ${isOlder}`
      for await (const block of analytical.of(project).blocks<{ id: string }>(older)) yield block.map(({ id }) => id)
    },

    async trials(project, keys) {
      if (keys.length === 0) return []
      const starts = [...new Set(keys.map(({ started_micros }) => started_micros))]
      const ids = bind(
        'Array(String)',
        keys.map(({ id }) => id),
      )
      const versions = analytical.of(project).blocks<StoredTrial & { version: string; is_deleted: number }>(
        sql`SELECT id, ${startedMicros}, ${endedMicros}, inputs, output, attributes, summary, version, is_deleted FROM heddle.calls
          WHERE project_id = ${bind('String', project.id)} AND started_at IN (${startsIn(starts)}) AND id IN ${ids}`,
      )
      const found: (StoredTrial & { version: bigint; is_deleted: number })[] = []
      for await (const block of versions) for (const { version, ...trial } of block) found.push({ ...trial, version: BigInt(version) })
      const latest = latestVersions(found, ({ id }) => id)
      return keys.flatMap(({ id }) => {
        const trial = latest.get(id)
        return trial === undefined || trial.is_deleted === 1 ? [] : [trial]
      })
    },

    async childMarks(project, parents, { usage }) {
      if (parents.length === 0) return []
      return readAll<StoredChildMarks>(
        project,
        sql`SELECT ${childColumns}, eval_marks, toFloat64(total_tokens) AS total_tokens, ${usage ? payloadJson(sql`summary`, ['usage']) : sql`''`} AS usage,
          may_name_spans::Bool AS may_name_spans ${below(project, parents)} ORDER BY started_at, id`,
      )
    },

    async children(project, parents) {
      if (parents.length === 0) return []
      const mayBeScorer = sql`(position(attributes, 'score') > 0 OR positionCaseInsensitive(op_short_name, 'score') > 0)`
      return readAll<StoredChild>(
        project,
        sql`SELECT ${childColumns}, ${payloadJson(sql`inputs`, ['self'])} AS self, ${payloadJson(sql`attributes`, ['weave'])} AS weave,
          ${payloadJson(sql`attributes`, ['_weave_eval_meta', 'score'])} AS score_mark, ${payloadJson(sql`summary`, ['usage'])} AS usage,
          ${payloadJson(sql`summary`, ['weave', 'genai_span_ref'])} AS spans, if(${mayBeScorer}, output, '') AS output ${below(project, parents)} ORDER BY started_at, id`,
      )
    },

    async roots(project, ids) {
      const asked = possible(ids)
      if (asked.length === 0) return []
      const named = (key: string) => payloadJson(sql`inputs`, [key])
      const id = sql`id IN ${bind('Array(String)', asked)}`
      const keys = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND ${id}`
      const rows = await analytical.of(project).rows<Omit<StoredRoot, 'started_at'> & { started_micros: number }>(
        sql`SELECT id, trace_id, display_name, ${startedMicros}, ${named('self')} AS self, ${named('this')} AS this, ${named('model')} AS model
          FROM heddle.calls FINAL WHERE ${live(project)} AND (started_at, id) IN (${keys})`,
      )
      return rows.map(({ started_micros, ...root }) => ({ ...root, started_at: started_micros }))
    },
  }
}

const startedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros`

const endedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(ended_at)) AS ended_micros`
const childColumns: Sql = sql`id, parent_id, op_name, op_short_name, ${startedMicros}, ${endedMicros}, isNotNull(exception)::Bool AS failed, toString(${callKind}) AS kind`

/** A predict-and-score call that an older version has written. */
const isOlder: Sql = sql`has_start = 1 AND trial_row = '' AND (endsWith(op_short_name, '.predict_and_score') OR endsWith(op_short_name, '.predictAndScore'))`

function tooManyTrials() {
  return tooLarge(`The rows have more than ${maxTrials} predict-and-score calls: ask for pages by limit and offset`)
}
