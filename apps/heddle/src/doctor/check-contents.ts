import { existsSync } from 'node:fs'
import { type Blobs, listSqliteContents, StoreError } from '@heddle/datastore'
import { listPostgresContents } from '@heddle/datastore/postgres'
import type { Configuration } from '../settings/configuration.ts'
import { openBlobs } from '../stores/blobs.ts'
import { sqlitePath } from '../stores/data-folder.ts'
import { formatBytes } from '../terminal/measures.ts'
import { failure, type Finding, ok } from './finding.ts'

const name = 'Contents'
const remedy = 'put it back from a backup, or send the same content again: see docs/damage.md'
/** As many damaged blobs are named. */
const maxNamed = 20

export interface CheckContentsOptions {
  /** Only whether all blobs that records name are there. */
  isQuick: boolean
  onStep: (step: string) => void
}

/** Reads all blobs and compares them with their digests, and looks for those that records name and that are missing. */
export async function* checkContents(
  configuration: Pick<Configuration, 'blobsUrl' | 'dataDir' | 'databaseUrl'>,
  { isQuick, onStep }: CheckContentsOptions,
): AsyncGenerator<Finding> {
  const blobs = openBlobs(configuration)
  const found = new Set<string>()
  const damaged: string[] = []
  let bytes = 0
  for await (const { digest, sizeBytes } of blobs.list()) {
    found.add(digest)
    bytes += sizeBytes
    if (!isQuick && !(await isWhole(blobs, digest))) damaged.push(digest)
    if (found.size % 50 === 0) onStep(`Reading contents: ${found.size}, ${formatBytes(bytes)}`)
  }
  const missing = await findMissing({ blobs, found, named: await namedBlobs(configuration) })
  if (damaged.length + missing.length === 0) {
    yield ok(
      name,
      `${found.size} blobs, ${formatBytes(bytes)}${isQuick ? ', all there that records name (not read)' : ', all as they were stored'}`,
    )
    return
  }
  const faults = [...damaged.map((digest) => `blob ${digest} is damaged`), ...missing.map((digest) => `blob ${digest} is missing`)]
  for (const fault of faults.slice(0, maxNamed)) yield failure(name, fault, remedy)
  if (faults.length > maxNamed) yield failure(name, `${faults.length - maxNamed} more blobs are damaged or missing`, remedy)
}

async function isWhole(blobs: Blobs, digest: string): Promise<boolean> {
  try {
    // A sweep may have removed it meanwhile.
    for await (const _ of (await blobs.get(digest)) ?? []) void _
    return true
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') return false
    throw error
  }
}

/** The digests that the records name. */
async function namedBlobs({ dataDir, databaseUrl }: Pick<Configuration, 'dataDir' | 'databaseUrl'>): Promise<string[]> {
  if (databaseUrl !== undefined) return listPostgresContents(databaseUrl)
  const path = sqlitePath(dataDir)
  return existsSync(path) ? listSqliteContents(path) : []
}

/** Looked up once more: a blob may have been stored after the list was read. */
async function findMissing({
  blobs,
  found,
  named,
}: {
  blobs: Blobs
  found: ReadonlySet<string>
  named: readonly string[]
}): Promise<string[]> {
  const missing: string[] = []
  for (const digest of named) if (!found.has(digest) && !(await blobs.stat(digest))) missing.push(digest)
  return missing
}
