import { tooLarge } from '@heddle/core-api/internal'
import { bind, join, type ScopedAnalytical, serverWork, type Sql, sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import { seen } from '../../query/calls-query.ts'
import { derivedOf } from '../../query/derived-conditions.ts'
import { payloadJson } from '../../query/fields/payload-text.ts'
import { toModelUsage, usageByKey, type UsageOfKey } from '../../query/model-usage.ts'
import { noSplits } from '../../query/price-splits.ts'
import { latestVersions } from '../../records/calls/row/latest-versions.ts'
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
  type SpecialCall,
  specialOfGroups,
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
  StoredSpans,
  StoredTrial,
  SummaryInput,
} from './eval-results-store.ts'

/** Predict-and-score calls per page: more would take too long, and exceed the size of a response. */
const maxTrials = 250_000
/** Memory limit for the groups of a summary, and the estimated memory of one group without its scores. */
const maxGroupsBytes = 64 * 1024 * 1024
const groupBytes = 1_000
/** Trials that the engine groups at a time, out of the hundreds of thousands that a statement may read. */
const grouping = { rowsAtOnce: 16_384 }
/** Calls that name spans, whose payloads the engine reads at a time. */
const naming = { rowsAtOnce: 256 }

export function sqlEvalResultsStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): EvalResultsStore {
  const live = async (project: ProjectScope) => join(seen(project.id, await visibility.of(project)), sql` AND `)
  /** Live calls below other calls. Their start times are first looked up among all versions, by the index of parents. */
  const below = async (project: ProjectScope, parents: readonly string[]) => {
    const ids = bind('Array(String)', possible(parents))
    // Large numbers are found by comparing all calls, as the summary does. Calls below others with an equal hash are below no call of the page.
    const parent =
      parents.length > manyTrials
        ? sql`cityHash64(parent_id) IN (SELECT arrayJoin(arrayMap(id -> cityHash64(id), ${ids})))`
        : sql`parent_id IN ${ids}`
    const starts = sql`SELECT started_at FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND ${parent}`
    return sql`FROM heddle.calls FINAL WHERE ${await live(project)} AND started_at IN (${starts}) AND ${parent}`
  }
  const trialsIn = async (project: ProjectScope, evaluations: readonly string[]) => ({
    project_id: project.id,
    visibility: await visibility.of(project),
    evaluations,
  })
  const compile = async (project: ProjectScope, input: RowsInput) => compileResultsQuery(await trialsIn(project, input.evaluations), input)
  const summaryOf = async (project: ProjectScope, input: SummaryInput): Promise<SummaryOf> => {
    const trials = await trialsIn(project, input.evaluations)
    const [found] = input.children ? await analytical.of(project).rows<{ total: number }>(countTrials(trials)) : []
    const isLarge = (found?.total ?? 0) > manyTrials
    return { trials, rows: (await compile(project, input)).digests(input.isWhole), children: input.children, isLarge }
  }
  const readAll = async <Row>(project: ProjectScope, statement: Sql): Promise<Row[]> => {
    const found: Row[] = []
    for await (const block of analytical.of(project).blocks<Row>(statement)) for (const row of block) found.push(row)
    return found
  }
  const count = async (project: ProjectScope, input: RowsInput) => {
    const [found] = await analytical.of(project).rows<{ total: number }>((await compile(project, input)).count(input.isWhole))
    return found?.total ?? 0
  }

  return {
    async rows(project, input, page) {
      const rows: RowStarts[] = []
      let total = 0
      let trials = 0
      for await (const block of analytical
        .of(project)
        .blocks<PageRow>((await compile(project, input)).page(input.isWhole, page), grouping)) {
        for (const { total: all, ...row } of block) {
          rows.push(row)
          trials += row.starts.length
          total = all
        }
        if (trials > maxTrials) throw tooManyTrials()
      }
      // A page beyond the last row has no total.
      const isBeyond = rows.length === 0 && (page.offset > 0 || page.limit === 0)
      return { rows, total: isBeyond ? await count(project, input) : total }
    },

    trialsOfRows: async (project, evaluations, rows) =>
      readAll<RowTrial>(project, trialsOfRows(await trialsIn(project, evaluations), rows)),

    plainTrialsOfRows: async (project, evaluations, rows) =>
      readAll<PlainRowTrial>(project, plainTrialsOfRows(await trialsIn(project, evaluations), rows)),

    async idsOfTrials(project, evaluations, { rows, limit }) {
      const found = await readAll<{ id: string }>(project, idsOfTrials(await trialsIn(project, evaluations), rows, limit))
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

    groupUsage: async (project, input, changes, special) =>
      analytical.of(project).rows<GroupUsage>(usageOfGroups(await summaryOf(project, input), changes, special)),

    async *specialCalls(project, input, special) {
      yield* analytical.of(project).blocks<SpecialCall>(specialOfGroups(await summaryOf(project, input), special), grouping)
    },

    async mayHaveOlder() {
      const found = await analytical.of(serverWork).rows(sql`SELECT 1 AS found FROM heddle.calls WHERE ${isOlder} LIMIT 1`)
      return found.length > 0
    },

    async *olderTrials(project, evaluations) {
      const parents = sql`parent_id IN ${bind('Array(String)', possible(evaluations))}`
      const older = sql`SELECT id FROM heddle.calls FINAL WHERE ${await live(project)} AND ${parents} AND ${isOlder}`
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
          ${usage ? pricedColumns : sql``} may_name_spans::Bool AS may_name_spans ${await below(project, parents)} ORDER BY started_at, id`,
      )
    },

    async children(project, parents) {
      if (parents.length === 0) return []
      const mayBeScorer = sql`(position(attributes, 'score') > 0 OR positionCaseInsensitive(op_short_name, 'score') > 0)`
      return readAll<StoredChild>(
        project,
        sql`SELECT ${childColumns}, ${payloadJson(sql`inputs`, ['self'])} AS self, ${payloadJson(sql`attributes`, ['weave'])} AS weave,
          ${payloadJson(sql`attributes`, ['_weave_eval_meta', 'score'])} AS score_mark, ${payloadJson(sql`summary`, ['usage'])} AS usage, ${pricedColumns}
          ${payloadJson(sql`summary`, ['weave', 'genai_span_ref'])} AS spans, if(${mayBeScorer}, output, '') AS output ${await below(project, parents)} ORDER BY started_at, id`,
      )
    },

    async traceUsage(project, traceIds, maxCalls) {
      const trace = sql`trace_id IN ${bind('Array(String)', possible(traceIds))}`
      const own = sql`project_id = ${bind('String', project.id)}`
      const [known] = await analytical
        .of(project)
        .rows<{ calls: number }>(sql`SELECT toFloat64(sum(calls)) AS calls FROM heddle.traces FINAL WHERE ${own} AND ${trace}`)
      if ((known?.calls ?? 0) > maxCalls) return undefined
      const derived = derivedOf({ projectId: project.id, visibility: await visibility.of(project), callId: sql`call_id` })
      const usageRows = sql`FROM heddle.usage FINAL
        WHERE ${join(derived, sql` AND `)} AND started_at IN (${startsOfTrace(own, trace)}) AND ${trace}`
      const [calls, usage] = await Promise.all([
        readAll<{ id: string; parent_id: string; started_micros: number; ended_micros: number | null; may_name_spans: boolean }>(
          project,
          sql`SELECT id, parent_id, ${startedMicros}, ${endedMicros}, may_name_spans::Bool AS may_name_spans FROM heddle.calls FINAL
            WHERE ${await live(project)} AND started_at IN (${startsOfTrace(own, trace)}) AND ${trace}`,
        ),
        readAll<UsageOfKey>(project, usageByKey({ key: sql`call_id`, rows: usageRows, splits: noSplits })),
      ])
      return {
        calls: calls.map(({ id, parent_id, started_micros, ended_micros, may_name_spans }) => ({
          id,
          parentId: parent_id || null,
          startedAt: started_micros,
          endedAt: ended_micros,
          may_name_spans,
        })),
        usage: usage.map(({ key_of_usage: call_id, tokens, usage_of_models }) => ({
          call_id,
          tokens,
          usage: usage_of_models.map(toModelUsage),
        })),
      }
    },

    async *namedSpans(project, traceId) {
      const trace = sql`trace_id = ${bind('String', traceId)}`
      const own = sql`project_id = ${bind('String', project.id)}`
      yield* analytical.of(project).blocks<StoredSpans>(
        sql`SELECT id, ${payloadJson(sql`attributes`, ['weave', 'genai_span_ref'])} AS in_attributes,
          ${payloadJson(sql`summary`, ['weave', 'genai_span_ref'])} AS in_summary FROM heddle.calls FINAL
          WHERE ${await live(project)} AND started_at IN (${startsOfTrace(own, trace)}) AND ${trace} AND may_name_spans = 1`,
        naming,
      )
    },

    async roots(project, ids) {
      const requested = possible(ids)
      if (requested.length === 0) return []
      const named = (key: string) => payloadJson(sql`inputs`, [key])
      const id = sql`id IN ${bind('Array(String)', requested)}`
      const keys = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND ${id}`
      const rows = await analytical.of(project).rows<Omit<StoredRoot, 'started_at'> & { started_micros: number }>(
        sql`SELECT id, trace_id, display_name, ${startedMicros}, ${named('self')} AS self, ${named('this')} AS this, ${named('model')} AS model
          FROM heddle.calls FINAL WHERE ${await live(project)} AND (started_at, id) IN (${keys})`,
      )
      return rows.map(({ started_micros, ...root }) => ({ ...root, started_at: started_micros }))
    },
  }
}

/** When the calls of a trace started, by the index of traces. */
const startsOfTrace = (own: Sql, trace: Sql): Sql => sql`SELECT started_at FROM heddle.calls WHERE ${own} AND ${trace}`

const startedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros`

const endedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(ended_at)) AS ended_micros`
/** Columns other than usage that determine prices. */
const pricedColumns: Sql = sql`toString(kind_words) AS kind_words, toString(span_scope) AS span_scope, toString(service_tier) AS service_tier,`

const childColumns: Sql = sql`id, parent_id, op_name, op_short_name, ${startedMicros}, ${endedMicros}, isNotNull(exception)::Bool AS failed, toString(${callKind}) AS kind`

/** A predict-and-score call that an older version has written. */
const isOlder: Sql = sql`has_start = 1 AND trial_row = '' AND (endsWith(op_short_name, '.predict_and_score') OR endsWith(op_short_name, '.predictAndScore'))`

function tooManyTrials() {
  return tooLarge(`The rows have more than ${maxTrials} predict-and-score calls: ask for pages by limit and offset`)
}
