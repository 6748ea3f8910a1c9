import type { EvaluationRun } from '@heddle/evaluations'
import { printJson, stringifyJson } from '@heddle/json/exact'
import { type ComparedRuns, type MatrixRow, spreadInCell, valuesInRow } from '../compared-runs.ts'
import type { MeasuredColumn } from '../intervals/measured-columns.ts'

/** The data of a page of one or several runs, as written to a file. */
export interface ExportedMatrix {
  project: string
  runs: readonly EvaluationRun[]
  /** Labels that distinguish the runs, in their order. */
  labels: readonly string[]
  compared: ComparedRuns
  /** The rows shown, in their order. */
  rows: readonly MatrixRow[]
  /** Intervals by the name of the measure; one that is missing was not computed yet. */
  columns: ReadonlyMap<string, readonly MeasuredColumn[]> | undefined
  /** Description of the rows that the means cover. Undefined: all. */
  words?: string
}

/** Rows with one column for each value, for a table of another program: of several trials the mean of each measure, and the first output. */
export function toFlatRows({ labels, compared, rows }: ExportedMatrix): Record<string, unknown>[] {
  return rows.map(({ place, row, cells }) => {
    const flat: Record<string, unknown> = { row_digest: row.row_digest, row: asCell(row.raw_data_row) }
    for (const [at, label] of labels.entries()) {
      const cell = cells[at]
      flat[`${label}: output`] = asCell(cell?.trials.find(({ model_output }) => model_output !== null)?.model_output)
      flat[`${label}: trials`] = cell?.trials.length ?? 0
      for (const name of compared.names) {
        const value = valuesInRow(compared.runs, name, place)[at] ?? Number.NaN
        flat[`${label}: ${name}`] = Number.isNaN(value) ? '' : value
      }
    }
    return flat
  })
}

const asCell = (value: unknown): string | number | boolean => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? stringifyJson(value) : (value as string | number | boolean)
}

/** All that is known of the rows, with every trial. */
export function toJson(matrix: ExportedMatrix): string {
  const { project, runs, compared, rows } = matrix
  const cellOf = ({ cells, place }: MatrixRow, at: number) => ({
    run: runs[at]?.id,
    measures: Object.fromEntries(
      compared.names.flatMap((name) => {
        const value = valuesInRow(compared.runs, name, place)[at] ?? Number.NaN
        const spread = spreadInCell(cells[at], name)
        return Number.isNaN(value) ? [] : [[name, { value, ...(spread && { deviation: spread.deviation, trials: spread.count }) }]]
      }),
    ),
    trials: cells[at]?.trials ?? [],
  })
  const written = rows.map((row) => ({
    row_digest: row.row.row_digest,
    row: row.row.raw_data_row,
    runs: runs.map((_, at) => cellOf(row, at)),
  }))
  return `${printJson({ project, runs, rows: written })}\n`
}
