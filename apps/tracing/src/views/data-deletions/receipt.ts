import { createHash } from 'node:crypto'
import { formatTimestamp } from '@heddle/core-api'
import type { DataSelection, DeletionReceipt } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import { canonicalJson } from '@heddle/json'
import type { DataDeletion } from '../../deletions/deletions-store.ts'

type RemainingData = DeletionReceipt['kept']

const alwaysKept: RemainingData = [
  { what: 'backups', why: 'made before the end: they have the data until they are deleted' },
  {
    what: 'exports and copies',
    why: 'Parquet files that were written before, messages to webhooks and downloads are outside the server',
  },
  { what: 'audit log and this receipt', why: 'they record who requested what' },
  { what: 'ids and times of deleted calls and feedback', why: 'so that what arrives late does not bring them back' },
  { what: 'ids in finished jobs', why: 'removed 30 days after their end' },
  { what: 'models, checkpoints and training data', why: 'they are deleted with their model' },
]

const keptOf: Readonly<Record<DataSelection['kind'], RemainingData>> = {
  project: [{ what: 'name, keys, limits and retention of the project', why: 'so that its keys stay as they were' }],
  user: [
    { what: 'names and numbers of deleted versions of objects', why: 'so that no number of a version is used twice' },
    { what: 'the id of the user in records of others', why: 'who queued, reviewed, tagged or priced what stays' },
    { what: 'keys of the user', why: 'they are revoked, not deleted' },
    { what: 'files, tables and rows that other records name', why: 'they belong to these as well' },
  ],
  calls: [
    { what: 'objects', why: 'they have their own names and versions, by which they are deleted' },
    { what: 'files, tables and rows that other records name', why: 'they belong to these as well' },
  ],
}

/** The proof of a deletion of data that has ended. */
export function toReceipt(projectId: string, deletion: DataDeletion, endedAt: Micros): DeletionReceipt {
  const { selection, requested_by, key_id } = deletion.request
  const receipt = {
    deletion_id: deletion.id,
    project_id: projectId,
    selection,
    requested_by,
    key_id,
    requested_at: formatTimestamp(deletion.deleted_at),
    ended_at: formatTimestamp(endedAt),
    removed: deletion.report.removed,
    kept: [...keptOf[selection.kind], ...alwaysKept],
  }
  return { ...receipt, digest: createHash('sha256').update(canonicalJson(receipt)).digest('hex') }
}
