import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { checked, Refusal } from '../shapes/checked.ts'
import { Digest } from '../shapes/digest.ts'
import { Identifier } from '../shapes/identifier.ts'
import { AnyJson, JsonObjectShape } from '../shapes/json.ts'
import { isJsonObject, type JsonObject } from '../shapes/json-object.ts'
import { LenientBoolean, LenientInt, readInteger } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { SortBy } from '../shapes/sort.ts'

const TableDigest = Identifier.describe('Digest of the table: 64 hexadecimal digits')
const expectedDigest = orNull(Identifier).describe('Reject the table if its digest differs')

/** A list of rows to store. */
export const TableInput = z.object({
  project_id: ProjectId,
  rows: listOf(JsonObjectShape, 250_000).describe('The rows, each a JSON object'),
  expected_digest: expectedDigest,
})
export type TableInput = z.output<typeof TableInput>

/** One change of a list of rows. Positions refer to the list after the previous change. */
export type TableUpdate = { append: { row: JsonObject } } | { pop: { index: number } } | { insert: { index: number; row: JsonObject } }

const readParts = {
  append: (part: JsonObject) => withRow(part, (row) => ({ append: { row } })),
  pop: (part: JsonObject) => withIndex(part, (index) => ({ pop: { index } })),
  insert: (part: JsonObject) => withIndex(part, (index) => withRow(part, (row) => ({ insert: { index, row } }))),
} as const

function readUpdate(value: unknown): TableUpdate | Refusal {
  if (!isJsonObject(value)) return new Refusal('dict_type', 'Input should be a valid dictionary')
  const [key = '', ...more] = Object.keys(value)
  if (more.length > 0 || !Object.hasOwn(readParts, key))
    return new Refusal('table_update', 'Input should have exactly one key: append, pop or insert')
  const part = value[key]
  if (!isJsonObject(part)) return new Refusal('dict_type', 'Input should be a valid dictionary', [key])
  const update = readParts[key as keyof typeof readParts](part)
  return update instanceof Refusal ? new Refusal(update.type, update.message, [key, ...update.path]) : update
}

function withRow<T>({ row }: JsonObject, make: (row: JsonObject) => T): T | Refusal {
  if (row === undefined) return new Refusal('missing', 'Field required', ['row'])
  return isJsonObject(row) ? make(row) : new Refusal('dict_type', 'Input should be a valid dictionary', ['row'])
}

function withIndex<T>({ index }: JsonObject, make: (index: number) => T): T | Refusal {
  if (index === undefined) return new Refusal('missing', 'Field required', ['index'])
  const read = readInteger(index)
  return read instanceof Refusal ? new Refusal(read.type, read.message, ['index']) : make(read)
}

const schemaOf = (key: string, properties: Record<string, { type: string }>) => ({
  type: 'object',
  properties: { [key]: { type: 'object', properties, required: Object.keys(properties) } },
  required: [key],
  additionalProperties: false,
})
const index = { type: 'integer' }
const row = { type: 'object' }

/** One change of a list of rows: an object with one key, which names the operation. */
export const TableUpdate = checked<TableUpdate>(readUpdate, {
  oneOf: [schemaOf('append', { row }), schemaOf('pop', { index }), schemaOf('insert', { index, row })],
})

/** A row of a table as it is read. */
export const TableRow = z
  .object({
    digest: Digest,
    val: AnyJson.describe('The row: a JSON object'),
    original_index: z.number().nullable().describe('Index in the table before filter, sort, limit and offset'),
  })
  .meta({ id: 'TableRow' })
export type TableRow = z.output<typeof TableRow>

