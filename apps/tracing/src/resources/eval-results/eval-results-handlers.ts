import type { EvalResults, EvalResultsQuery, Handlers, tracing } from '@heddle/core-api'
import { badRequest, JsonText } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import type { EvalResultsStore } from './eval-results-store.ts'
import type { Computed, ResultsCache } from './results-cache.ts'
import { planFilter } from './request/filter-plan.ts'
import { requestedEvaluations } from './request/requested-evaluations.ts'
import { planSort } from './request/sort-plan.ts'
import { type EvaluationTrials, findTrials, trialBytes } from './rows/evaluation-trials.ts'
import { readFields } from './rows/field-values.ts'
import { groupRows, type ResultRow } from './rows/group-rows.ts'
import { pageOf } from './rows/page-of.ts'
import { type PresentedRows, presentRows, type RowsDeps } from './rows/present-rows.ts'
import { sortRows } from './rows/sort-rows.ts'
import { type MetricsDeps, readMetrics } from './summary/read-metrics.ts'
import { summarize } from './summary/summarize.ts'

interface EvalResultsDeps extends RowsDeps, MetricsDeps {
  store: EvalResultsStore
  cache: ResultsCache
  refProjects: RefProjectsFor
}

/** The rows that a query matches, in both orders. */
interface MatchingRows {
  evaluations: readonly EvaluationTrials[]
  /** When the first of the calls expires. */
  until: Micros
  byDigest: ResultRow[]
  sorted: ResultRow[]
}

/** All operations on results of evaluations. */
export function evalResultsHandlers(deps: EvalResultsDeps): Handlers<(typeof tracing)['evalResults'], TracingContext> {
  const { store, cache, refProjects } = deps

  async function findRows(query: EvalResultsQuery, project: ProjectScope): Promise<MatchingRows> {
    const ids = requestedEvaluations(query)
    const order = planSort(query.sort_by ?? [], ids)
    const filter = planFilter(query.filters ?? [], { logic: query.filter_logic_operator, evaluations: ids })
    const { evaluations, rows, until } = await cache.get(
      project,
      keyOf(ids, 'rows'),
      () => groupTrials(project, ids),
      (found) => found.until,
    )
    const keep = <T extends object>(field: string, read: () => Promise<Computed<T>>) =>
      cache.get(project, keyOf(ids, field), read, () => until)
    const fields = await readFields({ store, project, evaluations, keep }, [...order.fields, ...filter.fields])
    const byDigest = rows.filter(filter.toCondition(fields))
    const keys = order.toKeys(fields)
    return { evaluations, until, byDigest, sorted: keys.length === 0 ? byDigest : sortRows(byDigest, keys) }
  }

  async function groupTrials(project: ProjectScope, ids: readonly string[]) {
    const evaluations = await findTrials(store, project, ids)
    const trials = evaluations.flatMap((evaluation) => evaluation.trials)
    const until = trials.reduce((first, { expires_micros }) => Math.min(first, expires_micros), Infinity)
    return { value: { evaluations, rows: groupRows(evaluations), until }, bytes: 1_000 + trials.length * trialBytes }
  }

  /** Rows that all evaluations have, where that is asked for. */
  const shared = (rows: ResultRow[], evaluations: readonly EvaluationTrials[], isAsked: boolean) =>
    isAsked ? rows.filter((row) => row.evaluations.length === evaluations.length) : rows

  async function summaryOf(query: EvalResultsQuery, project: ProjectScope, { evaluations, until, byDigest }: MatchingRows) {
    const rows = shared(byDigest, evaluations, query.summary_require_intersection ?? query.require_intersection)
    const ids = evaluations.map(({ evaluation_call_id }) => evaluation_call_id)
    const view = viewOf(query)
    const read = async () => {
      const value = await readMetrics(deps, { project, evaluations, view })
      return { value, bytes: value.reduce((sum, { leaves, tokens }) => sum + leaves.bytes() + tokens.length * 16, 0) }
    }
    // Prices may change while no call does.
    const metrics = view.costs ? (await read()).value : await cache.get(project, keyOf(ids, `metrics ${view.children}`), read, () => until)
    const found = await store.roots(project, ids)
    return summarize(rows, { evaluations, metrics, roots: new Map(found.map((root) => [root.id, root])) })
  }

  return {
    async query(query, context) {
      const project = await context.open(`${query.entity}/${query.project}`)
      if (query.limit !== null && query.limit < 0) throw badRequest(`limit must not be negative, got ${query.limit}`)
      const matching = await findRows(query, project)
      const { evaluations, sorted } = matching
      const listed = query.include_rows ? shared(sorted, evaluations, query.require_intersection) : []
      const page = { project, rows: pageOf(listed, query), evaluations, view: viewOf(query) }
      const presented = await presentRows(deps, page)
      const summary = query.include_summary ? await summaryOf(query, project, matching) : null
      const { maySee } = refProjects(project, context)
      const hide = (json: string) => hidePrivateRefs(json, project.id, maySee)
      return toAnswer({ presented, totalRows: listed.length, summary: stringifyJson(summary), hide })
    },
  }
}

/** Names what is kept of some evaluations. */
function keyOf(ids: readonly string[], part: string): string {
  return JSON.stringify([part, ...ids])
}

function viewOf(query: EvalResultsQuery) {
  return {
    children: query.include_predict_and_score_children,
    costs: query.include_costs,
    rawRows: query.include_raw_data_rows,
    resolveRefs: query.resolve_row_refs,
  }
}

interface Answer {
  presented: PresentedRows
  totalRows: number
  summary: string
  /** What the caller may see of a JSON text. */
  hide(json: string): Promise<string>
}

async function toAnswer({ presented, totalRows, summary, hide }: Answer): Promise<JsonText<EvalResults>> {
  const rows: string[] = []
  for (const row of presented.rows) rows.push(await hide(row))
  return new JsonText(
    `{"rows":[${rows.join(',')}],"total_rows":${totalRows},"summary":${await hide(summary)},"warnings":${JSON.stringify(presented.warnings)}}`,
  )
}
