import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** The body of a request, after its content encoding was undone. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}
