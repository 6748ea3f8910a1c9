import { setImmediate } from 'node:timers/promises'
import type { Handlers, tracing } from '@heddle/core-api'
import type { EvalResults, EvalResultsQuery } from '@heddle/core-api/types'
import { badRequest, invalid, JsonPieces } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import type { EvalResultsStore } from './eval-results-store.ts'
import type { RefreshOlderTrials } from './older-trials.ts'
import { findRows } from './rows/find-rows.ts'
import { type LargePages, largePageTrials } from './large-pages.ts'
import { type PresentedRows, presentRows, type RowsDeps } from './rows/present-rows.ts'
import { summarize, type SummaryDeps } from './summary/summarize.ts'
import { type CountedUsage, readCountedUsage } from './trials/counted-usage.ts'

interface EvalResultsDeps extends RowsDeps, SummaryDeps {
  store: EvalResultsStore
  refreshOlder: RefreshOlderTrials
  refProjects: RefProjectsFor
  largePages: LargePages
}

/** Rows of a response, and how many match. */
interface ListedRows extends PresentedRows {
  total: number
}

const noRows: ListedRows = { rows: [], warnings: [], total: 0 }

/** All operations on results of evaluations. */
export function evalResultsHandlers(deps: EvalResultsDeps): Handlers<(typeof tracing)['evalResults'], TracingContext> {
  const { store, refreshOlder, refProjects, largePages } = deps

  async function listRows({ query, project, counted }: ResultsRequest): Promise<ListedRows> {
    const input = rowsInput(query, query.require_intersection)
    const { rows, total } = await store.rows(project, input, { limit: query.limit, offset: Math.max(query.offset, 0) })
    const { evaluations } = input
    const view = viewOf(query, counted)
    const present = async () =>
      presentRows(deps, { ...(await findRows(store, { project, evaluations, rows, view })), project, evaluations, view })
    const trials = rows.reduce((sum, { starts }) => sum + starts.length, 0)
    const presented = trials > largePageTrials ? await largePages.run(project, present) : await present()
    return { ...presented, total }
  }

  async function summaryOf({ query, project, counted }: ResultsRequest, listing: Promise<ListedRows>) {
    const input = rowsInput(query, query.summary_require_intersection ?? query.require_intersection)
    const isListed = query.include_rows && input.isWhole === query.require_intersection
    const view = viewOf(query, counted)
    const rowCount = async () => (isListed ? (await listing).total : store.countRows(project, input))
    return summarize(deps, { project, input: { ...input, children: view.children }, view, rowCount })
  }

  /** The rows and the summary are made at the same time, as the engine has work for more than one core. */
  async function listAndSummarize(query: EvalResultsQuery, project: ProjectScope) {
    const { counted, warnings } =
      query.usage === 'counted' ? await readCountedUsage(store, project, requestedEvaluations(query)) : { counted: undefined, warnings: [] }
    const request = { query, project, counted }
    const listing = query.include_rows ? listRows(request) : Promise.resolve(noRows)
    const summarizing = query.include_summary ? summaryOf(request, listing) : Promise.resolve(null)
    const [listed, summary] = await Promise.allSettled([listing, summarizing])
    if (listed.status === 'rejected') throw listed.reason
    if (summary.status === 'rejected') throw summary.reason
    const all = [...listed.value.warnings, ...warnings]
    return { listed: { ...listed.value, warnings: all }, summary: stringifyJson(summary.value) }
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

/** A request, with the counted usage if that was requested. */
interface ResultsRequest {
  query: EvalResultsQuery
  project: ProjectScope
  counted: CountedUsage | undefined
}

function viewOf(query: EvalResultsQuery, counted: CountedUsage | undefined) {
  return {
    children: query.include_predict_and_score_children,
    costs: query.include_costs,
    counted,
    rawRows: query.include_raw_data_rows,
    resolveRefs: query.include_raw_data_rows && query.resolve_row_refs,
  }
}

interface Response {
  listed: ListedRows
  summary: string
  /** The part of a JSON text that the caller may see. */
  hide(json: string): Promise<string>
}

/** Characters searched for references before yielding to the event loop. */
const hiddenAtOnce = 4 * 1024 * 1024

async function toResponse({ listed, summary, hide }: Response): Promise<JsonPieces<EvalResults>> {
  const pieces = ['{"rows":[']
  let characters = 0
  for (const row of listed.rows) {
    if (pieces.length > 1) pieces.push(',')
    pieces.push(await hide(row))
    characters += row.length
    if (characters < hiddenAtOnce) continue
    await setImmediate()
    characters = 0
  }
  pieces.push(`],"total_rows":${listed.total},"summary":${await hide(summary)},"warnings":${JSON.stringify(listed.warnings)}}`)
  return new JsonPieces(pieces)
}

/**
 * The evaluations that a query names, each once: run ids after call ids.
 * @throws 422 if it names none.
 */
function requestedEvaluations({
  evaluation_call_ids,
  evaluation_run_ids,
}: Pick<EvalResultsQuery, 'evaluation_call_ids' | 'evaluation_run_ids'>): string[] {
  const ids = [...new Set([...(evaluation_call_ids ?? []), ...(evaluation_run_ids ?? [])])]
  if (ids.length > 0) return ids
  const msg = 'At least one of evaluation_call_ids or evaluation_run_ids must be provided'
  throw invalid([{ loc: ['body'], msg, type: 'value_error' }])
}
