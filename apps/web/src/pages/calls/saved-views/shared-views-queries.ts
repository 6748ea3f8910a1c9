import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { newId } from '../../../components/new-id.ts'
import { builtInViews, type SavedView } from './saved-view.ts'
import { type SharedView, toSharedView, toViewObjectId, toViewValue, viewClass } from './shared-view.ts'

export const maxViews = 100

/** The views of a project by name, with the number of those that other programs saved. */
export const sharedViewsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['saved-views', project_id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, is_op: false, base_object_classes: [viewClass] }
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: maxViews + 1 }, { signal })
      const shown = objs.slice(0, maxViews)
      const views = shown.flatMap((object) => toSharedView(object) ?? [])
      return {
        views: views.toSorted((one, other) => one.name.localeCompare(other.name)),
        others: shown.length - views.length,
        hasMore: objs.length > maxViews,
      }
    },
  })

/**
 * Saves a view for all members of a project. False where there is one of that name and `mayReplace` declines.
 * @throws RangeError that says why no view of that name is saved
 */
export async function shareView(
  queries: QueryClient,
  { project_id, view, mayReplace }: { project_id: string; view: SavedView; mayReplace: (before: SharedView) => boolean },
): Promise<boolean> {
  if (builtInViews.some(({ name }) => name === view.name))
    throw new RangeError(`Every project has a view "${view.name}": choose another name.`)
  const { views, others } = await queries.fetchQuery({ ...sharedViewsQuery(project_id), staleTime: 0 })
  const before = views.find(({ name }) => name === view.name)
  if (before !== undefined && !mayReplace(before)) return false
  if (before === undefined && views.length + others >= maxViews) {
    throw new RangeError(`A project has at most ${maxViews} saved views: remove one before you save another.`)
  }
  const object_id = before?.objectId ?? toViewObjectId(view.name, newId().slice(0, 8))
  const obj = { project_id, object_id, val: toViewValue(view), builtin_object_class: viewClass }
  await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
  return true
}
