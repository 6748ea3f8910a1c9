import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { CallsFilter } from '../shapes/calls-filter.ts'
import { Identifier } from '../shapes/identifier.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { LenientBoolean, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { QueryExpression } from '../shapes/query-expression.ts'
import { TimestampText } from '../shapes/timestamp.ts'

/** Fields of a call that name the user whom it served, or whose key recorded it. Users of any other field are selected by a query. */
export const userFields = [
  'wb_user_id',
  'attributes.user_id',
  'attributes.user.id',
  'attributes.enduser.id',
  'attributes.langfuse.user.id',
  'attributes.otel_span.attributes.user.id',
  'attributes.otel_span.attributes.enduser.id',
  'attributes.otel_span.attributes.langfuse.user.id',
] as const

/** Which data of a project to delete. */
export const DataSelection = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('project') }),
    z.object({ kind: z.literal('user'), user_id: Identifier.min(1).describe('Id of the user, exactly as in the records') }),
    z.object({
      kind: z.literal('calls'),
      filter: orNull(CallsFilter).describe('Which calls, as in `calls.streamQuery`'),
      query: orNull(QueryExpression).describe('Further condition, as in `calls.streamQuery`'),
      whole_traces: orDefault(LenientBoolean, false).describe('Whether all other calls of their traces are deleted as well'),
    }),
  ])
  .describe(
    `\`project\`: all records of the project. \`user\`: the whole traces in which a call names the user, and the feedback and versions of objects by the user. A call names a user in ${userFields.map((field) => `\`${field}\``).join(', ')}. \`calls\`: the calls that match, with everything below them; at least one of \`filter\` and \`query\` is required`,
  )
export type DataSelection = z.output<typeof DataSelection>

const count = (of: string) => z.int().describe(of)

/** Records by kind. */
export const DataCounts = z
  .object({
    calls: count('Calls'),
    feedback: count('Feedback by the user, and on the calls'),
    annotation_items: count('Items of annotation queues that hold one of the calls'),
    object_versions: count('Versions of objects'),
    tables: count('Tables that only deleted records name'),
    table_rows: count('Rows of these tables that no other table has'),
    files: count('Files that only deleted records name'),
  })
  .meta({ id: 'DataCounts' })
export type DataCounts = z.output<typeof DataCounts>

/** What was deleted, by whom, and what remains. */
export const DeletionReceipt = z
  .object({
    deletion_id: z.string(),
    project_id: z.string(),
    selection: JsonObjectShape.describe('As it was requested'),
    requested_by: z.string().describe('User of the key'),
    key_id: z.string().describe('Key of the request'),
    requested_at: TimestampText,
    ended_at: TimestampText,
    removed: DataCounts,
    kept: z.array(z.object({ what: z.string(), why: z.string() })).describe('What the server keeps, or cannot reach'),
    digest: z.string().describe('SHA-256 in hexadecimal of all other members as canonical JSON (RFC 8785)'),
  })
  .meta({ id: 'DeletionReceipt' })
export type DeletionReceipt = z.output<typeof DeletionReceipt>

export const DataDeletion = z
  .object({
    id: z.string(),
    selection: JsonObjectShape.describe('As it was requested'),
    state: z
      .enum(['selecting', 'removing', 'ended'])
      .describe(
        '`selecting`: what matches is being listed. `removing`: no operation finds the listed calls any more, and all is removed from the stores',
      ),
    requested_by: z.string().describe('User of the key'),
    requested_at: TimestampText,
    found: DataCounts.nullable().describe(
      'Records when all was listed. Tables and files are counted only while they are removed. Null before',
    ),
    removed: DataCounts.describe('Records that were removed so far'),
    receipt: DeletionReceipt.nullable().describe('Null until it has ended'),
  })
  .meta({ id: 'DataDeletion' })
export type DataDeletion = z.output<typeof DataDeletion>

const adminOnly = 'An addition of this server. Only for keys that may delete in the project'
const Id = z.guid().describe('Id of the deletion')

/** Deletions of all data that a selection covers, from every store, with a receipt. */
export const dataDeletions = defineResource('Deletions of all data of a project, a user or a query, with a receipt', {
  start: {
    method: 'POST',
    path: '/project/data_deletions/start',
    effect: 'destroy',
    audit: 'always',
    summary: 'Delete all data that a selection covers',
    description: `${adminOnly}. A job deletes calls, feedback on them, items of annotation queues, versions of objects, tables, rows and files, from the disk as well; it continues after a crash. Files, rows and tables that other records name are kept. Records that arrive after its beginning are not covered. At most 10 of a project at a time (429).`,
    body: z.object({
      project_id: ProjectId,
      id: Id.describe('Id of the deletion: a new UUID. A repeated request with the same id and selection changes nothing'),
      selection: DataSelection,
      dry_run: orDefault(LenientBoolean, false).describe('Count what it would delete, and delete nothing'),
    }),
    output: z.object({
      found: DataCounts.nullable().describe(
        'Of a dry run; tables and files, which are only known when the rest is gone, count 0. Otherwise null',
      ),
      deletion: DataDeletion.nullable().describe('Null for a dry run'),
    }),
  },
  read: {
    method: 'POST',
    path: '/project/data_deletions/read',
    effect: 'destroy',
    audit: false,
    summary: 'Read how far a deletion of data is, and its receipt',
    description: `${adminOnly}. Unknown ids are 404.`,
    body: z.object({ project_id: ProjectId, id: Id }),
    output: DataDeletion,
  },
  query: {
    method: 'POST',
    path: '/project/data_deletions/query',
    effect: 'destroy',
    audit: false,
    summary: 'List deletions of data with their receipts',
    description: `${adminOnly}. Those that have not ended come first, then the newest. Receipts are kept.`,
    body: z.object({ project_id: ProjectId, limit: orDefault(lenientIntBetween(1, 100), 20).describe('Deletions to return, 1 to 100') }),
    output: z.object({ deletions: z.array(DataDeletion) }),
  },
})
