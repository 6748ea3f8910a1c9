import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { LenientBoolean, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { RecordedId } from '../shapes/recorded-id.ts'
import { TimestampText } from '../shapes/timestamp.ts'

const Role = z.enum(['reader', 'writer', 'ingest', 'admin']).describe('`ingest` may only send')
const Scope = z.enum(['read', 'write', 'destroy'])

const recordedIn = {
  trajectory:
    'The trajectory of all chats, as in the header `x-heddle-trajectory-id`; once it has finished or is full, `name-2` and so on. Null: each conversation is one',
  group: 'Group of its trajectories, as in the header `x-heddle-group-id`; once it is full, `name-2` and so on. Null: each has its own',
}

/** Where chats of a key with trained models are recorded, unless their headers say otherwise. */
export const KeyRecording = z
  .object({
    trajectory_id: z.string().nullable().describe(recordedIn.trajectory),
    group_id: z.string().nullable().describe(recordedIn.group),
  })
  .meta({ id: 'KeyRecording' })
export type KeyRecording = z.output<typeof KeyRecording>

const NewKeyRecording = z.object({
  trajectory_id: orNull(RecordedId).describe(recordedIn.trajectory),
  group_id: orNull(RecordedId).describe(recordedIn.group),
})

/** An API key without its secret. */
export const ProjectKey = z
  .object({
    id: z.string(),
    name: z.string().describe('What the key is for'),
    prefix: z.string().describe('First characters of the secret'),
    user_id: z.string().describe('Author of all records written with the key'),
    role: Role.describe('In the project'),
    scopes: z.array(Scope).describe('The only effects of its role that the key has. Empty: all of them'),
    reach: z.enum(['project', 'projects', 'entity', 'all']).describe('`project`: this one alone. `projects`: others too, which it names'),
    is_own: z.boolean().describe('Whether the request was made with this key, or with a session of it'),
    created_at: TimestampText,
    last_used_at: TimestampText.nullable().describe('To the minute. Null: never'),
    expires_at: TimestampText.nullable().describe('Null: never'),
    revoked_at: TimestampText.nullable().describe('Null: it was not revoked'),
    recording: KeyRecording.nullable().describe('Null: its chats are recorded only if their headers ask for it'),
  })
  .meta({ id: 'ProjectKey' })
export type ProjectKey = z.output<typeof ProjectKey>

/** What works on without the key with which it was made. */
export const KeyMade = z
  .object({
    kind: z.enum(['shared_trace', 'monitor', 'webhook']).describe('`shared_trace`: a public link'),
    project_id: z.string(),
    id: z.string().describe('Of a link or a webhook its id, of a monitor the digest of its version'),
    name: z.string().describe('Of a link the id of its trace, of a monitor the name of its object'),
    key_id: z.string().describe('Empty where it is not known, since it was made before the server noted keys'),
    created_by: z.string().describe('User of the key'),
    created_at: TimestampText,
    is_ended: z.boolean().describe('Whether the request has ended it'),
  })
  .meta({ id: 'KeyMade' })
export type KeyMade = z.output<typeof KeyMade>

/** A key that was revoked, and what works on without it. */
export const RevokedKey = ProjectKey.extend({
  made: z
    .array(KeyMade)
    .describe('Public links, monitors and webhooks that were made with the key and worked when it was revoked, at most 1,000 of a kind'),
}).meta({ id: 'RevokedKey' })
export type RevokedKey = z.output<typeof RevokedKey>

const adminOnly = 'An addition of this server. Only for keys with the role `admin` in the project and all of its effects'

/** API keys of a project. Each operation has the effect that the role `admin` alone allows. */
export const projectKeys = defineResource('API keys of a project', {
  query: {
    method: 'POST',
    path: '/project/keys/query',
    effect: 'destroy',
    audit: false,
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
    audit: 'always',
    repeat: 'adds',
    summary: 'Create an API key for a project',
    description: `${adminOnly}. The key reaches this project alone, and writes as the user of the key of the request: only a key that may do everything in all projects makes keys for others. Its secret is returned this once; the server stores only a hash of it.`,
    body: z.object({
      project_id: ProjectId,
      name: z.string().describe('What the key is for; 1 to 128 characters'),
      role: Role,
      user_id: orNull(z.string().max(128)).describe(
        'Author of all records written with the key. Null: the name of the key where the key of the request may do everything in all projects, else the user of that key. Another user than its own can be named only by such a key (403)',
      ),
      scopes: orNull(listOf(Scope, 3, tooManyEntries)).describe(
        'The only effects of its role that the key gets. Null or empty: all of them',
      ),
      expires_in_days: orNull(lenientIntBetween(1, 36_500)).describe(
        'Days from now, 1 to 36,500, at most until the key of the request expires. Null: it expires with that, if ever',
      ),
      recording: orNull(NewKeyRecording).describe(
        'Records the chats of the key with trained models as trajectories, for programs that cannot set headers. Null: only requests whose headers ask for it',
      ),
    }),
    output: z.object({ secret: z.string().describe('The key itself'), key: ProjectKey }),
  },
  revoke: {
    method: 'POST',
    path: '/project/keys/revoke',
    effect: 'destroy',
    audit: 'always',
    summary: 'Revoke an API key of a project',
    description: `${adminOnly}. At once, on all servers, with the sessions of the key. What was made with it is listed in the answer, and ends with it if \`ends_made\` is true. The key of the request cannot be revoked with itself (400).`,
    body: z.object({
      project_id: ProjectId,
      key_id: z.string().max(128).describe('Id of the key, as it is listed'),
      ends_made: orDefault(LenientBoolean, false).describe(
        'Whether the public links, monitors and webhooks that were made with the key end with it. False: they work on, and `projectKeys.queryMade` lists them',
      ),
    }),
    output: RevokedKey,
  },
  queryMade: {
    method: 'POST',
    path: '/project/keys/made/query',
    effect: 'destroy',
    audit: false,
    summary: 'List what works on in a project without a key that is known to work',
    description: `${adminOnly}. Public links, monitors and webhooks whose key is revoked, has expired or was removed, and those that were made before the server noted keys, whose \`key_id\` is empty: look through them, and delete those that are not needed. \`projectKeys.revoke\` with \`ends_made\` ends those of a key, also of one that is revoked already.`,
    body: z.object({ project_id: ProjectId }),
    output: z.object({ made: z.array(KeyMade).describe('At most 1,000 of a kind, of each the newest first') }),
  },
})
