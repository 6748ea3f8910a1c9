import { isApiError } from '@heddle/core-api'
import { parseJson, stringifyJson } from '@heddle/json'
import type { TracingClient } from '../connect.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { type Line, readLines } from './jsonl-file.ts'
import type { ReferenceMap } from './references.ts'
import { messageOf } from '../terminal/message-of.ts'

/** What the parts of an import share. */
export interface ImportContext {
  client: TracingClient
  /** The project that is written to. */
  project: string
  folder: string
  references: ReferenceMap
  onStep: (step: string) => void
}

export type JsonRecord = Record<string, unknown>

/** A record of a file, with its references changed. */
export interface ImportedRecord {
  line: Line
  /** Whether a reference in the line was changed. */
  isChanged: boolean
  record: JsonRecord
}

/** The records of a file. @throws UsageError with file and line unless each is a JSON object */
export async function* readRecords({ folder, references }: ImportContext, file: string): AsyncGenerator<ImportedRecord> {
  for await (const line of readLines(folder, file)) {
    const text = references.map(line.text)
    yield { line, isChanged: text !== line.text, record: parseRecord(line, text) }
  }
}

function parseRecord(line: Line, text: string): JsonRecord {
  try {
    const record = parseJson(text, { loneSurrogates: 'keep' })
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record as JsonRecord
  } catch (error) {
    throw lineError(line, messageOf(error))
  }
  throw lineError(line, 'not a JSON object')
}

/** Batches of at most `maxRecords` records and 4 MiB of text; a longer record is a batch alone. */
export async function* inBatches(records: AsyncIterable<ImportedRecord>, maxRecords: number): AsyncGenerator<ImportedRecord[]> {
  let batch: ImportedRecord[] = []
  let length = 0
  for await (const each of records) {
    if (batch.length > 0 && (batch.length >= maxRecords || length + each.line.text.length > 4 << 20)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(each)
    length += each.line.text.length
  }
  if (batch.length > 0) yield batch
}

/** Writes records together; where the server refuses them, one by one, to name the one it refuses. */
export async function writeBatch(
  batch: readonly ImportedRecord[],
  write: (batch: readonly ImportedRecord[]) => Promise<unknown>,
): Promise<void> {
  try {
    await write(batch)
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const each of batch) await writeOne(each.line, () => write([each]))
  }
}

/** @throws UsageError with file and line, if the server refuses it */
export async function writeOne<T>(line: Line, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isRefusal(error)) throw lineError(line, error.message)
    throw error
  }
}

/** Whether an error is due to the record, and not to the key or the server. */
function isRefusal(error: unknown): error is Error {
  return isApiError(error) && [400, 404, 409, 413, 422].includes(error.status)
}

export function lineError({ file, number }: Pick<Line, 'file' | 'number'>, reason: string): UsageError {
  return new UsageError(`${file}, line ${number}: ${reason}`)
}

/** A text that two equal values share, whatever the order of the fields named. */
export function textOf(record: JsonRecord, fields: readonly string[]): string {
  return stringifyJson(fields.map((field) => record[field] ?? null))
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
