import type { EvalResultsRow } from '@heddle/core-api'
import { JsonText, tooLarge } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TableRowsStore } from '../../tables/table-rows-store.ts'
import { type ReadTrial, readTrials, type TrialsDeps, type TrialsView } from '../trials/read-trials.ts'
import { digestInRef } from '../../calls/results/row-digest.ts'
import { type ResultRow, trialsOf } from './result-row.ts'

export interface RowsDeps extends TrialsDeps {
  tableRows: Pick<TableRowsStore, 'read'>
}

/** Which fields of rows are returned. */
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
  /** Root calls of the evaluations of the request, in its order. */
  evaluations: readonly string[]
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
  const read = new Map<string, ReadTrial>()
  for await (const page of readTrials(deps, { project, keys: rows.flatMap(trialsOf), view }))
    for (const one of page) read.set(one.trial.predict_and_score_call_id, one)
  const examples = new Map(rows.map((row) => [row.row_digest, view.rawRows ? firstExample(row, read) : null]))
  const referred = view.resolveRefs ? [...examples].flatMap(([digest, example]) => (isRowRef(example) ? [digest] : [])) : []
  const stored = await deps.tableRows.read(project, referred)
  return rows.map(({ row_digest, evaluations: own }) => {
    const example = examples.get(row_digest) ?? null
    const fromDataset = stored.get(row_digest)
    return {
      isWhole: !view.resolveRefs || !isRowRef(example) || fromDataset !== undefined,
      row: {
        row_digest,
        raw_data_row: fromDataset === undefined ? example : new JsonText(fromDataset),
        evaluations: own.map(({ index, trials }) => ({
          evaluation_call_id: evaluations[index]!,
          trials: trials.flatMap(({ id }) => read.get(id)?.trial ?? []),
        })),
      },
    }
  })
}

/** The first example of the trials of a row that is not null. */
function firstExample(row: ResultRow, read: ReadonlyMap<string, ReadTrial>): unknown {
  for (const { id } of trialsOf(row)) {
    const example = read.get(id)?.example ?? null
    if (example !== null) return example
  }
  return null
}

function isRowRef(example: unknown): boolean {
  return typeof example === 'string' && digestInRef(example) !== undefined
}
