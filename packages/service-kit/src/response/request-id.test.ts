import { requestIdOr } from '@heddle/core-api/internal'
import { expect, test } from 'vitest'
import { recordedLog, sampleService } from '../testing/sample-service.ts'
import { rawClient } from '../testing/raw-client.ts'
import { serve } from '../http/serve.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test.each(['a', 'Root-1-2_3.4', 'x'.repeat(128)])('the id %s of a proxy is taken over', (id) => expect(requestIdOr(id)).toBe(id))

test.each([undefined, '', 'two words', 'line\nbreak', '{"a":1}', 'é', 'a, b', 'x'.repeat(129), `heddle${'a'.repeat(45)}`])(
  'instead of the id %j a new one is made',
  (id) => expect(requestIdOr(id)).toMatch(uuid),
)

test('every answer carries the id of its request, and the lines of the log name it', async () => {
  const log = recordedLog()
  const fails = () => Promise.reject(new Error('made by a test'))
  const { fetch: answer } = sampleService({ log, handlers: { named: fails } })
  const server = await serve({ fetch: answer, host: '127.0.0.1', port: 0, hosts: ['127.0.0.1'], limits: { drainMs: 2_000 } })
  try {
    const send = (id: string, path: string, init: RequestInit = {}) =>
      fetch(server.url + path, { ...init, headers: { authorization: 'Bearer key', 'x-request-id': id, ...init.headers } })
    const answers = {
      'answered-1': await send('answered-1', '/sample/create', { method: 'POST', body: '{"project_id":"one"}' }),
      'refused-1': await send('refused-1', '/sample/create', { method: 'POST', body: '{' }),
      'unknown-1': await send('unknown-1', '/nothing'),
      'failed-1': await send('failed-1', '/samples/one/tags/all'),
      'cross-1': await send('cross-1', '/sample/create', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }),
    }
    for (const [id, response] of Object.entries(answers)) {
      expect(response.headers.get('x-request-id')).toBe(id)
      await response.arrayBuffer()
    }
    const without = await fetch(`${server.url}/nothing`)
    expect(without.headers.get('x-request-id')).toMatch(uuid)
    const client = await rawClient(server.port)
    client.write('GET / HTTP/1.1\r\nHost: elsewhere\r\nX-Request-Id: misnamed-1\r\n\r\n')
    expect((await client.until('Invalid host header')).toLowerCase()).toContain('x-request-id: misnamed-1')
    client.socket.destroy()
  } finally {
    await server.close()
  }
  const linesOf = (id: string) => log.lines.filter(({ fields }) => 'requestId' in fields && fields.requestId === id)
  for (const id of ['answered-1', 'refused-1', 'unknown-1']) expect(linesOf(id)).toHaveLength(1)
  expect(linesOf('failed-1').map(({ message }) => message)).toEqual(['operation failed unexpectedly', 'request'])
})
