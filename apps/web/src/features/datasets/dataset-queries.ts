import type { tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countText } from '../../lib/texts/count-text.ts'
import { type DatasetVersion, toDatasetVersion } from './dataset-versions.ts'
import type { VersionRow } from './compare-rows.ts'
import { newestObjects } from '../../lib/server/newest-objects.ts'

type Client = ClientOf<typeof tracing>

const maxDatasets = 500
const versionsOfPage = 100
/** Rows that one request reads. */
export const rowsOfPage = 200
/** Rows of each version that a comparison reads. */
export const maxComparedRows = 20_000

export interface ListedDataset extends DatasetVersion {
  /** Undefined where its rows are not in this project. */
  rowCount: number | undefined
}

/** The latest version of each dataset, the newest first. */
export const datasetsQuery = (client: Client, project_id: string) =>
  queryOptions({
    queryKey: ['datasets', project_id],
    queryFn: async ({ signal }) => {
      const { objects, hasMore } = await newestObjects(client, { project_id, objectClass: 'Dataset', most: maxDatasets }, signal)
      const versions = objects.map(toDatasetVersion)
      const counts = await countRows(client, project_id, versions, signal)
      const datasets = versions.map((one): ListedDataset => ({ ...one, rowCount: counts.get(one.tableDigest ?? '') }))
      return { datasets, hasMore }
    },
  })

export const rowsText = (count: number | undefined): string => (count === undefined ? '' : countText(count, 'row'))

/** How many rows each version has, by its table. */
export const versionCountsQuery = (client: Client, project_id: string, versions: readonly DatasetVersion[]) =>
  queryOptions({
    queryKey: ['version-counts', project_id, versions.map(({ tableDigest }) => tableDigest)],
    queryFn: ({ signal }) => countRows(client, project_id, versions, signal),
    staleTime: Infinity,
  })

async function countRows(
  client: Client,
  project_id: string,
  versions: readonly DatasetVersion[],
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const digests = [...new Set(versions.flatMap(({ tableDigest }) => tableDigest ?? []))]
  if (digests.length === 0) return new Map()
  const { tables } = await client.tables.queryStatsBatch({ project_id, digests }, { signal })
  return new Map(tables.map(({ digest, count }) => [digest, count]))
}

/** The versions of a dataset, the newest first, a hundred at a time. */
export const datasetVersionsQuery = (client: Client, project_id: string, objectId: string) =>
  infiniteQueryOptions({
    queryKey: ['dataset-versions', project_id, objectId],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam: offset }) => {
      const filter = { object_ids: [objectId], is_op: false }
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { objs } = await client.objects.query({ project_id, filter, sort_by, limit: versionsOfPage, offset }, { signal })
      return objs.map(toDatasetVersion)
    },
    getNextPageParam: (last, pages) => (last.length < versionsOfPage ? undefined : pages.length * versionsOfPage),
  })

export const rowCountQuery = (client: Client, project_id: string, digest: string) =>
  queryOptions({
    queryKey: ['table-count', project_id, digest],
    queryFn: async ({ signal }) => (await client.tables.queryStats({ project_id, digest }, { signal })).count,
    staleTime: Infinity,
  })

/** Rows of a table, from an offset on. Tables never change. */
export const rowsQuery = (client: Client, project_id: string, digest: string, offset: number) =>
  queryOptions({
    queryKey: ['table-rows', project_id, digest, offset],
    queryFn: async ({ signal }) => (await client.tables.query({ project_id, digest, offset, limit: rowsOfPage }, { signal })).rows,
    staleTime: Infinity,
  })

/** All rows of a table up to the bound of a comparison, and whether there are more. */
export const comparedRowsQuery = (client: Client, project_id: string, digest: string) =>
  queryOptions({
    queryKey: ['compared-rows', project_id, digest],
    queryFn: async ({ signal }): Promise<{ rows: VersionRow[]; hasMore: boolean }> => {
      const { rows } = await client.tables.query({ project_id, digest, limit: maxComparedRows + 1 }, { signal })
      return { rows: rows.slice(0, maxComparedRows), hasMore: rows.length > maxComparedRows }
    },
    staleTime: Infinity,
  })

/** Evaluations that name any version of a dataset, each once. */
export const evaluationsOfDatasetQuery = (client: Client, entity: string, project: string, objectId: string) =>
  queryOptions({
    queryKey: ['evaluations-of-dataset', entity, project, objectId],
    queryFn: async ({ signal }) => {
      const start = `weave:///${entity}/${project}/object/${objectId}:`
      const names = new Map<string, { objectId: string; name: string; dataset: string }>()
      for await (const { object_id, name, dataset } of client.evaluations.list({ entity, project }, { signal }))
        if (dataset.startsWith(start)) names.set(object_id, { objectId: object_id, name, dataset })
      return [...names.values()]
    },
  })
