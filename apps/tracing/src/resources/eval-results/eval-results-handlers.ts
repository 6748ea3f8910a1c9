import type { EvalResults, EvalResultsQuery, Handlers, tracing } from '@heddle/core-api'
import { badRequest, JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import type { EvalResultsStore } from './eval-results-store.ts'
import type { RefreshOlderTrials } from './older-trials.ts'
import { requestedEvaluations } from './request/requested-evaluations.ts'
import { type PresentedRows, presentRows, type RowsDeps } from './rows/present-rows.ts'
import { toResultRows } from './rows/result-row.ts'
import { summarize, type SummaryDeps } from './summary/summarize.ts'

interface EvalResultsDeps extends RowsDeps, SummaryDeps {
  store: EvalResultsStore
  refreshOlder: RefreshOlderTrials
  refProjects: RefProjectsFor
}

/** Rows of a response, and how many match. */
interface ListedRows extends PresentedRows {
  total: number
}

const noRows: ListedRows = { rows: [], warnings: [], total: 0 }

/** All operations on results of evaluations. */
export function evalResultsHandlers(deps: EvalResultsDeps): Handlers<(typeof tracing)['evalResults'], TracingContext> {
  const { store, refreshOlder, refProjects } = deps

  async function listRows(query: EvalResultsQuery, project: ProjectScope): Promise<ListedRows> {
    const input = rowsInput(query, query.require_intersection)
    const { rows, total } = await store.rows(project, input, { limit: query.limit, offset: Math.max(query.offset, 0) })
    const trials = await store.trialsOfRows(project, input.evaluations, rows)
    const digests = rows.map(({ row_digest }) => row_digest)
    const page = { project, rows: toResultRows(digests, trials), evaluations: input.evaluations, view: viewOf(query) }
    return { ...(await presentRows(deps, page)), total }
  }

  async function summaryOf(query: EvalResultsQuery, project: ProjectScope, listing: Promise<ListedRows>) {
    const input = rowsInput(query, query.summary_require_intersection ?? query.require_intersection)
    const isListed = query.include_rows && input.isWhole === query.require_intersection
    const view = viewOf(query)
    const rowCount = async () => (isListed ? (await listing).total : store.countRows(project, input))
    return summarize(deps, { project, input: { ...input, children: view.children }, view, rowCount })
  }

  /** The rows and the summary are made at the same time, as the engine has work for more than one core. */
  async function listAndSummarize(query: EvalResultsQuery, project: ProjectScope) {
    const listing = query.include_rows ? listRows(query, project) : Promise.resolve(noRows)
    const summarizing = query.include_summary ? summaryOf(query, project, listing) : Promise.resolve(null)
    const [listed, summary] = await Promise.allSettled([listing, summarizing])
    if (listed.status === 'rejected') throw listed.reason
    if (summary.status === 'rejected') throw summary.reason
    return { listed: listed.value, summary: stringifyJson(summary.value) }
  }

  return {
    async query(query, context) {
      const project = await context.open(`${query.entity}/${query.project}`)
      if (query.limit !== null && query.limit < 0) throw badRequest(`limit must not be negative, got ${query.limit}`)
      await refreshOlder(project, requestedEvaluations(query))
      const { maySee } = refProjects(project, context)
      const hide = (json: string) => hidePrivateRefs(json, project.id, maySee)
      return toResponse({ ...(await listAndSummarize(query, project)), hide })
    },
  }
}

function rowsInput(query: EvalResultsQuery, isWhole: boolean) {
  return {
    evaluations: requestedEvaluations(query),
    sort_by: query.sort_by ?? [],
    filters: query.filters ?? [],
    filter_logic_operator: query.filter_logic_operator,
    isWhole,
  }
}

function viewOf(query: EvalResultsQuery) {
  return {
    children: query.include_predict_and_score_children,
    costs: query.include_costs,
    rawRows: query.include_raw_data_rows,
    resolveRefs: query.include_raw_data_rows && query.resolve_row_refs,
  }
}

interface Response {
  listed: ListedRows
  summary: string
  /** What the caller may see of a JSON text. */
  hide(json: string): Promise<string>
}

async function toResponse({ listed, summary, hide }: Response): Promise<JsonText<EvalResults>> {
  const rows: string[] = []
  for (const row of listed.rows) rows.push(await hide(row))
  return new JsonText(
    `{"rows":[${rows.join(',')}],"total_rows":${listed.total},"summary":${await hide(summary)},"warnings":${JSON.stringify(listed.warnings)}}`,
  )
}
