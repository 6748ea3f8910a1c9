import { isJsonObject } from '@heddle/core-api/internal'
import type { TracingClient } from '../../connect.ts'
import type { PublishedDataset } from '../write-datasets.ts'

/** A row of a dataset, by the id that an export gave it. */
export interface RowRef {
  /** Reference to the row. */
  row: string
  /** Reference to the version of the dataset. */
  dataset: string
  /** Name of the dataset in the export. */
  name: string
}

interface Search {
  client: TracingClient
  project: string
  datasets: readonly PublishedDataset[]
  /** Ids of rows to find. */
  ids: ReadonlySet<string>
}

/** References to the rows with these ids; of rows with the same id in several datasets, the first. Rows that are in none are absent. */
export async function findRowRefs({ client, project, datasets, ids }: Search): Promise<Map<string, RowRef>> {
  const found = new Map<string, RowRef>()
  for (const { dataset: name, object_id, digest } of datasets) {
    const dataset = `weave:///${project}/object/${object_id}:${digest}`
    const { obj } = await client.objects.read({ project_id: project, object_id, digest })
    const table = isJsonObject(obj.val) ? String(obj.val['rows']).split('/').at(-1) : undefined
    if (table === undefined) continue
    for await (const { digest: rowDigest, val } of client.tables.queryStream({ project_id: project, digest: table })) {
      const id = isJsonObject(val) ? val['id'] : undefined
      if (typeof id === 'string' && ids.has(id) && !found.has(id))
        found.set(id, { row: `${dataset}/attr/rows/id/${rowDigest}`, dataset, name })
    }
  }
  return found
}
