import type { KeyRecording } from '@heddle/core-api/types'
import type { Database, RelationalStore, Tables } from '@heddle/datastore'
import { type Insertable, type Selectable, sql, type SqlBool } from 'kysely'
import type { IdentityStore, ProjectRole, StoredKey, StoredProject, StoredSession } from './identity-store.ts'
import { effects, isRole, type Role } from './roles.ts'

type KeyRow = Selectable<Tables['api_keys']>
type KeyProjectRow = Selectable<Tables['api_key_projects']>

export function sqlIdentityStore(db: RelationalStore): IdentityStore {
  async function keyOf(row: KeyRow | undefined, signal?: AbortSignal): Promise<StoredKey | undefined> {
    if (!row) return undefined
    const projects = await db
      .of({ signal })
      .selectFrom('api_key_projects')
      .selectAll()
      .where('key_id', '=', row.id)
      .orderBy('project_id')
      .execute()
    return toKey(row, projects)
  }

  const findProject = (id: string, signal?: AbortSignal): Promise<StoredProject | undefined> =>
    db.of({ signal }).selectFrom('projects').select(['id', 'internal_id', 'entity', 'name']).where('id', '=', id).executeTakeFirst()

  const findKey = async (id: string) => keyOf(await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst())

  /** Adds a row of a key. Removes rows of the key that have expired, and the oldest beyond `maxRows`. */
  async function putBounded(table: 'sessions' | 'sign_in_links', row: StoredSession, maxRows: number): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await tx.insertInto(table).values(row).execute()
      const ofKey = () => tx.deleteFrom(table).where('key_id', '=', row.key_id)
      await ofKey().where('expires_at', '<=', row.created_at).execute()
      const kept = await tx
        .selectFrom(table)
        .select('hash')
        .where('key_id', '=', row.key_id)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .limit(maxRows)
        .execute()
      const hashes = kept.map(({ hash }) => hash)
      await ofKey().where('hash', 'not in', hashes).execute()
    })
  }

  return {
    findProject,
    findKeyByHash: async (hash, signal) =>
      keyOf(await db.of({ signal }).selectFrom('api_keys').selectAll().where('hash', '=', hash).executeTakeFirst(), signal),
    async hasLiveKey(hash) {
      const key = await db.selectFrom('api_keys').select('revoked_at').where('hash', '=', hash).executeTakeFirst()
      return key?.revoked_at === null
    },

    findKey,

    async listKeys() {
      const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
      const projects = await db.selectFrom('api_key_projects').selectAll().orderBy('project_id').execute()
      return toKeys(rows, projects)
    },

    async listKeysOf(entity, at, signal) {
      const scoped = db.of({ signal })
      const usable = scoped
        .selectFrom('api_keys')
        .where('revoked_at', 'is', null)
        .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', at)]))
        .where('entity', 'in', ['*', entity])
      const rows = await usable.selectAll().execute()
      const projects = await scoped.selectFrom('api_key_projects').selectAll().where('key_id', 'in', usable.select('id')).execute()
      return toKeys(rows, projects)
    },

    async putKey(key) {
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('api_key_projects').where('key_id', '=', key.id).execute()
        await tx.deleteFrom('api_keys').where('id', '=', key.id).execute()
        await tx.insertInto('api_keys').values(toRow(key)).execute()
        const projects = key.projects.map((project) => ({ key_id: key.id, ...project }))
        if (projects.length > 0) await tx.insertInto('api_key_projects').values(projects).execute()
      })
    },

    async revokeKey(id, at) {
      await db.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null).execute()
      return (await db.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    async deleteKey(id) {
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('sessions').where('key_id', '=', id).execute()
        await tx.deleteFrom('sign_in_links').where('key_id', '=', id).execute()
        await tx.deleteFrom('api_key_projects').where('key_id', '=', id).execute()
        await tx.deleteFrom('api_keys').where('id', '=', id).execute()
      })
    },

    async setLastUsed(id, at) {
      await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute()
    },

    putSession: (session, maxSessions) => putBounded('sessions', session, maxSessions),

    async findKeyBySession(hash, at, signal) {
      const row = await db
        .of({ signal })
        .selectFrom('sessions')
        .innerJoin('api_keys', 'api_keys.id', 'sessions.key_id')
        .selectAll('api_keys')
        .where('sessions.hash', '=', hash)
        .where('sessions.expires_at', '>', at)
        .executeTakeFirst()
      return keyOf(row, signal)
    },

    async deleteSession(hash) {
      await db.deleteFrom('sessions').where('hash', '=', hash).execute()
    },

    putSignInLink: (link, maxLinks) => putBounded('sign_in_links', link, maxLinks),

    async takeSignInLink(hash, at) {
      const taken = await db.deleteFrom('sign_in_links').where('hash', '=', hash).returning(['key_id', 'expires_at']).executeTakeFirst()
      return taken && taken.expires_at > at ? findKey(taken.key_id) : undefined
    },

    async listProjects({ entity, ids, contains, after, limit }, signal) {
      // No id has NUL in it, and PostgreSQL refuses to look for one.
      if (ids?.length === 0 || contains.includes('\0')) return []
      const [last = ''] = after.split('\0')
      const pattern = `%${contains.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`
      return db
        .of({ signal })
        .selectFrom('projects')
        .select(['id', 'internal_id', 'entity', 'name', 'created_at'])
        .where('id', '>', last)
        .$if(entity !== null, (query) => query.where('entity', '=', entity ?? ''))
        .$if(ids !== null, (query) => query.where('id', 'in', [...(ids ?? [])]))
        .$if(contains !== '', (query) => query.where(sql<SqlBool>`lower(id) like lower(${pattern}) escape '\\'`))
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async createProject(project, signal) {
      const created = await db
        .of({ signal })
        .transaction()
        .execute((tx) => insertProject(tx, { ...project, internal_id: project.id }))
      const found = created ?? (await findProject(project.id, signal))
      if (!found) throw new Error(`project ${project.id} was neither created nor found`)
      return found
    },
  }
}

