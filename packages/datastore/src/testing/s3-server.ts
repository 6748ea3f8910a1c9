import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Bucket } from '../blobs/s3-requests.ts'

export interface S3Server {
  bucket: S3Bucket
  close(): Promise<void>
}

/** A small S3-compatible server in this process, with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
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
