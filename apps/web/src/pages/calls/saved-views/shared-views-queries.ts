import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import { newId } from '../../../lib/new-id.ts'
import { builtInViews, type SavedView } from './saved-view.ts'
import { type SharedView, toSharedView, toViewObjectId, toViewValue, viewClass } from './shared-view.ts'
import { newestObjects } from '../../../lib/server/newest-objects.ts'

export const maxViews = 100

/** The views of a project by name, and the number of views of other programs. */
export const sharedViewsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['saved-views', project_id],
    queryFn: async ({ signal }) => {
      const wanted = { project_id, objectClass: viewClass, most: maxViews }
      const { objects, hasMore } = await newestObjects(client, wanted, signal)
      const views = objects.flatMap((object) => toSharedView(object) ?? [])
      return {
        views: views.toSorted((one, other) => one.name.localeCompare(other.name)),
        others: objects.length - views.length,
        hasMore,
      }
    },
  })

/** Stores a view, or its next version. */
export async function storeView(project_id: string, object_id: string, view: SavedView): Promise<void> {
  const obj = { project_id, object_id, val: toViewValue(view), builtin_object_class: viewClass }
  await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
}

/**
 * Saves a view for all members of a project. False if there is one with that name and `mayReplace` declines.
 * @throws RangeError with the reason why no view with that name is saved
 */
export async function shareView(
  queries: QueryClient,
  { project_id, view, mayReplace }: { project_id: string; view: SavedView; mayReplace: (before: SharedView) => Promise<boolean> },
): Promise<boolean> {
  if (builtInViews.some(({ name }) => name === view.name))
    throw new RangeError(`Every project has a view "${view.name}": choose another name.`)
  const { views, others } = await queries.fetchQuery({ ...sharedViewsQuery(project_id), staleTime: 0 })
  const before = views.find(({ name }) => name === view.name)
  if (before !== undefined && !(await mayReplace(before))) return false
  if (before === undefined && views.length + others >= maxViews) {
    throw new RangeError(`A project has at most ${maxViews} saved views: remove one before you save another.`)
  }
  await storeView(project_id, before?.objectId ?? toViewObjectId(view.name, newId().slice(0, 8)), view)
  return true
}
