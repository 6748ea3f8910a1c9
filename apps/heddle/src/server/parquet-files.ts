import { join } from 'node:path'
import { bucketFiles, folderFiles, type ObjectFiles } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'

/** Where Parquet files go, and how often; undefined if they are not written. Uploads to a bucket are staged in the data folder until they are complete. */
export function parquetExportOf({ parquetUrl, parquetEverySeconds, dataDir }: Configuration) {
  if (parquetUrl === undefined) return undefined
  const files: ObjectFiles =
    'folder' in parquetUrl ? folderFiles(parquetUrl.folder) : bucketFiles({ ...parquetUrl.bucket, stagingDir: join(dataDir, 'parquet') })
  return { files, everyMs: parquetEverySeconds * 1_000 }
}
