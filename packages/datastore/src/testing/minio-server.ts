import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@heddle/testing/free-port'
import { s3Requests } from '../blobs/s3-requests.ts'
import type { S3Server } from './s3-server.ts'

const release = 'v0.0.0-20260212201848-7aac2a2c5b7c'
const folder = fileURLToPath(new URL(`../../../../node_modules/.cache/minio/${release}`, import.meta.url))

/** MinIO with an empty bucket, in a process of its own. The first time it is built from its Go module, which takes minutes and needs Go. */
export async function startMinio(): Promise<S3Server> {
  const program = await built()
  const data = await mkdtemp(join(tmpdir(), 'heddle-minio-'))
  const port = await freePort()
  const [accessKeyId, secretAccessKey] = [randomUUID(), randomUUID()]
  const child = spawn(program, ['server', data, '--quiet', '--address', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: { ...process.env, MINIO_ROOT_USER: accessKeyId, MINIO_ROOT_PASSWORD: secretAccessKey },
  })
  const bucket = { url: `http://127.0.0.1:${port}/heddle`, region: 'us-east-1', accessKeyId, secretAccessKey }
  const close = async () => {
    await stopped(child)
    await rm(data, { recursive: true, force: true })
  }
  try {
    await createBucket(bucket)
  } catch (error) {
    await close()
    throw error
  }
  return { bucket, close }
}

async function built(): Promise<string> {
  const program = join(folder, 'minio')
  if (await isThere(program)) return program
  const build = spawn('go', ['install', `github.com/minio/minio@${release}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GOBIN: folder },
  })
  const [code] = (await once(build, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`MinIO could not be built: \`go install\` of ${release} ended with ${code}`)
  return program
}

/** Waits for the server to be ready on the way. */
async function createBucket(bucket: S3Server['bucket']): Promise<void> {
  const requests = s3Requests(bucket, { pause: () => delay(500) })
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await requests.send({ method: 'PUT', key: '' }))
    } catch (error) {
      if (attempt === 20) throw error
      await delay(500)
    }
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
