import type { EvalResultsRow, EvalTrial } from '@heddle/core-api'
import { JsonText, tooLarge } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TableRowsStore } from '../../tables/table-rows-store.ts'
import { readTrials, type TrialsDeps, type TrialsView } from '../trials/read-trials.ts'
import type { EvaluationTrials, TrialKey } from './evaluation-trials.ts'
import { type ResultRow, trialsOf } from './group-rows.ts'

export interface RowsDeps extends TrialsDeps {
  tableRows: Pick<TableRowsStore, 'read'>
}

/** What is to be told of rows. */
export interface RowsView extends TrialsView {
  rawRows: boolean
  /** Raw rows are those of the dataset, not references to them. */
  resolveRefs: boolean
}

export interface PresentedRows {
  /** JSON text of each row. */
  rows: string[]
  warnings: string[]
}

const unresolved = 'Failed to resolve dataset row refs; raw_data_row may contain refs'
/** Characters of all rows of an answer. */
const maxCharacters = 256 * 1024 * 1024
/** Trials that are held at a time. */
const trialsAtOnce = 2_000

interface Page {
  project: ProjectScope
  rows: readonly ResultRow[]
  evaluations: readonly EvaluationTrials[]
  view: RowsView
}

/**
 * Reads rows with their trials, in their order.
 * @throws 413 for an answer above 256 Mi characters.
 */
export async function presentRows(deps: RowsDeps, { project, rows, evaluations, view }: Page): Promise<PresentedRows> {
  const texts: string[] = []
  let characters = 0
  let isResolved = true
  for (const some of inChunks(rows)) {
    const known = await readRows(deps, { project, rows: some, evaluations, view })
    for (const { row, isWhole } of known) {
      const text = stringifyJson(row)
      texts.push(text)
      characters += text.length
      isResolved &&= isWhole
      if (characters > maxCharacters)
        throw tooLarge(`The ${rows.length} rows are larger than ${maxCharacters} characters: ask for pages by limit and offset`)
    }
  }
  return { rows: texts, warnings: isResolved ? [] : [unresolved] }
}

function* inChunks(rows: readonly ResultRow[]): Generator<ResultRow[]> {
  let chunk: ResultRow[] = []
  let trials = 0
  for (const row of rows) {
    chunk.push(row)
    for (const entry of row.evaluations) trials += entry.trials.length
    if (trials < trialsAtOnce) continue
    yield chunk
    chunk = []
    trials = 0
  }
  if (chunk.length > 0) yield chunk
}

interface PresentedRow {
  row: EvalResultsRow
  /** False when the row of the dataset was asked for and not found. */
  isWhole: boolean
}

async function readRows(deps: RowsDeps, { project, rows, evaluations, view }: Page): Promise<PresentedRow[]> {
  const keyAt = (evaluation: number, trial: number) => evaluations[evaluation]!.trials[trial]!
  const keys = rows.flatMap((row) => [...trialsOf(row)].map(({ evaluation, trial }) => keyAt(evaluation, trial)))
  const read = new Map<string, { trial: EvalTrial; example: unknown }>()
  for await (const page of readTrials(deps, { project, keys, view }))
    for (const one of page) read.set(one.trial.predict_and_score_call_id, one)
  const stored = await datasetRows(deps, { project, rows, view, exampleOf: (row) => firstExample(row, keyAt) })
  return rows.map((row) => {
    const example = view.rawRows ? firstExample(row, keyAt) : undefined
    const fromDataset = stored.get(row.row_digest)
    const isRef = example?.example === 'reference'
    return {
      isWhole: !(view.resolveRefs && isRef) || fromDataset !== undefined,
      row: {
        row_digest: row.row_digest,
        raw_data_row: isRef && fromDataset !== undefined ? new JsonText(fromDataset) : ((example && read.get(example.id)?.example) ?? null),
        evaluations: row.evaluations.map(({ index, trials }) => ({
          evaluation_call_id: evaluations[index]!.evaluation_call_id,
          trials: trials.flatMap((trial) => read.get(keyAt(index, trial).id)?.trial ?? []),
        })),
      },
    }
  })
}

/** The first trial of a row that has an example. */
function firstExample(row: ResultRow, keyAt: (evaluation: number, trial: number) => TrialKey): TrialKey | undefined {
  for (const { evaluation, trial } of trialsOf(row)) {
    const key = keyAt(evaluation, trial)
    if (key.example !== 'none') return key
  }
  return undefined
}

/** JSON texts of the rows of datasets that are asked for, by digest. */
async function datasetRows(
  { tableRows }: RowsDeps,
  { project, rows, view, exampleOf }: Pick<Page, 'project' | 'rows' | 'view'> & { exampleOf: (row: ResultRow) => TrialKey | undefined },
): Promise<ReadonlyMap<string, string>> {
  if (!view.rawRows || !view.resolveRefs) return new Map()
  const referred = rows.filter((row) => exampleOf(row)?.example === 'reference')
  return tableRows.read(
    project,
    referred.map(({ row_digest }) => row_digest),
  )
}
