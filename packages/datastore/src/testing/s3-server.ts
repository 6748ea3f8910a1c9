import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type S3Bucket, s3Requests } from '../blobs/s3-requests.ts'

export interface S3Server {
  bucket: S3Bucket
  close(): Promise<void>
}

/** A small S3-compatible server in this process, with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const { default: S3rver } = await import('s3rver')
  const directory = await mkdtemp(join(tmpdir(), 'heddle-s3-'))
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'heddle', configs: [] }] })
  const { port } = (await server.run()) as AddressInfo
  return {
    bucket: { url: `http://127.0.0.1:${port}/heddle`, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The bucket that the environment names for the tests, made where it is not there; undefined where it names none. */
export function externalS3(): Promise<S3Server> | undefined {
  const { HEDDLE_TEST_S3_URL: url, AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env
  return url === undefined ? undefined : openBucket({ url, region: process.env['AWS_REGION'] ?? 'us-east-1', accessKeyId, secretAccessKey })
}

async function openBucket(bucket: S3Bucket): Promise<S3Server> {
  const requests = s3Requests(bucket)
  // Several test files ask for it, and only the first makes it.
  await requests.send({ method: 'PUT', key: '' }).catch((error: unknown) => {
    if (!/BucketAlready/.test(String(error))) throw error
  })
  return { bucket, close: async () => undefined }
}
