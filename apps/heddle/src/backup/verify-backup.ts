import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { countSqliteRows, fileBlobs, listSqliteContents } from '@heddle/datastore'
import { hashBlobs } from './blob-stats.ts'
import { blobsFolder, filesOfTable, sqliteFile, tablesFolder } from './create-backup.ts'
import { type HashedFile, hashFile, listFiles } from '../archive/hashed-files.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { damaged, manifestFiles } from '../archive/sealed-manifest.ts'
import { statsOfCopy } from './table-stats.ts'
import { messageOf } from '../terminal/message-of.ts'

/**
 * Reads a backup to the last byte.
 * @throws UsageError that names the first thing that is not as it was written: a file that is missing, damaged or too many.
 */
export async function verifyBackup(folder: string, onStep: (step: string) => void): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await assertSameFiles(folder, manifest)
  for (const [index, file] of manifest.files.entries()) {
    onStep(`Checking files: ${index + 1} of ${manifest.files.length}`)
    assertSame(folder, file, await hashFile(folder, file.path))
  }
  await checkStats(folder, manifest)
  await checkContents(folder, manifest, onStep)
  return manifest
}

async function assertSameFiles(folder: string, { files }: Manifest): Promise<void> {
  const known = new Set(files.map(({ path }) => path))
  const found = (await listFiles(folder)).filter((path) => !path.startsWith(`${blobsFolder}/`) && !manifestFiles.includes(path))
  const extra = found.find((path) => !known.has(path))
  if (extra !== undefined) throw damaged(folder, `${extra} is not in the manifest`)
  const there = new Set(found)
  const missing = files.find(({ path }) => !there.has(path))
  if (missing !== undefined) throw damaged(folder, `${missing.path} is missing`)
}

function assertSame(folder: string, expected: HashedFile, found: HashedFile): void {
  if (expected.sha256 === found.sha256 && expected.bytes === found.bytes) return
  throw damaged(
    folder,
    `${expected.path} has ${found.bytes} bytes and hash ${found.sha256}, expected ${expected.bytes} and ${expected.sha256}`,
  )
}

async function checkStats(folder: string, { tables, records, files }: Manifest): Promise<void> {
  for (const [name, stats] of Object.entries(tables)) {
    const found = await statsOfCopy(join(folder, tablesFolder, name), filesOfTable(files, name))
    if (!isDeepStrictEqual(found, stats)) throw damaged(folder, `table ${name} has ${found.rows} rows, expected ${stats.rows}`)
  }
  if (!isDeepStrictEqual(countSqliteRows(join(folder, sqliteFile)), records))
    throw damaged(folder, 'row counts of the relational data differ')
}

async function checkContents(folder: string, { blobs }: Manifest, onStep: (step: string) => void): Promise<void> {
  const { stats, digests } = await hashBlobs(fileBlobs(join(folder, blobsFolder)), (count) =>
    onStep(`Checking blobs: ${count} of ${blobs.count}`),
  ).catch((error: unknown) => {
    throw damaged(folder, messageOf(error))
  })
  if (!isDeepStrictEqual(stats, blobs)) throw damaged(folder, `found ${stats.count} blobs, expected ${blobs.count}`)
  const missing = listSqliteContents(join(folder, sqliteFile)).find((hash) => !digests.has(hash))
  if (missing !== undefined) throw damaged(folder, `blob ${missing}, which the records name, is missing`)
}
