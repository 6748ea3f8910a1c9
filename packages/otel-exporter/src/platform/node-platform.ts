import type { Platform } from '../pipeline/create-pipeline.ts'
import { compressInPool } from '../transport/compress-in-pool.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import { createFileSpool } from '../spool/file-spool.ts'

export const nodePlatform: Platform = {
  createTransport: ({ url, pipeline, tls }, warn) => createNodeTransport({ url, sockets: pipeline.concurrency, tls, warn }),
  compress: compressInPool,
  createSpool: createFileSpool,
}
