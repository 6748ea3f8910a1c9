import { expect, test } from 'vitest'
import { createCallerLimits } from './caller-limits.ts'

const aStream = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })

test('a caller has four streams at a time, which proxies do not buffer; one that ends makes room', async () => {
  const { track } = createCallerLimits({ baseUrl: 'http://services.test' })
  const open = Array.from({ length: 4 }, () => track('one', aStream()))
  expect(open.map(({ status, headers }) => [status, headers.get('x-accel-buffering')])).toEqual(open.map(() => [200, 'no']))
  const refused = track('one', aStream())
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(track('other', aStream()).status).toBe(200)
  await open[0]?.body?.cancel()
  expect(track('one', aStream()).status).toBe(200)
})

test('only streams are counted', () => {
  const { track } = createCallerLimits({ baseUrl: 'http://services.test', maxStreams: 0 })
  expect(track('one', Response.json({})).status).toBe(200)
})
