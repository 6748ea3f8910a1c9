import { parseRef } from '@heddle/core-api'

/** A version of a dataset, without its rows. */
export interface DatasetVersion {
  objectId: string
  digest: string
  index: number
  createdAt: string
  isLatest: boolean
  name: string
  description: string
  /** Digest of the table of its rows. Undefined where the value names none in this project. */
  tableDigest: string | undefined
  /** The value as it is stored. */
  value: Readonly<Record<string, unknown>>
}

interface ObjectVersion {
  object_id: string
  digest: string
  version_index: number
  created_at: string
  is_latest: number
  val: unknown
}

export function toDatasetVersion(version: ObjectVersion): DatasetVersion {
  const value = typeof version.val === 'object' && version.val !== null ? (version.val as Record<string, unknown>) : {}
  const { name, description, rows } = value
  return {
    objectId: version.object_id,
    digest: version.digest,
    index: version.version_index,
    createdAt: version.created_at,
    isLatest: version.is_latest === 1,
    name: typeof name === 'string' ? name : version.object_id,
    description: typeof description === 'string' ? description : '',
    tableDigest: typeof rows === 'string' ? tableDigestOf(rows) : undefined,
    value,
  }
}

function tableDigestOf(text: string): string | undefined {
  const ref = parseRef(text)
  return ref?.kind === 'table' ? ref.digest : undefined
}
