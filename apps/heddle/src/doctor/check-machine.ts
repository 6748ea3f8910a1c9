import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdtemp, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeOf, examineCluster } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { startEmbeddedEngine } from '../stores/embedded-engine.ts'
import { openBlobs } from '../stores/blobs.ts'
import { failure, type Finding, ok, warning } from './finding.ts'
import { judgeDisk, judgeFolder, judgeNode } from './rules.ts'
import { messageOf } from '../terminal/message-of.ts'

export function checkNode(): Finding {
  return judgeNode(process.version)
}

/** Looks at the data folder, or at the nearest folder above it that is there. */
export async function checkFolder(path: string): Promise<Finding> {
  const found = await nearestFolder(path)
  const refusal = await access(found, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? '',
  )
  const isWritable = refusal === undefined
  if (!isWritable) return judgeFolder({ path: found, mode: 0, isWritable, isReadOnly: refusal === 'EROFS' })
  if (found !== path) return warning('Data folder', `${path} does not exist yet`, '`heddle serve` creates it')
  return judgeFolder({ path, mode: (await stat(path)).mode, isWritable })
}

export async function checkDisk(path: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(await nearestFolder(path))
  return judgeDisk({ freeBytes: bavail * bsize, totalBytes: blocks * bsize })
}

/** Starts the engine in a separate folder, or queries the configured ClickHouse. */
export async function checkEngine({ clickhouseUrl }: Pick<Configuration, 'clickhouseUrl'>): Promise<Finding> {
  try {
    const version = clickhouseUrl === undefined ? await tryEngine() : await (await examineCluster(clickhouseUrl)).version
    return ok('Engine', clickhouseUrl === undefined ? `starts, version ${version}` : `responds, version ${version}`)
  } catch (error) {
    const detail = messageOf(error)
    return failure('Engine', detail, clickhouseUrl === undefined ? remedyOf(error) : 'check HEDDLE_CLICKHOUSE_URL')
  }
}

/** The trial has its own temporary folder, which a read-only container may lack. */
function remedyOf(error: unknown): string {
  return ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'ENOENT', 'ENOTDIR'].includes(codeOf(error))
    ? `the trial needs a folder to write to: mount one at ${tmpdir()}, or name one by TMPDIR`
    : 'reinstall: the engine comes with the package for 64-bit Linux and macOS'
}

/** Keeps a small content in the configured bucket, reads it and removes it; nothing to look at for files of the data folder. */
export async function checkBlobs(configuration: Pick<Configuration, 'blobsUrl' | 'dataDir'>): Promise<Finding[]> {
  if (configuration.blobsUrl === undefined) return []
  const stagingDir = await mkdtemp(join(tmpdir(), 'heddle-doctor-'))
  try {
    const blobs = openBlobs({ ...configuration, dataDir: stagingDir })
    const { digest } = await blobs.put(Buffer.from(`heddle doctor ${randomUUID()}`))
    const isThere = (await blobs.stat(digest)) !== undefined
    await blobs.delete(digest)
    const { url } = configuration.blobsUrl
    return [
      isThere
        ? ok('Blobs', `${url} can be written and read`)
        : failure('Blobs', `an object written to ${url} was not found`, 'check HEDDLE_BLOBS_URL'),
    ]
  } catch (error) {
    const detail = messageOf(error)
    return [
      failure('Blobs', detail, 'check HEDDLE_BLOBS_URL and the AWS_ variables: the key needs permission to put, get, list and delete'),
    ]
  } finally {
    await rm(stagingDir, { recursive: true, force: true })
  }
}

async function tryEngine(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-doctor-'))
  try {
    const engine = await startEmbeddedEngine({ dataDir, memoryLimitBytes: 1e9 })
    await engine.stop()
    return engine.version
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function nearestFolder(path: string): Promise<string> {
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isThere || dirname(path) === path ? path : nearestFolder(dirname(path))
}
