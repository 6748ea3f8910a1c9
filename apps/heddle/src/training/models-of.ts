import type { TrainingClient } from '../connect.ts'
import { splitProject } from './find-model.ts'

/** Models of a project that are looked through. */
const maxModels = 1_000
const pageSize = 100

export async function* modelsOf(client: TrainingClient, project: string): AsyncGenerator<{ id: string; name: string }> {
  let after: string | null = null
  for (let read = 0; read < maxModels; read += pageSize) {
    const page: Awaited<ReturnType<TrainingClient['models']['list']>> = await client.models.list({
      ...splitProject(project),
      after,
      limit: pageSize,
    })
    for (const { id, name } of page.data) yield { id, name }
    if (!page.has_more) return
    after = page.last_id
  }
}
