import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleService, samples } from '../testing/sample-service.ts'

const paths = Object.values(samples).map(({ path }) => path)
const hostileKeys = fc.constantFrom('__proto__', 'constructor', 'prototype', 'polluted', 'project_id', 'value', 'count')
const hostileJson = fc
  .dictionary(hostileKeys, fc.dictionary(hostileKeys, fc.jsonValue(), { noNullPrototype: true }), { noNullPrototype: true })
  .map((value) => JSON.stringify(value).replaceAll('constructor', '\\u0063onstructor'))

const request = fc.record({
  path: fc.oneof(fc.constantFrom(...paths), fc.webPath()),
  query: fc.oneof(fc.constant(''), fc.webQueryParameters(), fc.constant('__proto__[polluted]=1&constructor.prototype.polluted=1')),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
  body: fc.oneof(
    hostileJson,
    fc.json(),
    fc.string(),
    fc.uint8Array(),
    fc.constant('--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n'),
  ),
  type: fc.constantFrom(
    '',
    'application/json',
    'multipart/form-data; boundary=b',
    'application/x-protobuf',
    'x',
    'text/plain;;;=',
    'multipart/form-data; boundary=',
  ),
  encoding: fc.constantFrom('', '', '', 'gzip', 'deflate', 'zstd', 'br', '__proto__'),
})

test('no request makes the service fail, and none touches a prototype', async () => {
  const service = sampleService()
  await fc.assert(
    fc.asyncProperty(request, async ({ path, query, method, body, type, encoding }) => {
      const headers = { authorization: 'Bearer key', 'content-type': type, 'content-encoding': encoding }
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const sent = new Request(`http://local${path}?${query}`, {
        method,
        headers,
        ...(hasBody && { body: body as string | Uint8Array<ArrayBuffer> }),
      })
      const response = await service.fetch(sent)
      await response.text()
      expect(response.status).toBeLessThan(500)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
    { seed: 20260801, numRuns: trials({ usual: 300, long: 10_000 }) },
  )
})
