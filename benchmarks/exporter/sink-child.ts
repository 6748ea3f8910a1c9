import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { decodedSpans } from '../../packages/otel-exporter/src/testing/decode-otlp.ts'

/** A message to the sink; it answers with `SinkAnswer`. */
export type SinkOrder = { kind: 'stop' } | { kind: 'start' } | { kind: 'count' }
export type SinkAnswer = { kind: 'listening'; url: string } | { kind: 'stopped' } | { kind: 'counted'; spans: number; requests: number }

/** Accepts traces at any path and reports the number of distinct spans on request. Keeps bodies only if it was started with `keep`. */
const keeps = process.argv[2] === 'keep'
const bodies: { body: Buffer; isPacked: boolean; contentType: string | undefined }[] = []
let requests = 0
let port = 0
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => {
    if (keeps) chunks.push(chunk)
  })
  request.on('error', () => undefined)
  request.on('end', () => {
    const { 'content-encoding': encoding, 'content-type': contentType } = request.headers
    requests++
    if (keeps) bodies.push({ body: Buffer.concat(chunks), isPacked: encoding === 'gzip', contentType })
    response.writeHead(200, { 'content-type': contentType ?? 'application/json' }).end()
  })
})

function listen(): void {
  server.listen(port, '127.0.0.1', () => {
    ;({ port } = server.address() as AddressInfo)
    answer({ kind: 'listening', url: `http://127.0.0.1:${port}` })
  })
}

function answer(message: SinkAnswer): void {
  process.send?.(message)
}

function countSpans(): number {
  const ids = new Set<string>()
  for (const { body, isPacked, contentType } of bodies)
    for (const { traceId, spanId } of decodedSpans(isPacked ? gunzipSync(body) : body, contentType)) ids.add(traceId + spanId)
  return ids.size
}

process.on('message', ({ kind }: SinkOrder) => {
  if (kind === 'start') listen()
  else if (kind === 'count') answer({ kind: 'counted', spans: countSpans(), requests })
  else {
    server.close(() => answer({ kind: 'stopped' }))
    server.closeAllConnections()
  }
})
process.on('disconnect', () => process.exit(0))
listen()
