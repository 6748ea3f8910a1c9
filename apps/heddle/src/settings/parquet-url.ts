import { fileURLToPath } from 'node:url'
import { UsageError } from '../terminal/usage-error.ts'
import { type BlobsBucket, parseBlobsUrl } from './blobs-url.ts'
import { folderKind, type SettingText } from './value-kinds.ts'

/** Where Parquet files go: a folder of this machine, or a bucket. */
export type ParquetPlace = { folder: string } | { bucket: BlobsBucket }

/** Reads a path, a `file:` URL, or the address of a bucket as that of file contents. @throws UsageError that says what is missing or wrong */
export function parseParquetUrl(given: SettingText): ParquetPlace {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(given.text) ?? []
  if (scheme === undefined) return { folder: folderKind.parse(given) }
  if (scheme === 's3') return { bucket: parseBlobsUrl(given) }
  if (scheme === 'file') return { folder: folderOf(given) }
  throw new UsageError(`${given.source} begins with "${scheme}:"; expected the path of a folder, or s3://bucket/prefix`)
}

function folderOf({ source, text }: SettingText): string {
  try {
    return fileURLToPath(text)
  } catch {
    throw new UsageError(`${source} is not the URL of a folder of this machine; expected its path, or file:///path`)
  }
}
