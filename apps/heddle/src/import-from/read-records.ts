import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import { delimiterOf } from '@heddle/text-files'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import Papa from 'papaparse'
import { listFiles } from '../archive/hashed-files.ts'
import { lineError } from '../export/import-context.ts'
import { formatBytes } from '../terminal/measures.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { Json, JsonObject, RecordPlace } from './foreign-item.ts'
import { type ChosenForm, findTextForm, openText, type TextForm } from './source-text.ts'
import { messageOf } from '../terminal/message-of.ts'

/** A record of a file. */
export interface SourceRecord {
  place: RecordPlace
  record: JsonObject
}

/** A file of JSON is read as a whole; JSON Lines have no bound. */
const maxJsonBytes = 256 * 2 ** 20

/** A file that is read. */
export interface SourceFile {
  path: string
  /** Path below the imported folder. */
  name: string
  /** Undefined for a file that is not a text. */
  form: TextForm | undefined
}

interface TextSource extends SourceFile {
  form: TextForm
}

type TextReader = (file: TextSource) => AsyncGenerator<SourceRecord>

const textReaders: Record<string, TextReader> = { jsonl: readLines, ndjson: readLines, json: readJson, csv: readCsv, tsv: readCsv }

/** A file of which it is not decided yet whether and how it is read. */
export type FoundFile = Omit<SourceFile, 'form'>

/** Files of a source, those that no reader knows, and those that the caller wants left for later. */
export interface SourceFiles {
  files: SourceFile[]
  unknown: string[]
  deferred: FoundFile[]
}

/**
 * A file, or all files below a folder, and how each is read. Files whose names `isDeferred` accepts are found, and not opened.
 * @throws UsageError if there are none to read, and as `findTextForm` does
 */
export async function findSourceFiles(
  path: string,
  chosen: ChosenForm,
  isDeferred: (name: string) => boolean = () => false,
): Promise<SourceFiles> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new UsageError(`${path} does not exist`)
  const names = found.isDirectory() ? await listFiles(path) : [path]
  const readable = names.filter(isReadable).toSorted()
  if (readable.length === 0) throw new UsageError(`${path} holds no .json, .jsonl, .csv, .tsv or .parquet file, compressed (.gz) or not`)
  if (chosen.separator !== undefined && !readable.some(isTable))
    throw new UsageError(`--separator is for .csv and .tsv files, of which ${path} holds none`)
  const all = readable.map((name) => ({ name, path: found.isDirectory() ? join(path, name) : path }))
  const deferred = all.filter(({ name }) => isDeferred(name))
  const files = all.filter((file) => !deferred.includes(file))
  return { files: await withForms(files, chosen), unknown: names.filter((name) => !isReadable(name)), deferred }
}

/** How each of the files is read. @throws UsageError as `findTextForm` does */
export async function withForms(files: readonly FoundFile[], chosen: ChosenForm): Promise<SourceFile[]> {
  const known: SourceFile[] = []
  for (const file of files) {
    const form = isParquet(file.name) ? undefined : await findTextForm({ ...file, isTable: isTable(file.name) }, chosen)
    known.push({ ...file, form })
  }
  return known
}

/** The records of the files, in their order. @throws UsageError with file and place of what cannot be read */
export async function* readRecords(files: readonly SourceFile[]): AsyncGenerator<SourceRecord> {
  for (const file of files) {
    if (file.form === undefined) yield* readParquet(file)
    else yield* textReaders[endingOf(file.name)]!({ ...file, form: file.form })
  }
}

const endingOf = (name: string) => /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''
const isTable = (name: string) => textReaders[endingOf(name)] === readCsv
/** Which is compressed within. */
const isParquet = (name: string) => /\.parquet$/i.test(name)
const isReadable = (name: string) => isParquet(name) || Object.hasOwn(textReaders, endingOf(name))

async function* readLines({ path, name: file, form }: TextSource): AsyncGenerator<SourceRecord> {
  let number = 0
  for await (const line of createInterface({ input: openText(path, form.encoding), crlfDelay: Infinity })) {
    number++
    if (line.trim() !== '') yield { place: { file, number }, record: asRecord(parse(line, { file, number }), { file, number }) }
  }
}

/** A list of records, a page of an API (`data`), or one record. */
async function* readJson({ path, name: file, form }: TextSource): AsyncGenerator<SourceRecord> {
  const value = parse(await readWhole(path, file, form), { file, number: 1 })
  for (const [index, record] of recordsOf(value).entries()) {
    const place = { file, number: index + 1 }
    yield { place, record: asRecord(record, place) }
  }
}

/** @throws UsageError for a text that is longer than a file of JSON may be, also when it is unpacked */
async function readWhole(path: string, file: string, { encoding }: TextForm): Promise<string> {
  const { size } = await stat(path)
  let text = ''
  const requireBound = (bytes: number) => {
    if (bytes <= maxJsonBytes) return
    throw new UsageError(
      `${file} has ${formatBytes(bytes)}; a file of JSON may have ${formatBytes(maxJsonBytes)}: export JSON Lines instead, or several files`,
    )
  }
  requireBound(size)
  for await (const part of openText(path, encoding)) {
    text += part as string
    requireBound(text.length)
  }
  return text
}

function recordsOf(value: Json): Json[] {
  if (Array.isArray(value)) return value
  const data = isJsonObject(value) ? value['data'] : undefined
  if (Array.isArray(data)) return data
  // What follows is one record; that of a trace of MLflow has spans below `data`.
  return [isJsonObject(data) && !('spans' in data) && Object.keys(value as JsonObject).length === 1 ? data : value]
}

/** The first row names the columns. */
async function* readCsv({ path, name: file, form }: TextSource): AsyncGenerator<SourceRecord> {
  const delimiter = delimiterOf(form.separator ?? ',')
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, { header: true, skipEmptyLines: 'greedy', delimiter })
  let number = 0
  for await (const row of openText(path, form.encoding).pipe(parser))
    yield { place: { file, number: ++number }, record: asRecord(row, { file, number }) }
}

async function* readParquet({ path, name: file }: SourceFile): AsyncGenerator<SourceRecord> {
  const bytes = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(bytes)
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const rows = await parquetReadObjects({ file: bytes, metadata, compressors, rowStart, rowEnd })
    for (const [index, row] of rows.entries()) yield { place: { file, number: rowStart + index + 1 }, record: plainRow(row) }
    rowStart = rowEnd
  }
}

/** Times as text, and whole numbers as numbers or, beyond those that are exact, as text. */
function plainRow(value: unknown): JsonObject {
  return plain(value) as JsonObject
}

function plain(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}

function parse(text: string, place: RecordPlace): Json {
  try {
    return parseJson(text, { loneSurrogates: 'keep' })
  } catch (error) {
    throw lineError(place, messageOf(error))
  }
}

function asRecord(value: Json, place: RecordPlace): JsonObject {
  if (isJsonObject(value)) return value
  throw lineError(place, 'not a JSON object')
}
