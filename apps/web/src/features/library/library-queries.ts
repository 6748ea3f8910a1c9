import { formatRef, type tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { toText } from '../../lib/texts/to-text.ts'
import type { LibraryKind } from './library-kinds.ts'

type Client = ClientOf<typeof tracing>

interface ProjectName {
  entity: string
  project: string
}

export type ListedObject = Awaited<ReturnType<Client['objects']['query']>>['objs'][number]

/** A version of an object, without its value. */
export interface ObjectVersion {
  digest: string
  version_index: number
  created_at: string
  is_latest: number
  leaf_object_class: string | null
  size_bytes: number | null
  wb_user_id: string | null
  tags: string[] | null
  aliases: string[] | null
}

const objectsOfPage = 100
const versionsOfPage = 100
const movesOfPage = 50
const maxCountedCalls = 10_000
const newestFirst = [{ field: 'created_at', direction: 'desc' as const }]

/** The latest version of each object of a kind, newest first, a hundred at a time, without values. */
export const objectsQuery = (client: Client, { entity, project }: ProjectName, { path, filter }: LibraryKind) =>
  infiniteQueryOptions({
    queryKey: ['objects', entity, project, path],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam: offset }) => {
      const { objs } = await client.objects.query(
        {
          project_id: `${entity}/${project}`,
          filter: { ...filter, latest_only: true },
          sort_by: newestFirst,
          limit: objectsOfPage,
          offset,
          metadata_only: true,
          include_tags_and_aliases: true,
        },
        { signal },
      )
      return objs
    },
    getNextPageParam: (last, pages) => (last.length < objectsOfPage ? undefined : pages.length * objectsOfPage),
  })

/** The versions of an object, newest first, a hundred at a time, without values. */
export const versionsQuery = (client: Client, { entity, project }: ProjectName, { name, isOp }: { name: string; isOp: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['object-versions', entity, project, name, isOp],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam: offset }) => {
      const { objs } = await client.objects.query(
        {
          project_id: `${entity}/${project}`,
          filter: { object_ids: [name], is_op: isOp },
          sort_by: newestFirst,
          limit: versionsOfPage,
          offset,
          metadata_only: true,
          include_tags_and_aliases: true,
          include_storage_size: true,
        },
        { signal },
      )
      return objs
    },
    getNextPageParam: (last, pages) => (last.length < versionsOfPage ? undefined : pages.length * versionsOfPage),
  })

/** Where the aliases of an object were pointed, the newest first, fifty at a time. */
export const aliasMovesQuery = (client: Client, { entity, project }: ProjectName, name: string) =>
  infiniteQueryOptions({
    queryKey: ['alias-moves', entity, project, name],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      client.objects.aliasHistory({ project_id: `${entity}/${project}`, object_id: name, limit: movesOfPage, offset }, { signal }),
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length * movesOfPage : undefined),
  })

/** The text of a version: the source code of an op, the value of any other object. Versions never change. */
export const versionTextQuery = (
  client: Client,
  { entity, project }: ProjectName,
  { name, digest, isOp }: { name: string; digest: string; isOp: boolean },
) =>
  queryOptions({
    queryKey: ['version-text', entity, project, name, digest],
    queryFn: async ({ signal }): Promise<string> => {
      if (isOp) return (await client.ops.read({ entity, project, object_id: name, digest }, { signal })).code
      const { obj } = await client.objects.read({ project_id: `${entity}/${project}`, object_id: name, digest }, { signal })
      return toText(obj.val)
    },
    staleTime: Infinity,
  })

export interface CountedCalls {
  count: number
  /** There are more than were counted. */
  hasMore: boolean
}

/** How many calls ran this version of an op, or took this version of an object as input. */
export const callsOfVersionQuery = (
  client: Client,
  { entity, project }: ProjectName,
  version: { name: string; digest: string; isOp: boolean },
) =>
  queryOptions({
    queryKey: ['calls-of-version', entity, project, version.name, version.digest],
    queryFn: async ({ signal }): Promise<CountedCalls> => {
      const ref = refOf({ entity, project }, version)
      const filter = version.isOp ? { op_names: [ref] } : { input_refs: [ref] }
      const { count, has_more } = await client.calls.queryStats(
        { project_id: `${entity}/${project}`, filter, limit: maxCountedCalls },
        { signal },
      )
      return { count, hasMore: has_more }
    },
  })

/** The reference to a version. */
export const refOf = ({ entity, project }: ProjectName, { name, digest, isOp }: { name: string; digest: string; isOp: boolean }): string =>
  formatRef({ kind: isOp ? 'op' : 'object', entity, project, name, digest, edges: [] })
