import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'

/** A requested change. */
export const AuditEntry = z
  .object({
    id: z.string().describe('Grows with time'),
    operation: z.string().describe('Such as `costs.purge`'),
    details: z
      .string()
      .describe('The request as JSON, without its project; cut after 2,000 characters. It never holds the secret of an API key'),
    outcome: z
      .enum(['started', 'succeeded', 'failed'])
      .describe('`started`: the change runs, or the server could not note how it went. `failed`: the request was refused, or failed'),
    user_id: z.string(),
    key_id: z.string().describe('Key of the request'),
    created_at: TimestampText,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

/** Changes of keys, public links, webhooks, prices, retention, limits and aliases, and deletions, with their author. */
export const auditLog = defineResource('Who changed or deleted what in a project', {
  query: {
    method: 'POST',
    path: '/project/audit_log/query',
    effect: 'destroy',
    audit: false,
    summary: 'List who changed or deleted what in a project',
    description:
      'An addition of this server. Only for keys with the role `admin` in the project and all of its effects. The newest first; the newest 10,000 are kept. An entry is written before the change, unless the disk is full. Changes by commands on the machine of the server, by the training service and by retention are not in it.',
    body: z.object({
      project_id: ProjectId,
      after: orNull(z.string().max(128)).describe('Id of the last entry of the page before, which is not repeated. Null: from the newest'),
      limit: orDefault(lenientIntBetween(1, 100), 50).describe('Entries of a page, 1 to 100'),
    }),
    output: z.object({
      entries: z.array(AuditEntry).describe('A page of entries'),
      has_more: z.boolean().describe('Whether entries follow the last one'),
    }),
  },
})
