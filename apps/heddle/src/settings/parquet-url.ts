import { type BlobsBucket, parseBlobsUrl } from './blobs-url.ts'
import { folderKind, type GivenText } from './value-kinds.ts'

/** Where Parquet files go: a folder of this machine, or a bucket. */
export type ParquetPlace = { folder: string } | { bucket: BlobsBucket }

/** Reads a path, or the address of a bucket as that of file contents. @throws UsageError that says what is missing or wrong */
export function parseParquetUrl(given: GivenText): ParquetPlace {
  return given.text.startsWith('s3:') ? { bucket: parseBlobsUrl(given) } : { folder: folderKind.parse(given) }
}
