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
    const { digests, total } = await store.rows(project, input, { limit: query.limit, offset: Math.max(query.offset, 0) })
    const trials = await store.trialsOfRows(project, input.evaluations, digests)
    const page = { project, rows: toResultRows(digests, trials), evaluations: input.evaluations, view: viewOf(query) }
    return { ...(await presentRows(deps, page)), total }
  }

  /** `listed` is the number of rows on all pages, where these were asked for. */
  async function summaryOf(query: EvalResultsQuery, project: ProjectScope, listed: number | undefined) {
    const input = rowsInput(query, query.summary_require_intersection ?? query.require_intersection)
    const isListed = input.isWhole === query.require_intersection
    const rowCount = (isListed ? listed : undefined) ?? (await store.countRows(project, input))
    const view = viewOf(query)
    return summarize(deps, { project, input: { ...input, children: view.children }, view, rowCount })
  }

  return {
    async query(query, context) {
      const project = await context.open(`${query.entity}/${query.project}`)
      if (query.limit !== null && query.limit < 0) throw badRequest(`limit must not be negative, got ${query.limit}`)
      await refreshOlder(project, requestedEvaluations(query))
      const listed = query.include_rows ? await listRows(query, project) : noRows
      const summary = query.include_summary ? await summaryOf(query, project, query.include_rows ? listed.total : undefined) : null
      const { maySee } = refProjects(project, context)
      const hide = (json: string) => hidePrivateRefs(json, project.id, maySee)
      return toResponse({ listed, summary: stringifyJson(summary), hide })
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