/** Which rows of a table, in which order. */
export const TableQuery = z.object({
  project_id: ProjectId,
  digest: TableDigest,
  filter: orNull(
    z.object({
      row_digests: orNull(listOf(Identifier, 10_000, tooManyEntries)).describe('Only rows with one of these digests. Null and empty: all'),
    }),
  ).describe('Only some rows'),
  limit: orNull(LenientInt).describe('Maximum number of rows. Null: all'),
  offset: orNull(LenientInt).describe('Rows to skip first'),
  sort_by: orNull(listOf(SortBy, 32, tooManyEntries)).describe('Order by dotted paths inside the rows. Null: the order of the table'),
})
export type TableQuery = z.output<typeof TableQuery>

/** Statistics of a table. */
export const TableStats = z
  .object({
    count: z.number().describe('Number of rows in the table, including rows that were never stored'),
    digest: TableDigest,
    storage_size_bytes: z.number().nullable().describe('Bytes of the rows as JSON, summed over all rows. Null unless requested'),
  })
  .meta({ id: 'TableStats' })
export type TableStats = z.output<typeof TableStats>

/** Immutable lists of rows, addressed by the digest of their content. */
export const tables = defineResource('Immutable lists of rows, addressed by their content', {
  create: {
    method: 'POST',
    path: '/table/create',
    effect: 'write',
    keepsSurrogates: true,
    summary: 'Create a table',
    description: 'Storing the same rows in the same order returns the same table.',
    body: z.object({ table: TableInput }),
    output: z.object({ digest: TableDigest, row_digests: z.array(Digest).describe('One digest for each row, in order') }),
  },
  createFromDigests: {
    method: 'POST',
    path: '/table/create_from_digests',
    effect: 'write',
    // A million row digests take 46 MB.
    bodyFactor: 2,
    summary: 'Create a table from stored rows',
    description: 'Does not check that the rows are stored; missing rows are skipped when the table is read.',
    body: z.object({
      project_id: ProjectId,
      row_digests: listOf(Identifier, 1_500_000).describe('Digests of the rows, in order'),
      expected_digest: expectedDigest,
    }),
    output: z.object({ digest: TableDigest }),
  },
  update: {
    method: 'POST',
    path: '/table/update',
    effect: 'write',
    keepsSurrogates: true,
    summary: 'Create a table by changing rows of another table',
    description: 'The base table is not modified. All changes are applied or none.',
    body: z.object({
      project_id: ProjectId,
      base_digest: TableDigest,
      updates: listOf(TableUpdate, 100_000).describe('Changes, applied in order'),
    }),
    output: z.object({
      digest: TableDigest,
      updated_row_digests: z.array(Digest).describe('Digest of the row that each change added or removed, in order'),
    }),
  },
  query: {
    method: 'POST',
    path: '/table/query',
    effect: 'read',
    summary: 'Read rows of a table',
    description: 'A missing table has no rows. Rows that were never stored are skipped.',
    body: TableQuery,
    output: z.object({ rows: z.array(TableRow) }),
  },
  queryStream: {
    method: 'POST',
    path: '/table/query_stream',
    effect: 'read',
    summary: 'Read rows of a table as a stream',
    body: TableQuery,
    output: TableRow,
    stream: 'jsonl',
  },
  queryStats: {
    method: 'POST',
    path: '/table/query_stats',
    effect: 'read',
    summary: 'Count the rows of a table',
    body: z.object({ project_id: ProjectId, digest: TableDigest }),
    output: z.object({ count: z.number().describe('Number of rows in the table; 0 if the table does not exist') }),
  },
  queryStatsBatch: {
    method: 'POST',
    path: '/table/query_stats_batch',
    effect: 'read',
    summary: 'Count rows and bytes of tables',
    description: 'Missing tables are omitted.',
    body: z.object({
      project_id: ProjectId,
      digests: orDefault(listOf(Identifier, 1000, tooManyEntries), []).describe('Digests of the tables, up to 1000'),
      include_storage_size: orDefault(LenientBoolean, false).describe('Fill `storage_size_bytes`'),
    }),
    output: z.object({ tables: z.array(TableStats) }),
  },
})
