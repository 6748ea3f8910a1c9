import { deflateSync, gzipSync } from 'node:zlib'
import { unavailable } from '@heddle/core-api/internal'
import { describe, expect, test } from 'vitest'
import { createBodyBudget } from './body-budget.ts'
import { packZstd, zstdFrame } from '../testing/zstd-frames.ts'
import { samples, sampleService, type SampleOptions } from '../testing/sample-service.ts'

/** Creating takes twice the limits. */
const withTwice = { ...samples, create: { ...samples.create, bodyFactor: 2 } }
const headers = { authorization: 'Bearer key' }

function send(
  body: Uint8Array<ArrayBuffer> | ReadableStream,
  { encoding, length, ...options }: { encoding?: string; length?: number } & Pick<SampleOptions, 'limits' | 'budget'> = {},
) {
  const request = new Request('http://local/sample/create', {
    method: 'POST',
    headers: {
      ...headers,
      ...(encoding && { 'content-encoding': encoding }),
      ...(length !== undefined && { 'content-length': String(length) }),
    },
    body,
    ...({ duplex: 'half' } as object),
  })
  return sampleService(options).fetch(request)
}

const json = (bytes: number) => Uint8Array.from(Buffer.from(`{"project_id":"${'x'.repeat(bytes - 17)}"}`))
const tooLarge = '{"reason":"Request too large"}'

describe('size', () => {
  const limits = { maxBodyBytes: 1_000 }

  test.each([
    [999, 200],
    [1_000, 200],
    [1_001, 413],
    [10_000, 413],
  ])('a body of %i bytes under a limit of 1000 is answered %i', async (bytes, status) => {
    expect((await send(json(bytes), { limits })).status).toBe(status)
  })

  test.each([
    [2_000, 200],
    [2_001, 413],
  ])('where an operation takes twice the limit, a body of %i bytes is answered %i', async (bytes, status) => {
    const service = sampleService({ limits, resources: { samples: withTwice } })
    const request = new Request('http://local/sample/create', { method: 'POST', headers, body: json(bytes) })
    expect((await service.fetch(request)).status).toBe(status)
  })

  test('a body without a length is read no further than the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(100))
      },
    })
    const response = await send(endless, { limits })
    expect(await response.text()).toBe(tooLarge)
    expect(pulled).toBeLessThan(15)
  })

  test('a declared length beyond the limit is refused before reading', async () => {
    let pulled = 0
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    expect((await send(body, { limits, length: 1_001 })).status).toBe(413)
    expect(pulled).toBe(0)
  })

  test.each([99, 101])('a declared length of %i for 100 bytes is a bad request', async (length) => {
    expect((await send(json(100), { limits, length })).status).toBe(400)
  })
})

describe('keys and values', () => {
  const values = (count: number) => Uint8Array.from(Buffer.from(`{"project_id":"e/p","value":[${'1.0,'.repeat(count - 6)}1]}`))

  test.each([
    [1_000_000, 200],
    [1_000_001, 413],
  ])('a body of %i of them is answered %i, though it is far from the limit of bytes', async (count, status) => {
    const response = await send(values(count))
    expect(response.status).toBe(status)
    if (status === 413) expect(await response.text()).toContain('more than 1000000 keys and values; send it in smaller parts')
  })

  test('an operation that takes twice the bytes takes twice the values', async () => {
    const service = sampleService({ limits: { maxValues: 10 }, resources: { samples: withTwice } })
    const post = (count: number) =>
      service.fetch(new Request('http://local/sample/create', { method: 'POST', headers, body: values(count) }))
    expect((await post(20)).status).toBe(200)
    expect((await post(21)).status).toBe(413)
  })
})

describe('compressed bodies', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['zstd', packZstd],
    ['identity', (bytes: Uint8Array) => Buffer.from(bytes)],
  ])('%s is decompressed', async (encoding, pack) => {
    expect((await send(Uint8Array.from(pack(json(500))), { encoding })).status).toBe(200)
  })

  test.each(['br', 'gzip, gzip', 'constructor'])('%s is not supported', async (encoding) => {
    const response = await send(json(100), { encoding })
    expect(response.status).toBe(415)
    expect(await response.text()).toContain('send gzip, deflate, zstd or none')
  })

  test('data that cannot be decompressed is a bad request', async () => {
    expect((await send(json(100), { encoding: 'gzip' })).status).toBe(400)
    expect((await send(Uint8Array.from(gzipSync(json(100)).subarray(0, 30)), { encoding: 'gzip' })).status).toBe(400)
  })

  test('the limit holds for the decompressed body', async () => {
    const packed = Uint8Array.from(gzipSync(json(1_001)))
    expect((await send(packed, { encoding: 'gzip', limits: { maxBodyBytes: 1_001 } })).status).toBe(200)
    expect((await send(packed, { encoding: 'gzip', limits: { maxBodyBytes: 1_000 } })).status).toBe(413)
  })

  test('beyond a MiB, a ratio over 100 is refused during decompression', async () => {
    const mebibyte = 2 ** 20
    expect((await send(Uint8Array.from(gzipSync(json(mebibyte))), { encoding: 'gzip' })).status).toBe(200)
    expect((await send(Uint8Array.from(gzipSync(json(mebibyte + 1))), { encoding: 'gzip' })).status).toBe(413)
    const bomb = Uint8Array.from(gzipSync(Buffer.alloc(48 * mebibyte)))
    const before = process.memoryUsage().arrayBuffers
    expect((await send(bomb, { encoding: 'gzip' })).status).toBe(413)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * mebibyte)
    const zeros = Array.from({ length: 384 }, () => ({ byte: 0, times: 131_072 }))
    for (const declared of [undefined, 48 * mebibyte])
      expect((await send(zstdFrame(zeros, declared), { encoding: 'zstd' })).status).toBe(413)
  })
})

describe('all bodies together', () => {
  test('a body that does not fit beside the others gets 503 and Retry-After', async () => {
    const response = await send(json(600), { budget: createBodyBudget(500) })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
  })

  test('memory is released after the response, also after an error', async () => {
    const service = sampleService({ budget: createBodyBudget(500) })
    const one = (body: string) => service.fetch(new Request('http://local/sample/create', { method: 'POST', headers, body }))
    for (const body of ['{"project_id":"e/p"}'.padEnd(400), '{'.padEnd(400), '{}'.padEnd(400), '{"project_id":"e/p"}'.padEnd(400)])
      expect((await one(body)).status).not.toBe(503)
  })

  test('a reservation counts what was reserved and releases all of it', () => {
    const budget = createBodyBudget(10)
    const first = budget.open()
    const second = budget.open()
    first.reserve(6)
    expect(() => second.reserve(5)).toThrow(unavailable('no memory left for request bodies; retry shortly', 1))
    second.reserve(4)
    first.release()
    first.release()
    expect(budget.usedBytes).toBe(4)
  })

  test('the bodies of one owner leave half of the memory to others, and a single body may take all of it', () => {
    const budget = createBodyBudget(10)
    const [first, second, other] = [budget.open(), budget.open(), budget.open()]
    for (const reservation of [first, second]) reservation.assignOwner('bulk')
    other.assignOwner('interactive')
    first.reserve(4)
    second.reserve(1)
    expect(() => second.reserve(1)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    other.reserve(5)
    for (const reservation of [first, second, other]) reservation.release()
    first.reserve(9)
    expect(() => second.assertAvailable(1)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    first.release()
    second.reserve(5)
    expect(budget.usedBytes).toBe(5)
  })
})
