import { inParts } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { RowStarts } from '../../../query/results/trials-in.ts'
import type { EvalResultsStore } from '../eval-results-store.ts'
import { type MarkedChildren, readMarkedChildren } from '../trials/read-children.ts'
import type { KnownTrials, TrialsView } from '../trials/read-trials.ts'
import { type ResultRow, toResultRows } from '../result-row.ts'

type RowsStore = Pick<EvalResultsStore, 'trialsOfRows' | 'plainTrialsOfRows' | 'idsOfTrials' | 'childMarks' | 'children'>

/** Rows with their trials, and the data read of these together with their keys. */
export interface FoundRows {
  rows: ResultRow[]
  known?: KnownTrials
}

interface RowsPage {
  project: ProjectScope
  evaluations: readonly string[]
  rows: readonly RowStarts[]
  view: TrialsView
}

/** A page of more trials, or with more bytes of payloads, is read in parts, by the keys of its trials. */
const smallPageTrials = 500
const smallPageBytes = 8 * 1024 * 1024
/** Calls whose children are read before it is known whether they are trials of the page. */
const maxParents = 2 * smallPageTrials
/** Rows whose trials are found by one statement. */
const rowsAtOnce = 4_000

/** Finds the trials of a page of rows. Trials of a small page are read as they are found, concurrently with the calls below them. */
export async function findRows(store: RowsStore, page: RowsPage): Promise<FoundRows> {
  const { project, evaluations, rows } = page
  const trials = rows.reduce((sum, { starts }) => sum + starts.length, 0)
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  if (trials === 0 || trials > smallPageTrials || bytes > smallPageBytes) return { rows: await findTrials(store, page) }
  const [found, children] = await Promise.all([
    store.plainTrialsOfRows(project, evaluations, rows),
    page.view.children ? readChildren(store, page) : noChildren,
  ])
  return { rows: toResultRows(rows, found), known: { plain: new Map(found.map((trial) => [trial.id, trial])), children } }
}

const noChildren: MarkedChildren = new Map()

async function readChildren(store: RowsStore, { project, evaluations, rows, view }: RowsPage): Promise<MarkedChildren> {
  const parents = await store.idsOfTrials(project, evaluations, { rows, limit: maxParents + 1 })
  return parents.length > maxParents ? noChildren : readMarkedChildren(store, { project, parents, usage: view.costs })
}

async function findTrials(store: RowsStore, { project, evaluations, rows }: RowsPage): Promise<ResultRow[]> {
  const found: ResultRow[] = []
  for (const some of inParts(rows, rowsAtOnce)) {
    const trials = await store.trialsOfRows(project, evaluations, some)
    for (const row of toResultRows(some, trials)) found.push(row)
  }
  return found
}
