import { formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import type { KeyMade, ProjectKey } from '@heddle/core-api/types'
import { notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { type KeyInfo, type ProjectKeys, roleIn } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { MadeByKeysStore, StoredKeyMade } from './made-by-keys-store.ts'

const dayMicros = 86_400_000_000

export interface ProjectKeysDeps {
  identity: ProjectKeys
  made: MadeByKeysStore
  clock: () => Micros
}

/** API keys of a project, for its administrators. */
export function projectKeysHandlers({ identity, made, clock }: ProjectKeysDeps): Handlers<(typeof tracing)['projectKeys'], TracingContext> {
  return {
    async query({ project_id, after, limit }, context) {
      const project = await context.open(project_id)
      const keys = await identity.listProjectKeys(context.caller, project.id)
      const first = after === null ? 0 : keys.findIndex(({ id }) => id === after) + 1
      if (after !== null && first === 0) throw notFound(`after: key ${JSON.stringify(after)} was not found in ${project.id}`)
      const page = keys.slice(first, first + limit)
      return { keys: page.map((key) => toProjectKey(key, project, context)), has_more: keys.length > first + limit }
    },

    async create({ project_id, name, role, user_id, scopes, expires_in_days, recording }, context) {
      const project = await context.open(project_id)
      const expiresAt = expires_in_days === null ? null : clock() + expires_in_days * dayMicros
      const { secret, key } = await identity.createProjectKey(context.caller, project.id, {
        name,
        role,
        userId: user_id,
        scopes: scopes ?? [],
        expiresAt,
        recording,
      })
      return { secret, key: toProjectKey(key, project, context) }
    },

    async revoke({ project_id, key_id, ends_made }, context) {
      const project = await context.open(project_id)
      const revoked = await identity.revokeProjectKey(context.caller, project.id, key_id)
      const left = await made.listOfKey(revoked.id)
      if (ends_made) await made.end(left)
      return { ...toProjectKey(revoked, project, context), made: left.map((each) => toKeyMade(each, ends_made)) }
    },

    async queryMade({ project_id }, context) {
      const project = await context.open(project_id)
      const left = await made.listWithoutKey(project.id, clock())
      return { made: left.map((each) => toKeyMade(each, false)) }
    },
  }
}

function toKeyMade({ created_at, ...each }: StoredKeyMade, is_ended: boolean): KeyMade {
  return { ...each, created_at: formatTimestamp(created_at), is_ended }
}

function toProjectKey(key: KeyInfo, project: { id: string; entity: string }, { caller }: TracingContext): ProjectKey {
  const { id, name, prefix, user_id, scopes } = key
  const time = (micros: Micros | null) => (micros === null ? null : formatTimestamp(micros))
  return {
    id,
    name,
    prefix,
    user_id,
    role: roleIn(key, project) ?? key.role,
    scopes: [...scopes],
    reach: reachOf(key),
    is_own: id === caller.keyId,
    created_at: formatTimestamp(key.created_at),
    last_used_at: time(key.last_used_at),
    expires_at: time(key.expires_at),
    revoked_at: time(key.revoked_at),
    recording: key.recording,
  }
}

function reachOf({ entity, projects }: KeyInfo): ProjectKey['reach'] {
  if (projects.length > 0) return projects.length === 1 ? 'project' : 'projects'
  return entity === '*' ? 'all' : 'entity'
}
