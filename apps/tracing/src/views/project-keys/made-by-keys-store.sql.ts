import type { Database, Micros, RelationalStore } from '@heddle/datastore'
import { sql, type SqlBool } from 'kysely'
import type { MadeByKeysStore, StoredKeyMade } from './made-by-keys-store.ts'

/** Most items of one kind. A project has at most as many links, and few of the others. */
const maxOfKind = 1_000

/** Whose items are selected. */
type Selection = { keyId: string } | { projectId: string; withoutKeyAt: Micros }

/** True for rows of `made` that are selected. Those without a key are of a time before keys were noted. */
function isSelected(selection: Selection) {
  if ('keyId' in selection) return sql<SqlBool>`made.key_id = ${selection.keyId}`
  return sql<SqlBool>`made.project_id = ${selection.projectId} AND NOT EXISTS (
    SELECT 1 FROM api_keys WHERE api_keys.id = made.key_id AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${selection.withoutKeyAt}))`
}

/** The monitors that no sweep has found inactive, and that did not end with their key. */
const isWorkingMonitor = sql<SqlBool>`made.leaf_object_class IN ('Monitor', 'ClassifierMonitor') AND made.deleted_at IS NULL
  AND (monitors.swept_at IS NULL OR monitors.activated_at IS NOT NULL) AND (monitors.stopped_digest IS NULL OR monitors.stopped_digest <> made.digest)`

export function sqlMadeByKeysStore(database: RelationalStore, clock: () => Micros): MadeByKeysStore {
  async function list(selection: Selection): Promise<StoredKeyMade[]> {
    const links = await database
      .selectFrom('shared_traces as made')
      .select(['made.project_id', 'made.id', 'made.trace_id as name', 'made.key_id', 'made.created_by', 'made.created_at'])
      .where(isSelected(selection))
      .where('made.expires_at', '>', clock())
      .orderBy('made.created_at', 'desc')
      .limit(maxOfKind)
      .execute()
    const webhooks = await database
      .selectFrom('webhooks as made')
      .select(['made.project_id', 'made.id', 'made.name', 'made.key_id', 'made.created_by', 'made.created_at'])
      .where(isSelected(selection))
      .orderBy('made.created_at', 'desc')
      .limit(maxOfKind)
      .execute()
    const monitors = await database
      .selectFrom('object_versions as made')
      .innerJoin('object_latest as latest', (join) =>
        join
          .onRef('latest.project_id', '=', 'made.project_id')
          .onRef('latest.object_id', '=', 'made.object_id')
          .onRef('latest.kind', '=', 'made.kind')
          .onRef('latest.digest', '=', 'made.digest'),
      )
      .leftJoin('monitors', (join) =>
        join.onRef('monitors.project_id', '=', 'made.project_id').onRef('monitors.object_id', '=', 'made.object_id'),
      )
      .select([
        'made.project_id',
        'made.digest as id',
        'made.object_id as name',
        'made.key_id',
        'made.wb_user_id as created_by',
        'made.created_at',
      ])
      .where(isWorkingMonitor)
      .where(isSelected(selection))
      .orderBy('made.created_at', 'desc')
      .limit(maxOfKind)
      .execute()
    return [
      ...links.map((row) => toMade('shared_trace', row)),
      ...monitors.map((row) => toMade('monitor', row)),
      ...webhooks.map((row) => toMade('webhook', row)),
    ]
  }

  return {
    listOfKey: (keyId) => list({ keyId }),
    listWithoutKey: (projectId, now) => list({ projectId, withoutKeyAt: now }),
    async end(made) {
      await database.transaction().execute(async (transaction) => {
        for (const each of made) await endOne(transaction, each, clock())
      })
    },
  }
}

interface MadeRow {
  project_id: string
  id: string
  name: string
  key_id: string | null
  created_by: string | null
  created_at: number
}

function toMade(kind: StoredKeyMade['kind'], { key_id, created_by, ...row }: MadeRow): StoredKeyMade {
  return { kind, ...row, key_id: key_id ?? '', created_by: created_by ?? '' }
}

async function endOne(database: Database, { kind, project_id, id, name }: StoredKeyMade, now: Micros): Promise<void> {
  if (kind === 'shared_trace')
    await database.deleteFrom('shared_traces').where('project_id', '=', project_id).where('id', '=', id).execute()
  else if (kind === 'webhook') await database.deleteFrom('webhooks').where('project_id', '=', project_id).where('id', '=', id).execute()
  else
    await database
      .insertInto('monitors')
      .values({ project_id, object_id: name, swept_at: now, sampled: 0, skipped: 0, stopped_digest: id })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'object_id']).doUpdateSet({ activated_at: null, watermark: null, error: null, stopped_digest: id }),
      )
      .execute()
}
