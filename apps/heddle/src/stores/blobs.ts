import { join } from 'node:path'
import { type Blobs, fileBlobs, s3Blobs, type StoreError } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'

/** Uploads to a bucket are staged in the data folder until they are complete. */
export function openBlobs(
  { blobsUrl, dataDir }: Pick<Configuration, 'blobsUrl' | 'dataDir'>,
  onDamage: (error: StoreError) => void = () => undefined,
): Blobs {
  const folder = join(dataDir, 'blobs')
  return blobsUrl === undefined ? fileBlobs(folder, { onDamage }) : s3Blobs({ ...blobsUrl, stagingDir: join(folder, 'incoming'), onDamage })
}
