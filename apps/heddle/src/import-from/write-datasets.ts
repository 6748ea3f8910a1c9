import type { TracingClient } from '../connect.ts'
import type { JsonObject } from './foreign-item.ts'
import type { ImportTarget } from './import-target.ts'
import { importedName } from './imported-name.ts'

/** Most rows of one dataset. */
const maxRows = 250_000

/** A published version of a dataset. */
export interface PublishedDataset {
  /** Name in the export. */
  dataset: string
  object_id: string
  digest: string
}

/** Collects the rows of datasets in memory, at most 250,000 of each, then publishes one version of each dataset. */
export function createDatasetsWriter({ client, project, counts }: ImportTarget) {
  const datasets = new Map<string, JsonObject[]>()
  const [entity = '', name = ''] = project.split('/')
  return {
    add(dataset: string, row: JsonObject): void {
      const rows = datasets.get(dataset) ?? []
      datasets.set(dataset, rows)
      if (rows.length < maxRows) rows.push(row)
      else counts.skip('rows', `the dataset ${dataset} has more than ${maxRows.toLocaleString('en')}`)
    },
    async publish(): Promise<PublishedDataset[]> {
      const published: PublishedDataset[] = []
      for (const [dataset, rows] of datasets) {
        const { object_id, digest } = await client.datasets.create({
          entity,
          project: name,
          name: importedName('dataset', dataset),
          rows,
        } as Parameters<TracingClient['datasets']['create']>[0])
        counts.count('datasets')
        counts.count('rows of datasets', rows.length)
        published.push({ dataset, object_id, digest })
      }
      return published
    },
  }
}
