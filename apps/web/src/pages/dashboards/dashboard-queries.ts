import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { client, exactClient } from '../../lib/server/client.ts'
import { toObjectId } from '../../lib/object-id.ts'
import { newId } from '../../lib/new-id.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { type Dashboard, dashboardClass, maxNameLength, type StoredDashboard, toDashboard, toDashboardValue } from './stored-dashboard.ts'
import { newestObjects } from '../../lib/server/newest-objects.ts'

export const maxDashboards = 100

/** The dashboards of a project, the last changed first. */
export const dashboardsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['dashboards', project_id],
    queryFn: async ({ signal }) => {
      const wanted = { project_id, objectClass: dashboardClass, most: maxDashboards }
      const { objects, hasMore } = await newestObjects(client, wanted, signal)
      return { dashboards: objects.flatMap((object) => toDashboard(object) ?? []), hasMore }
    },
  })

/** The latest version of a dashboard. Null if there is none with that name. */
export const dashboardQuery = (project_id: string, objectId: string) =>
  queryOptions({
    queryKey: ['dashboard', project_id, objectId],
    queryFn: async ({ signal }): Promise<StoredDashboard | null> => {
      const filter = { latest_only: true, is_op: false, object_ids: [objectId] }
      const { objs } = await client.objects.query({ project_id, filter, limit: 1 }, { signal })
      return objs.flatMap((object) => toDashboard(object) ?? [])[0] ?? null
    },
  })

/** Stores a new dashboard. Resolves to the name of its object. */
export async function createDashboard(queries: QueryClient, project_id: string, dashboard: Dashboard): Promise<string> {
  const object_id = toObjectId('dashboard', dashboard.name.slice(0, maxNameLength), newId().slice(0, 8))
  await publish({ project_id, object_id, val: toDashboardValue(dashboard, null) })
  await readAgain(queries, dashboardsQuery(project_id).queryKey)
  return object_id
}

interface Save {
  project_id: string
  /** The version that was changed. */
  base: StoredDashboard
  dashboard: Dashboard
  /** Whether a version that another user has saved since may be followed. */
  mayFollow: boolean
}

/** `newer`: another user has saved since, and nothing was stored. `beside`: the version that another user saved concurrently. */
export type SaveOutcome = { status: 'saved'; digest: string; beside: StoredDashboard | undefined } | { status: 'newer' }

/**
 * Stores a version of a dashboard. Versions are never overwritten: one that another user saves at the same moment is kept, and reported.
 * @throws RangeError for a dashboard that could not be read back
 */
export async function saveDashboard(queries: QueryClient, { project_id, base, dashboard, mayFollow }: Save): Promise<SaveOutcome> {
  const query = dashboardQuery(project_id, base.objectId)
  const latest = await queries.fetchQuery({ ...query, staleTime: 0 })
  if (latest !== null && latest.digest !== base.digest && !mayFollow) return { status: 'newer' }
  const follows = latest?.digest ?? base.digest
  const digest = await publish({ project_id, object_id: base.objectId, val: toDashboardValue(dashboard, follows) })
  const filter = { is_op: false, object_ids: [base.objectId] }
  const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
  const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: 2 })
  await readAgain(queries, query.queryKey)
  void readAgain(queries, dashboardsQuery(project_id).queryKey)
  const beside = objs.find((version) => version.digest !== digest && version.digest !== follows)
  return { status: 'saved', digest, beside: beside && toDashboard(beside) }
}

/** Removes a dashboard for all members of the project. Resolves to what stores its latest version again; those before it are gone. */
export async function deleteDashboard(queries: QueryClient, project_id: string, object_id: string): Promise<() => Promise<void>> {
  const filter = { latest_only: true, is_op: false, object_ids: [object_id] }
  const [latest] = (await exactClient.objects.query({ project_id, filter, limit: 1 })).objs
  await client.objects.delete({ project_id, object_id })
  const forget = () =>
    Promise.all([
      readAgain(queries, dashboardsQuery(project_id).queryKey),
      readAgain(queries, dashboardQuery(project_id, object_id).queryKey),
    ])
  await forget()
  return async () => {
    if (latest === undefined) return
    await exactClient.objects.create({ obj: { project_id, object_id, val: latest.val } } as unknown as Parameters<
      typeof client.objects.create
    >[0])
    await forget()
  }
}

async function publish(obj: { project_id: string; object_id: string; val: ReturnType<typeof toDashboardValue> }): Promise<string> {
  const { digest } = await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
  return digest
}
