import type { TracingClient } from './client.ts'

interface ClassQuery {
  project_id: string
  /** Class name, such as `Dataset`. */
  objectClass: string
  most: number
}

/** The latest versions of the objects of a class, the newest first, and whether there are more. */
export async function newestObjects(client: TracingClient, { project_id, objectClass, most }: ClassQuery, signal: AbortSignal) {
  const filter = { latest_only: true, is_op: false, base_object_classes: [objectClass] }
  const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
  const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: most + 1 }, { signal })
  return { objects: objs.slice(0, most), hasMore: objs.length > most }
}
