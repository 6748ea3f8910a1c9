import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { LenientBoolean, LenientInt, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { ProjectDeletion, ProjectDeletionsQuery } from './project-deletions.ts'
import { limitChanges, ProjectLimits } from './project-limits.ts'

const include = (name: string) => orDefault(LenientBoolean, true).describe(`Fill \`${name}\``)
const bytes = (of: string) => z.number().nullable().describe(`Bytes of ${of}. Null unless requested`)

const retention = z
  .object({ retention_days: z.number().nullable().describe('Days after the start of a call until it expires. Null: calls do not expire') })
  .meta({ id: 'Retention' })

/** A project with its recent activity. */
export const ListedProject = z
  .object({
    id: z.string().describe('`entity/project`'),
    entity: z.string().describe('Entity that owns the project'),
    name: z.string().describe('Name in the entity'),
    created_at: TimestampText.describe('When the project was first written to'),
    last_call_at: TimestampText.nullable().describe('Start of the newest call. Null without calls'),
    calls_7d: z.number().describe('Calls that started in the last 7 days'),
    errors_7d: z.number().describe('Failed calls among them'),
    cost_7d: z
      .number()
      .nullable()
      .describe(
        'Cost of these calls: their tokens at the prices in force when each started, or the reported cost where a model has no price. Null if no cost is known',
      ),
    unpriced_7d: z.number().describe('Uses of models without a known price among these calls, which `cost_7d` does not include'),
    reported_7d: z.number().describe('Uses of models without a known price that count in `cost_7d` with the cost that their calls report'),
    priced_as: z
      .array(z.string())
      .describe('Names of the prices of models that have none under their own name: `gpt-4o` for `openai/gpt-4o`. Sorted'),
  })
  .meta({ id: 'ListedProject' })
export type ListedProject = z.output<typeof ListedProject>

/** The list of projects, and the storage size, deletions, retention and limits of each. */
export const projects = defineResource('Storage size and retention of projects', {
  query: {
    method: 'POST',
    path: '/project/query',
    effect: 'read',
    summary: 'List the projects that the key may read',
    description: 'In the order of their ids. A project exists once something was written to it.',
    body: z.object({
      contains: orNull(z.string().max(257)).describe('Only projects whose id contains this text, in any case. Null or empty: all'),
      after: orNull(z.string().max(257)).describe('Id of the last project of the previous page. Null: from the beginning'),
      limit: orDefault(lenientIntBetween(1, 100), 50).describe('Projects per page, 1 to 100'),
    }),
    output: z.object({
      projects: z.array(ListedProject).describe('A page of projects'),
      has_more: z.boolean().describe('Whether projects follow the last one'),
    }),
  },
  stats: {
    method: 'POST',
    path: '/project/stats',
    effect: 'read',
    summary: 'Get the storage size of a project',
    body: z.object({
      project_id: ProjectId,
      include_trace_storage_size: include('trace_storage_size_bytes'),
      include_object_storage_size: include('objects_storage_size_bytes'),
      include_table_storage_size: include('tables_storage_size_bytes'),
      include_file_storage_size: include('files_storage_size_bytes'),
    }),
    output: z.object({
      trace_storage_size_bytes: bytes('the payloads of all live calls'),
      objects_storage_size_bytes: bytes('the values of all live object versions'),
      tables_storage_size_bytes: bytes('all table rows, counting each row once'),
      files_storage_size_bytes: bytes('all files'),
    }),
  },
  readUnderWay: {
    method: 'POST',
    path: '/project/under_way/read',
    effect: 'read',
    summary: 'Count running evaluations and open annotation items of a project',
    description: 'An addition of this server, cheap enough for frequent polling. Running training jobs are in the list of training jobs.',
    body: z.object({ project_id: ProjectId }),
    output: z.object({
      evaluation_runs: z.int().describe('Evaluation runs that started in the last 24 hours and have not ended; at most 100'),
      annotation_items: z
        .int()
        .describe(
          'Unfinished items of annotation queues that the caller has neither completed nor skipped. Of items that others have already reviewed, only the first 10,000 are considered',
        ),
    }),
  },
  queryMembers: {
    method: 'POST',
    path: '/project/members/query',
    effect: 'read',
    summary: 'List the people of a project, who can be mentioned in notes',
    description:
      'An addition of this server. Users of keys that may currently read the project and that cover no more projects than the key of the request, ordered by name.',
    body: z.object({ project_id: ProjectId }),
    output: z.object({
      members: z.array(z.string()).describe('Distinct user ids, as in `wb_user_id` of the records they write; at most 1,000'),
      has_more: z.boolean().describe('Whether there are more'),
    }),
  },
  queryDeletions: {
    method: 'POST',
    path: '/project/deletions/query',
    effect: 'read',
    summary: 'List deletions of many records, with their progress',
    description:
      'An addition of this server. Deletions of more than 2,000 calls, 10,000 feedback items or 1,000 versions of an object, until 7 days after their end. Unfinished ones come first, then the newest.',
    body: ProjectDeletionsQuery,
    output: z.object({ deletions: z.array(ProjectDeletion).describe('Deletions of the project') }),
  },
  readTtlSettings: {
    method: 'POST',
    path: '/project/ttl_settings/read',
    effect: 'read',
    summary: 'Get the retention of calls',
    body: z.object({ project_id: ProjectId }),
    output: retention,
  },
  updateTtlSettings: {
    method: 'POST',
    path: '/project/ttl_settings/update',
    effect: 'destroy',
    audit: 'always',
    // Retention applies to future calls: setting it frees nothing.
    storage: 'adds',
    summary: 'Set the retention of calls',
    description: 'Applies to calls that are recorded from now on. An expired call is no longer returned.',
    body: z.object({
      project_id: ProjectId,
      retention_days: orNull(LenientInt).describe('Days after the start of a call until it expires, at least 1. Null: calls do not expire'),
    }),
    output: retention,
  },
  readLimits: {
    method: 'POST',
    path: '/project/limits/read',
    effect: 'read',
    rateLimited: false,
    summary: 'Get the limits of a project, and what is used of them',
    description:
      'An addition of this server. Requests beyond a limit get 429 with `Retry-After`; a limit on bytes applies to writes alone. The response headers `RateLimit-Policy` and `RateLimit` state what is left. Requests that read or set limits do not count.',
    body: z.object({ project_id: ProjectId }),
    output: ProjectLimits,
  },
  updateLimits: {
    method: 'POST',
    path: '/project/limits/update',
    effect: 'destroy',
    rateLimited: false,
    audit: 'always',
    summary: 'Set limits of a project',
    description:
      'An addition of this server. Only for keys that may delete in the project. Takes effect immediately on this server, and within 5 s on others. A limit above that of the server is refused (400).',
    body: z.object({ project_id: ProjectId, ...limitChanges }),
    output: ProjectLimits,
  },
})
