import { isJsonNumber, parseExactJson } from '@heddle/json/exact'
import Papa from 'papaparse'
import { delimiterOf, detectSeparator, type Separator } from '@heddle/text-files'

export type Row = Record<string, unknown>

/** Rows of a file, or its problem with the location. */
export type ParsedRows = { status: 'parsed'; rows: Row[]; format: RowsFormat } | { status: 'refused'; problem: string }

export type RowsFormat = 'CSV' | 'JSON lines' | 'JSON'

/** Limits of a dataset, and of a file in the browser. */
export const maxRows = 250_000
export const maxFileBytes = 100 * 1024 * 1024

/**
 * Reads the rows of a file by its extension: `.csv` and `.tsv` with a header line, `.jsonl` and `.ndjson` with one object per line, `.json` with a list of
 * objects. CSV cells remain texts: a number may be an identifier. Numbers of JSON keep their written form.
 * @param separator of a CSV file; by default, the one that fits its first records
 */
export function parseRows(fileName: string, text: string, separator?: Separator): ParsedRows {
  const withoutByteOrderMark = text.startsWith('\uFEFF') ? text.slice(1) : text
  const name = fileName.toLowerCase()
  if (isCsv(name)) return parseCsv(withoutByteOrderMark, separator ?? detectSeparator(withoutByteOrderMark))
  if (/\.(jsonl|ndjson)$/.test(name)) return parseJsonLines(withoutByteOrderMark)
  if (name.endsWith('.json')) return parseJsonList(withoutByteOrderMark)
  return refused(`"${fileName}" ends with none of .csv, .tsv, .jsonl, .ndjson and .json, so its format is not known`)
}

/** Whether a file is read as CSV, and so has a separator. */
export const isCsv = (fileName: string) => /\.(csv|tsv)$/i.test(fileName)

function parseCsv(text: string, separator: Separator): ParsedRows {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: delimiterOf(separator), skipEmptyLines: 'greedy' })
  const [problem] = errors
  if (problem) return refused(`${problem.message}${problem.row === undefined ? '' : ` (record ${problem.row + 1})`}`)
  const [header = [], ...records] = data
  const unnamed = header.findIndex((name) => name.trim() === '')
  if (unnamed >= 0) return refused(`column ${unnamed + 1} has no name: the first line must name each column`)
  const repeated = header.find((name, at) => header.indexOf(name) !== at)
  if (repeated !== undefined) return refused(`two columns are named "${repeated}"`)
  const uneven = records.findIndex((record) => record.length !== header.length)
  if (uneven >= 0)
    return refused(`record ${uneven + 2} has ${records[uneven]?.length ?? 0} cells, but the first line names ${header.length} columns`)
  return bounded(
    records.map((record) => Object.fromEntries(header.map((name, at) => [name, record[at] ?? '']))),
    'CSV',
  )
}

function parseJsonLines(text: string): ParsedRows {
  const rows: Row[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const row = parseJson(line)
    if (row instanceof SyntaxError) return refused(`line ${at + 1} is not JSON: ${row.message}`)
    if (!isRow(row)) return refused(`line ${at + 1} is ${kindOf(row)}, but each row must be a JSON object`)
    rows.push(row)
  }
  return bounded(rows, 'JSON lines')
}

function parseJsonList(text: string): ParsedRows {
  const list = parseJson(text)
  if (list instanceof SyntaxError) return refused(`the file is not JSON: ${list.message}`)
  if (!Array.isArray(list)) return refused(`the file holds ${kindOf(list)}, but rows must be a list of JSON objects`)
  const wrong = list.findIndex((row) => !isRow(row))
  if (wrong >= 0) return refused(`element ${wrong + 1} is ${kindOf(list[wrong])}, but each row must be a JSON object`)
  return bounded(list as Row[], 'JSON')
}

function bounded(rows: Row[], format: RowsFormat): ParsedRows {
  if (rows.length === 0) return refused('the file holds no rows')
  if (rows.length > maxRows)
    return refused(`the file holds ${rows.length.toLocaleString('en')} rows; a dataset takes at most ${maxRows.toLocaleString('en')}`)
  return { status: 'parsed', rows, format }
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError(String(error))
  }
}

const refused = (problem: string): ParsedRows => ({ status: 'refused', problem })

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isJsonNumber(value)) return 'a number'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
