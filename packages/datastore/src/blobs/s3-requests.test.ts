import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { s3Blobs } from './s3-blobs.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Blobs in a store with scripted responses, of which the last one repeats. */
async function blobsIn(answers: Answer[], bucket: { sessionToken?: string } = {}) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    request.resume()
    request.once('end', () => answers[Math.min(seen.length, answers.length) - 1]?.(request, response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const blobs = s3Blobs({
    url: `http://127.0.0.1:${port}/bucket`,
    region: 'eu-west-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    ...bucket,
    prefix: 'p/',
    stagingDir: join(tmpdir(), 'heddle-s3-requests'),
    pause: async () => undefined,
  })
  return { blobs, seen }
}

const status =
  (code: number, body = ''): Answer =>
  (_request, response) =>
    response.writeHead(code).end(body)
const hangUp: Answer = (request) => request.socket.destroy()
const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

test('a request that fails for a transient reason is retried with its whole body', async () => {
  const { blobs, seen } = await blobsIn([status(503, error('SlowDown')), hangUp, status(500, error('InternalError')), status(200)])
  await blobs.put(Buffer.from('hello'))
  expect(seen.map(({ method, url, headers }) => [method, url, headers['content-length']])).toEqual(
    Array.from({ length: 4 }, () => ['PUT', '/bucket/p/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', '5']),
  )
})

test.each([
  [status(503, error('SlowDown')), 'busy', 4],
  [status(429), 'busy', 4],
  [status(500, error('InternalError')), 'unavailable', 4],
  [hangUp, 'unavailable', 4],
  [status(403, error('AccessDenied')), 'failed', 1],
  [status(404, error('NoSuchBucket')), 'failed', 1],
  [status(507), 'full', 1],
] as const)('what stays wrong becomes an error that says what: %#', async (answer, kind, attempts) => {
  const { blobs, seen } = await blobsIn([answer])
  await expect(blobs.put(Buffer.from('hello'))).rejects.toMatchObject({ name: 'StoreError', kind })
  expect(seen).toHaveLength(attempts)
})

test('responses are parsed where a server has replaced the global Response', async () => {
  vi.stubGlobal('Response', Map)
  closers.push(() => void vi.unstubAllGlobals())
  const { blobs, seen } = await blobsIn([status(500), status(200)])
  await blobs.put(Buffer.from('hello'))
  expect(seen).toHaveLength(2)
})

test('requests carry the content digest and the session token, and never the secret', async () => {
  const { blobs, seen } = await blobsIn([status(200)], { sessionToken: 'token' })
  await blobs.put(Buffer.from('hello'))
  const { headers } = seen[0]!
  expect(JSON.stringify(headers)).not.toContain('secret')
  expect(headers['x-amz-content-sha256']).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
  expect(headers['x-amz-security-token']).toBe('token')
  expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/s3\/aws4_request/)
})

test('a listing reads all pages and skips what is not a blob', async () => {
  const entry = (key: string) => `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>7</Size></Contents>`
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
  const { blobs, seen } = await blobsIn([
    status(
      200,
      `<R>${entry(`p/${a}`)}${entry('p/other')}${entry(`q/${b}`)}<NextContinuationToken>x&amp;y&#x3d;</NextContinuationToken></R>`,
    ),
    status(200, `<R>${entry(`p/${b}`)}</R>`),
  ])
  const found: object[] = []
  for await (const blob of blobs.list()) found.push(blob)
  const keptAt = Date.UTC(2026, 0, 2, 3, 4, 5) * 1000
  expect(found).toEqual([a, b].map((digest) => ({ digest, sizeBytes: 7, keptAt })))
  expect(new URL(seen[1]?.url ?? '', 'http://store').searchParams.get('continuation-token')).toBe('x&y=')
})

test('wrong credentials are refused with an error that does not contain them', async () => {
  const { blobs } = await blobsIn([status(403, error('SignatureDoesNotMatch'))])
  const refusal = await blobs.put(Buffer.from('x')).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ kind: 'failed', message: expect.stringContaining('403 SignatureDoesNotMatch') })
  expect(String(refusal)).not.toContain('secret')
})

test('a reader that leaves aborts its request, and no further one is sent', async () => {
  const leaving = new AbortController()
  let connectionEnded = () => {}
  const ended = new Promise<void>((resolve) => (connectionEnded = resolve))
  const leave: Answer = (_request, response) => {
    response.once('close', connectionEnded)
    leaving.abort()
  }
  const { blobs, seen } = await blobsIn([leave])
  await expect(blobs.get('ab'.repeat(32), { signal: leaving.signal })).rejects.toMatchObject({ name: 'StoreError', kind: 'cancelled' })
  await ended
  expect(seen).toHaveLength(1)
})
