import { formatRef } from '@heddle/core-api'
import { client } from '../../app/client.ts'
import type { ProjectName } from '../../app/use-project.ts'
import { toDatasetVersion } from './dataset-versions.ts'

type CreatedObject = Parameters<typeof client.objects.create>[0]

/**
 * Adds rows to the latest version of a dataset, as its next version; a dataset that is not there is made.
 * @throws Error when the project has an object of this name that is not a dataset
 */
export async function appendRows(
  { entity, project, id }: ProjectName,
  name: string,
  rows: readonly Record<string, unknown>[],
): Promise<{ objectId: string; isNew: boolean }> {
  const filter = { object_ids: [name], is_op: false, latest_only: true }
  const [found] = (await client.objects.query({ project_id: id, filter, limit: 1 })).objs
  if (!found) {
    const created = await client.datasets.create({ entity, project, name, rows } as Parameters<typeof client.datasets.create>[0])
    return { objectId: created.object_id, isNew: true }
  }
  const { objectId, tableDigest, value } = toDatasetVersion(found)
  if (tableDigest === undefined) throw new Error(`${name} is not a dataset with rows in this project: choose another name`)
  const updates = rows.map((row) => ({ append: { row } }))
  const { digest } = await client.tables.update({ project_id: id, base_digest: tableDigest, updates } as Parameters<
    typeof client.tables.update
  >[0])
  const table = formatRef({ kind: 'table', entity, project, digest, rowDigest: null })
  await client.objects.create({ obj: { project_id: id, object_id: objectId, val: { ...value, rows: table } } } as unknown as CreatedObject)
  return { objectId, isNew: false }
}
