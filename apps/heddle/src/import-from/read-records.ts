import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip, gunzipSync } from 'node:zlib'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import Papa from 'papaparse'
import { listFiles } from '../archive/hashed-files.ts'
import { lineError } from '../export/import-context.ts'
import { formatBytes } from '../terminal/measures.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { Json, JsonObject, RecordPlace } from './foreign-item.ts'

/** A record of a file. */
export interface SourceRecord {
  place: RecordPlace
  record: JsonObject
}

/** A file of JSON is read as a whole; JSON Lines have no bound. */
const maxJsonBytes = 256 * 2 ** 20

type Reader = (path: string, file: string) => AsyncGenerator<SourceRecord>

const readers: Record<string, Reader> = { jsonl: readLines, ndjson: readLines, json: readJson, csv: readCsv, parquet: readParquet }

/** Files of a source, and those that no reader knows. */
export interface SourceFiles {
  folder: string
  files: string[]
  unknown: string[]
}

/** A file, or all files below a folder. @throws UsageError if there are none to read */
export async function findSourceFiles(path: string): Promise<SourceFiles> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new UsageError(`${path} does not exist`)
  const all = found.isDirectory() ? await listFiles(path) : ['']
  const files = all.filter((file) => readerOf(join(path, file)) !== undefined)
  if (files.length === 0) throw new UsageError(`${path} holds no .json, .jsonl, .csv or .parquet file, also not compressed (.gz)`)
  return { folder: path, files: files.toSorted(), unknown: all.filter((file) => !files.includes(file)) }
}

/** The records of the files, in their order. @throws UsageError with file and place of what cannot be read */
export async function* readRecords({ folder, files }: SourceFiles): AsyncGenerator<SourceRecord> {
  for (const file of files) {
    const path = join(folder, file)
    const name = file === '' ? path : file
    yield* (readerOf(path) as Reader)(path, name)
  }
}

function readerOf(path: string): Reader | undefined {
  return readers[/\.([a-z]+)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase() ?? '']
}

async function* readLines(path: string, file: string): AsyncGenerator<SourceRecord> {
  await requireUtf8(path, file)
  let number = 0
  for await (const line of createInterface({ input: openText(path), crlfDelay: Infinity })) {
    number++
    if (line.trim() !== '') yield { place: { file, number }, record: asRecord(parse(line, { file, number }), { file, number }) }
  }
}

/** A list of records, a page of an API (`data`), or one record. */
async function* readJson(path: string, file: string): AsyncGenerator<SourceRecord> {
  const { size } = await stat(path)
  if (size > maxJsonBytes)
    throw new UsageError(
      `${file} has ${formatBytes(size)}; a file of JSON may have ${formatBytes(maxJsonBytes)}: export JSON Lines instead, or several files`,
    )
  await requireUtf8(path, file)
  const bytes = await readFile(path)
  const value = parse((path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: maxJsonBytes }) : bytes).toString('utf8'), {
    file,
    number: 1,
  })
  for (const [index, record] of recordsOf(value).entries()) {
    const place = { file, number: index + 1 }
    yield { place, record: asRecord(record, place) }
  }
}

function recordsOf(value: Json): Json[] {
  if (Array.isArray(value)) return value
  const data = isJsonObject(value) ? value['data'] : undefined
  if (Array.isArray(data)) return data
  // What follows is one record; that of a trace of MLflow has spans below `data`.
  return [isJsonObject(data) && !('spans' in data) && Object.keys(value as JsonObject).length === 1 ? data : value]
}

/** The first row names the columns. */
async function* readCsv(path: string, file: string): AsyncGenerator<SourceRecord> {
  await requireUtf8(path, file)
  const rows = openText(path).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true, skipEmptyLines: 'greedy' }))
  let number = 0
  for await (const row of rows) yield { place: { file, number: ++number }, record: asRecord(row, { file, number }) }
}

async function* readParquet(path: string, file: string): AsyncGenerator<SourceRecord> {
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

/** A reader of UTF-8 replaces other bytes without an error. @throws UsageError before the first record of the file is read */
async function requireUtf8(path: string, file: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (bytes?: Uint8Array) => {
    try {
      decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw new UsageError(`${file} is not UTF-8; convert it first, for example with: iconv -f WINDOWS-1252 -t UTF-8`)
    }
  }
  for await (const bytes of openBytes(path)) decode(bytes as Uint8Array)
  decode()
}

function openText(path: string): Readable {
  return openBytes(path).setEncoding('utf8')
}

function openBytes(path: string): Readable {
  const bytes = createReadStream(path)
  if (!path.endsWith('.gz')) return bytes
  const unpacked = createGunzip()
  bytes.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  return unpacked
}

function parse(text: string, place: RecordPlace): Json {
  try {
    return parseJson(text, { loneSurrogates: 'keep' })
  } catch (error) {
    throw lineError(place, error instanceof Error ? error.message : String(error))
  }
}

function asRecord(value: Json, place: RecordPlace): JsonObject {
  if (isJsonObject(value)) return value
  throw lineError(place, 'not a JSON object')
}
