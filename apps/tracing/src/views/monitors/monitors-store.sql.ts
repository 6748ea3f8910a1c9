import type { Database, Tables } from '@heddle/datastore'
import { type Selectable, sql, type SqlBool } from 'kysely'
import { isLatest } from '../../records/objects/versions/object-rows-store.sql.ts'
import type { MonitorKey, MonitorState, MonitorsStore } from './monitors-store.ts'

type StateRow = Selectable<Tables['monitors']>

const errorCharacters = 2_000
const stateColumns = ['activated_at', 'watermark', 'swept_at', 'sampled', 'skipped', 'error', 'stopped_digest'] as const

/** Written as in the index, so that both databases use it. */
const isMonitor = sql<SqlBool>`version.leaf_object_class IN ('Monitor', 'ClassifierMonitor')`

export function sqlMonitorsStore(database: Database): MonitorsStore {
  const rowOf = ({ project_id, object_id }: MonitorKey) =>
    database.updateTable('monitors').where('project_id', '=', project_id).where('object_id', '=', object_id)

  const latestMonitors = () =>
    database
      .selectFrom('object_versions as version')
      .innerJoin('object_latest as latest', (join) => join.on(isLatest))
      .where(isMonitor)
      .where('version.deleted_at', 'is', null)

  const latestWithStates = () =>
    latestMonitors()
      .leftJoin('monitors', (join) =>
        join.onRef('monitors.project_id', '=', 'version.project_id').onRef('monitors.object_id', '=', 'version.object_id'),
      )
      .select(['version.project_id', 'version.object_id', 'version.digest', 'version.wb_user_id', 'version.created_at'])
      .select(stateColumns)

  return {
    async listLatest(after, limit) {
      let query = latestWithStates()
      if (after !== undefined)
        query = query.where((where) =>
          where.or([
            where('version.project_id', '>', after.project_id),
            where.and([where('version.project_id', '=', after.project_id), where('version.object_id', '>', after.object_id)]),
          ]),
        )
      const rows = await query.orderBy('version.project_id').orderBy('version.object_id').limit(limit).execute()
      return rows.map(({ activated_at, watermark, swept_at, sampled, skipped, error, stopped_digest, ...version }) => {
        const isStored = swept_at !== null && sampled !== null && skipped !== null
        return {
          ...version,
          state: isStored ? toState({ activated_at, watermark, swept_at, sampled, skipped, error, stopped_digest }) : undefined,
        }
      })
    },

    async findStates(projectId, names) {
      if (names.length === 0) return new Map()
      const rows = await database
        .selectFrom('monitors')
        .select(['object_id', ...stateColumns])
        .where('project_id', '=', projectId)
        .where('object_id', 'in', names)
        .execute()
      return new Map(rows.map((row) => [row.object_id, toState(row)]))
    },

    async claim({ project_id, object_id, state }, at) {
      if (state !== undefined) {
        const { numUpdatedRows } = await rowOf({ project_id, object_id })
          .set({ swept_at: at })
          .where('swept_at', '=', state.swept_at)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('monitors')
        .values({ project_id, object_id, swept_at: at, sampled: 0, skipped: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async activate(monitor, { activated_at, watermark }) {
      await rowOf(monitor)
        .set({ activated_at, watermark: String(watermark), error: null })
        .where('watermark', 'is', null)
        .execute()
    },

    async deactivate(monitor) {
      await rowOf(monitor).set({ activated_at: null, watermark: null, error: null }).execute()
    },

    async advance(monitor, { from, to, sampled, skipped }) {
      const { numUpdatedRows } = await rowOf(monitor)
        .set((set) => ({
          watermark: String(to),
          sampled: set('sampled', '+', sampled),
          skipped: set('skipped', '+', skipped),
          error: null,
        }))
        .where('watermark', '=', String(from))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async forgetStopped(monitor) {
      await rowOf(monitor).set({ stopped_digest: null }).execute()
    },

    async setError(monitor, error) {
      await rowOf(monitor)
        .set({ error: error.slice(0, errorCharacters).replaceAll('\0', '') })
        .execute()
    },

    async removeDeleted() {
      await database
        .deleteFrom('monitors')
        .where((where) =>
          where.not(
            where.exists(
              latestMonitors()
                .select('version.digest')
                .where('version.project_id', '=', sql.ref<string>('monitors.project_id'))
                .where('version.object_id', '=', sql.ref<string>('monitors.object_id')),
            ),
          ),
        )
        .execute()
    },
  }
}

function toState({ watermark, ...state }: Pick<StateRow, (typeof stateColumns)[number]>): MonitorState {
  const { activated_at, swept_at, sampled, skipped, error, stopped_digest } = state
  return { activated_at, swept_at, sampled, skipped, error, stopped_digest, watermark: watermark === null ? null : BigInt(watermark) }
}
