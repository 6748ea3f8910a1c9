import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { JsonText, tooLarge } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { TableRowsStore } from '../../../records/tables/table-rows-store.ts'
import { readTrials, type TrialsDeps, type TrialsView } from '../trials/read-trials.ts'
import type { FoundRows } from './find-rows.ts'
import { digestInRef } from '../../../records/calls/results/row-digest.ts'
import type { RowTrial } from '../../../query/results/trials-in.ts'
import { slicesOf } from '../../../slices-of.ts'
import { compareTrials, type ResultRow } from '../result-row.ts'

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
/** Rows that are written, and looked up in the dataset, before yielding to the event loop. */
const rowsAtOnce = 500

interface Page extends FoundRows {
  project: ProjectScope
  /** Root calls of the evaluations of the request, in its order. */
  evaluations: readonly string[]
  view: RowsView
}

/**
 * Reads rows with their trials, in their order.
 * @throws 413 for an answer above 256 Mi characters.
 */
export async function presentRows(deps: RowsDeps, page: Page): Promise<PresentedRows> {
  const read = await readTexts(deps, page)
  const texts: string[] = []
  let isResolved = true
  for await (const rows of slicesOf(page.rows, rowsAtOnce)) {
    const stored = page.view.resolveRefs ? await storedRows(deps, page.project, { rows, read }) : noRows
    for (const row of rows) {
      const example = read.examples.get(row.row_digest)
      const fromDataset = stored.get(row.row_digest)
      isResolved &&= example?.isRef !== true || !page.view.resolveRefs || fromDataset !== undefined
      const text = stringifyJson(toRow(row, { json: fromDataset ?? example?.json, evaluations: page.evaluations, trials: read.trials }))
      read.size.add(fromDataset?.length ?? 0)
      texts.push(text)
    }
  }
  return { rows: texts, warnings: isResolved ? [] : [unresolved] }
}

const noRows: ReadonlyMap<string, string> = new Map()

/** The example of a row: that of its first trial which has one. */
interface Example {
  trial: RowTrial
  json: string
  isRef: boolean
}

interface ReadTexts {
  /** JSON text of each trial by its id; each is taken once. */
  trials: Map<string, string>
  /** By the digest of the row; only those that are not null, if they were requested. */
  examples: ReadonlyMap<string, Example>
  size: AnswerSize
}

/** Reads the trials of all rows, in whatever order is cheap. Each is kept as text alone. */
async function readTexts(deps: RowsDeps, { project, rows, known, view }: Page): Promise<ReadTexts> {
  const keys: RowTrial[] = []
  for (const { evaluations } of rows) for (const { trials: own } of evaluations) for (const trial of own) keys.push(trial)
  const trials = new Map<string, string>()
  const examples = new Map<string, Example>()
  const size = createAnswerSize(rows.length)
  for await (const some of readTrials(deps, { project, keys, view, ...(known && { known }) })) {
    for (const { key, trial, example } of some) {
      const text = stringifyJson(trial)
      trials.set(key.id, text)
      size.add(text.length)
      const known = examples.get(key.row_digest)
      if (!view.rawRows || example === null || (known !== undefined && compareTrials(known.trial, key) < 0)) continue
      const json = stringifyJson(example)
      size.add(json.length - (known?.json.length ?? 0))
      examples.set(key.row_digest, { trial: key, json, isRef: typeof example === 'string' && digestInRef(example) !== undefined })
    }
  }
  return { trials, examples, size }
}

interface AnswerSize {
  /** @throws 413 when the rows have become too large. */
  add(characters: number): void
}

function createAnswerSize(rows: number): AnswerSize {
  let total = 0
  return {
    add(characters) {
      total += characters
      if (total > maxCharacters)
        throw tooLarge(`The ${rows} rows are larger than ${maxCharacters} characters: ask for pages by limit and offset`)
    },
  }
}

/** The rows of datasets that examples refer to, by digest. */
function storedRows(
  { tableRows }: RowsDeps,
  project: ProjectScope,
  { rows, read }: { rows: readonly ResultRow[]; read: ReadTexts },
): Promise<ReadonlyMap<string, string>> {
  const referred = rows.flatMap(({ row_digest }) => (read.examples.get(row_digest)?.isRef === true ? [row_digest] : []))
  return tableRows.read(project, referred)
}

interface RowTexts {
  /** JSON text of the row itself. */
  json: string | undefined
  evaluations: readonly string[]
  trials: Map<string, string>
}

/** A row whose trials are texts already. */
function toRow({ row_digest, evaluations: own }: ResultRow, { json, evaluations, trials }: RowTexts) {
  const take = ({ id }: RowTrial) => {
    const text = trials.get(id)
    trials.delete(id)
    return text === undefined ? [] : [new JsonText<EvalTrial>(text)]
  }
  return {
    row_digest,
    raw_data_row: json === undefined ? null : new JsonText(json),
    evaluations: own.map((entry) => ({ evaluation_call_id: evaluations[entry.index]!, trials: entry.trials.flatMap(take) })),
  } satisfies WithTexts<EvalResultsRow>
}

/** A row in which values may be JSON texts. */
type WithTexts<Row extends EvalResultsRow> = Omit<Row, 'evaluations'> & {
  evaluations: (Omit<Row['evaluations'][number], 'trials'> & { trials: JsonText<EvalTrial>[] })[]
}
