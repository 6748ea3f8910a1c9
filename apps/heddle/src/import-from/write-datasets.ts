import type { TracingClient } from '../connect.ts'
import type { ForeignPrompt, JsonObject } from './foreign-item.ts'
import type { ImportCounts } from './import-report.ts'
import { importedName } from './imported-name.ts'

/** Of one version of a dataset. */
const maxRows = 250_000

interface Target {
  client: TracingClient
  project: string
  counts: ImportCounts
}

/** A version of a dataset that was published. */
export interface PublishedDataset {
  /** As the export names it. */
  dataset: string
  object_id: string
  digest: string
}

/** Collects the rows of datasets, at most 250,000 of each, and publishes each dataset as one version. */
export function createDatasetsWriter({ client, project, counts }: Target) {
  const datasets = new Map<string, JsonObject[]>()
  const [entity = '', name = ''] = project.split('/')
  return {
    add(dataset: string, row: JsonObject): void {
      const rows = datasets.get(dataset) ?? []
      datasets.set(dataset, rows)
      if (rows.length < maxRows) rows.push(row)
      else counts.leave('rows', `the dataset ${dataset} has more than ${maxRows.toLocaleString('en')}`)
    },
    async end(): Promise<PublishedDataset[]> {
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

/** Collects versions of prompts and publishes them in their order, with their aliases. */
export function createPromptsWriter({ client, project, counts }: Target) {
  const prompts: ForeignPrompt[] = []
  return {
    add: (prompt: ForeignPrompt) => void prompts.push(prompt),
    async end(): Promise<void> {
      for (const prompt of prompts.toSorted((a, b) => a.version - b.version)) {
        const object_id = importedName('prompt', prompt.name)
        const obj = { project_id: project, object_id, val: toValue(prompt) }
        const { digest } = await client.objects.create({ obj } as Parameters<TracingClient['objects']['create']>[0])
        const aliases = prompt.aliases.filter((alias) => !/^(latest|v\d+)$/.test(alias))
        if (aliases.length > 0) await client.objects.setAliases({ project_id: project, object_id, digest, aliases })
        counts.count('versions of prompts')
      }
    },
  }
}

function toValue({ template, details, version }: ForeignPrompt): JsonObject {
  const isText = typeof template === 'string'
  const name = isText ? 'StringPrompt' : 'MessagesPrompt'
  const content = isText ? { content: template } : { messages: template }
  return { _type: name, _class_name: name, _bases: ['Prompt', 'Object', 'BaseModel'], ...content, ...details, imported_version: version }
}
