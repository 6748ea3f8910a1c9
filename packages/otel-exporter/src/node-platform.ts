import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Platform } from './create-pipeline.ts'
import { concatBytes } from './encoding/concat-bytes.ts'
import { createNodeTransport } from './sending/node-transport.ts'
import { createFileSpool } from './spool/file-spool.ts'

const gzipInPool = promisify<Uint8Array, { level: number }, Uint8Array>(gzip)

/** Fast rather than small: prompts shrink to a quarter either way. */
const compressionLevel = 1

export const nodePlatform: Platform = {
  createTransport: ({ url, pipeline, tls }, warn) => createNodeTransport({ url, sockets: pipeline.concurrency, tls, warn }),
  compress: async (body) => concatBytes([await gzipInPool(body, { level: compressionLevel })]),
  createSpool: createFileSpool,
}