/** Undefined when the project exists already. Its internal id is derived from its number, so it is set in a second statement of the transaction. */
async function insertProject(tx: Database, project: Insertable<Tables['projects']>): Promise<StoredProject | undefined> {
  const created = await tx
    .insertInto('projects')
    .values(project)
    // On any unique column: with a single conflict target, two concurrent first writes of a project can deadlock in PostgreSQL.
    .onConflict((conflict) => conflict.doNothing())
    .returning('number')
    .executeTakeFirst()
  if (!created) return undefined
  const { id, entity, name } = project
  const internal_id = internalIdOf(created.number)
  await tx.updateTable('projects').set({ internal_id }).where('id', '=', id).execute()
  return { id, internal_id, entity, name }
}

/** The format that clients expect. Base64 of these letters and digits contains no slash. */
function internalIdOf(number: number): string {
  return Buffer.from(`ProjectInternalId:${number}`).toString('base64')
}

function toKeys(rows: readonly KeyRow[], projects: readonly KeyProjectRow[]): StoredKey[] {
  const ofKeys = new Map<string, KeyProjectRow[]>()
  for (const project of projects) {
    const known = ofKeys.get(project.key_id)
    if (known === undefined) ofKeys.set(project.key_id, [project])
    else known.push(project)
  }
  return rows.map((row) => toKey(row, ofKeys.get(row.id) ?? []))
}

function toKey(row: KeyRow, projects: readonly KeyProjectRow[]): StoredKey {
  return {
    ...row,
    role: toRole(row.role),
    scopes: effects.filter((effect) => row.scopes.split(' ').includes(effect)),
    projects: projects.map(({ project_id, role }): ProjectRole => ({ project_id, role: toRole(role) })),
    recording: row.recording === null ? null : (JSON.parse(row.recording) as KeyRecording),
  }
}

function toRow({ projects: _projects, ...key }: StoredKey): Insertable<Tables['api_keys']> {
  return { ...key, scopes: key.scopes.join(' '), recording: key.recording && JSON.stringify(key.recording) }
}

/** Throws for a role that a newer version wrote and this one does not know. */
function toRole(text: string): Role {
  if (!isRole(text)) throw new Error(`a key in the database has the role ${JSON.stringify(text)}, which this version does not know`)
  return text
}
