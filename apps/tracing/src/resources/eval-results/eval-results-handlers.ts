import type { EvalResults, EvalResultsQuery, Handlers, tracing } from '@heddle/core-api'
import { badRequest, JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import type { EvalResultsStore } from './eval-results-store.ts'
import { planFilter } from './request/filter-plan.ts'
import { requestedEvaluations } from './request/requested-evaluations.ts'
import { planSort } from './request/sort-plan.ts'
import { type EvaluationTrials, findTrials } from './rows/evaluation-trials.ts'
import { readFields } from './rows/field-values.ts'
import { groupRows, type ResultRow } from './rows/group-rows.ts'
import { pageOf } from './rows/page-of.ts'
import { type PresentedRows, presentRows, type RowsDeps } from './rows/present-rows.ts'
import { sortRows } from './rows/sort-rows.ts'
import { readMetrics } from './summary/read-metrics.ts'
import { summarize } from './summary/summarize.ts'

interface EvalResultsDeps extends RowsDeps {
  store: EvalResultsStore
  refProjects: RefProjectsFor
}

/** The rows that a query matches, in both orders. */
interface MatchingRows {
  evaluations: readonly EvaluationTrials[]
  byDigest: ResultRow[]
  sorted: ResultRow[]
}

/** All operations on results of evaluations. */
export function evalResultsHandlers(deps: EvalResultsDeps): Handlers<(typeof tracing)['evalResults'], TracingContext> {
  const { store, refProjects } = deps

  async function findRows(query: EvalResultsQuery, project: ProjectScope): Promise<MatchingRows> {
    const ids = requestedEvaluations(query)
    const order = planSort(query.sort_by ?? [], ids)
    const filter = planFilter(query.filters ?? [], { logic: query.filter_logic_operator, evaluations: ids })
    const evaluations = await findTrials(store, project, ids)
    const fields = await readFields({ store, project, evaluations }, [...order.fields, ...filter.fields])
    const byDigest = groupRows(evaluations).filter(filter.toCondition(fields))
    const keys = order.toKeys(fields)
    return { evaluations, byDigest, sorted: keys.length === 0 ? byDigest : sortRows(byDigest, keys) }
  }

  /** Rows that all evaluations have, where that is asked for. */
  const shared = (rows: ResultRow[], evaluations: readonly EvaluationTrials[], isAsked: boolean) =>
    isAsked ? rows.filter((row) => row.evaluations.length === evaluations.length) : rows

  async function summaryOf(query: EvalResultsQuery, project: ProjectScope, { evaluations, byDigest }: MatchingRows) {
    const rows = shared(byDigest, evaluations, query.summary_require_intersection ?? query.require_intersection)
    const metrics = await readMetrics(deps, { project, evaluations, rows, view: viewOf(query) })
    const found = await store.roots(
      project,
      evaluations.map(({ evaluation_call_id }) => evaluation_call_id),
    )
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
