import { formatRef } from '@heddle/core-api'
import { exactClient as client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { type DatasetVersion, toDatasetVersion } from './dataset-versions.ts'

type CreatedObject = Parameters<typeof client.objects.create>[0]
type CreatedDataset = Parameters<typeof client.datasets.create>[0]
type CreatedTable = Parameters<typeof client.tables.create>[0]
type ChangedTable = Parameters<typeof client.tables.update>[0]

export type Rows = readonly Record<string, unknown>[]

export interface AppendResult {
  objectId: string
  /** Whether the dataset was made for them. */
  isNew: boolean
}

/**
 * Adds rows to the latest version of a dataset, as its next version; a dataset that is not there is made.
 * @throws Error when the project has an object of this name that is not a dataset
 */
export async function appendRows(project: ProjectName, name: string, rows: Rows): Promise<AppendResult> {
  const found = await findDataset(project.id, name)
  if (!found) return { objectId: await createDataset(project, name, rows), isNew: true }
  await saveTable(project, found, await addToTable(project.id, found.tableDigest, rows))
  return { objectId: found.objectId, isNew: false }
}

/**
 * Adds rows that come in parts, of which there is at least one, as `appendRows` does. The dataset gets one version after the last part: where a
 * part fails it has none of them. One that is made has a first version without rows.
 * @throws Error when the project has an object of this name that is not a dataset
 */
export async function appendParts(project: ProjectName, name: string, parts: AsyncIterable<Rows>): Promise<AppendResult> {
  const found = await findDataset(project.id, name)
  let table = found?.tableDigest
  for await (const rows of parts) table = await addToTable(project.id, table, rows)
  if (table === undefined) throw new RangeError('There are no rows to add.')
  const target = found ?? (await findDataset(project.id, await createDataset(project, name, [])))
  if (!target) throw new Error(`${name} was made and is not there any more: another program deletes it`)
  await saveTable(project, target, table)
  return { objectId: target.objectId, isNew: !found }
}

type KnownDataset = DatasetVersion & { tableDigest: string }

async function findDataset(project_id: string, name: string): Promise<KnownDataset | undefined> {
  const filter = { object_ids: [name, objectIdOf(name)], is_op: false, latest_only: true }
  const { objs } = await client.objects.query({ project_id, filter, limit: 2 })
  const found = objs.find(({ object_id }) => object_id === name) ?? objs[0]
  if (!found) return undefined
  const { tableDigest, ...version } = toDatasetVersion(found)
  if (tableDigest === undefined) throw new Error(`${name} is not a dataset with rows in this project: choose another name`)
  return { ...version, tableDigest }
}

/** The id under which the server stores a dataset of this name. Without it, adding by name would create the dataset again. */
const objectIdOf = (name: string): string =>
  name
    .replaceAll(/[ /]/g, '_')
    .replaceAll(/[^\p{L}\p{N}_.-]/gu, '')
    .toLowerCase()

const createDataset = async ({ entity, project }: ProjectName, name: string, rows: Rows): Promise<string> =>
  (await client.datasets.create({ entity, project, name, rows } as CreatedDataset)).object_id

/** The digest of a table of these rows, after those of another table where one is named. */
async function addToTable(project_id: string, base: string | undefined, rows: Rows): Promise<string> {
  if (base === undefined) return (await client.tables.create({ table: { project_id, rows } } as CreatedTable)).digest
  const updates = rows.map((row) => ({ append: { row } }))
  return (await client.tables.update({ project_id, base_digest: base, updates } as ChangedTable)).digest
}

async function saveTable({ entity, project, id }: ProjectName, { objectId, value }: KnownDataset, digest: string): Promise<void> {
  const rows = formatRef({ kind: 'table', entity, project, digest, rowDigest: null })
  await client.objects.create({ obj: { project_id: id, object_id: objectId, val: { ...value, rows } } } as unknown as CreatedObject)
}
