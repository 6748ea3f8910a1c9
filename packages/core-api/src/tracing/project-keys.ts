import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'

const Role = z.enum(['reader', 'writer', 'ingest', 'admin']).describe('`ingest` may only send')
const Scope = z.enum(['read', 'write', 'destroy'])

/** An API key without its secret. */
export const ProjectKey = z
  .object({
    id: z.string(),
    name: z.string().describe('What the key is for'),
    prefix: z.string().describe('First characters of the secret'),
    user_id: z.string().describe('Author of what is written with the key'),
    role: Role.describe('In the project'),
    scopes: z.array(Scope).describe('The only effects of its role that the key has. Empty: all of them'),
    reach: z.enum(['project', 'projects', 'entity', 'all']).describe('`project`: this one alone. `projects`: others too, which it names'),
    is_own: z.boolean().describe('Whether the request was made with this key, or with a session of it'),
    created_at: TimestampText,
    last_used_at: TimestampText.nullable().describe('To the minute. Null: never'),
    expires_at: TimestampText.nullable().describe('Null: never'),
    revoked_at: TimestampText.nullable().describe('Null: it was not revoked'),
  })
  .meta({ id: 'ProjectKey' })
export type ProjectKey = z.output<typeof ProjectKey>

const adminOnly = 'An addition of this server. Only for keys with the role `admin` in the project and all of its effects'

/** API keys of a project. Each operation has the effect that the role `admin` alone allows. */
export const projectKeys = defineResource({
  query: {
    method: 'POST',
    path: '/project/keys/query',
    effect: 'destroy',
    summary: 'List the API keys of a project',
    description: `${adminOnly}. The newest first, those that were revoked or have expired included. Keys that reach further than that of the request are left out.`,
    body: z.object({
      project_id: ProjectId,
      after: orNull(z.string().max(128)).describe('Id of the last key of the page before, which is not repeated. Null: from the beginning'),
      limit: orDefault(lenientIntBetween(1, 100), 50).describe('Keys of a page, 1 to 100'),
    }),
    output: z.object({
      keys: z.array(ProjectKey).describe('A page of keys'),
      has_more: z.boolean().describe('Whether keys follow the last one'),
    }),
  },
  create: {
    method: 'POST',
    path: '/project/keys/create',
    effect: 'destroy',
    repeat: 'adds',
    summary: 'Create an API key for a project',
    description: `${adminOnly}. The key reaches this project alone. Its secret is returned this once; the server stores only a hash of it.`,
    body: z.object({
      project_id: ProjectId,
      name: z.string().describe('What the key is for; 1 to 128 characters'),
      role: Role,
      scopes: orNull(listOf(Scope, 3, tooManyEntries)).describe(
        'The only effects of its role that the key gets. Null or empty: all of them',
      ),
      expires_in_days: orNull(lenientIntBetween(1, 36_500)).describe(
        'Days from now, 1 to 36,500, at most until the key of the request expires. Null: it expires with that, if ever',
      ),
    }),
    output: z.object({ secret: z.string().describe('The key itself'), key: ProjectKey }),
  },
  revoke: {
    method: 'POST',
    path: '/project/keys/revoke',
    effect: 'destroy',
    summary: 'Revoke an API key of a project',
    description: `${adminOnly}. At once, on all servers, with the sessions of the key. The key of the request cannot be revoked with itself (400).`,
    body: z.object({ project_id: ProjectId, key_id: z.string().max(128).describe('Id of the key, as it is listed') }),
    output: ProjectKey,
  },
})
