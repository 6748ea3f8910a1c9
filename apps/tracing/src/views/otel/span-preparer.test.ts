import '@heddle/testing'
import { afterAll, expect, inject, test } from 'vitest'
import { createSpanPreparer } from './span-preparer.ts'
import { prepareSpans } from './prepare-spans.ts'
import type { PreparedRequest, PreparedSpans, SpanRequest } from './span-request.ts'

const worker = new URL('span-worker.js', inject('builtChildren'))
/** From source. All others start a built one, which takes a fraction of the time. */
const preparer = createSpanPreparer({ worker: new URL('./span-worker.ts', import.meta.url), minBytes: 1_000 })
afterAll(() => preparer.close())

function aRequest(spans: number): SpanRequest {
  const body = {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: Array.from({ length: spans }, (_, index) => ({
              traceId: '0af7651916cd43dd8448eb211c80319c',
              spanId: (index + 1).toString(16).padStart(16, '0'),
              name: 'chat',
              startTimeUnixNano: '1767225600000000000',
              endTimeUnixNano: '1767225601000000000',
              attributes: [{ key: 'input.value', value: { stringValue: '{"n":1.0}' } }],
            })),
          },
        ],
      },
    ],
  }
  return {
    bytes: Buffer.from(JSON.stringify(body)),
    encoding: 'json',
    headers: { project: 'acme/demo', run: undefined },
    options: { conflicts: 'keep', maskSecrets: true },
    userId: 'u',
  }
}

const flow = { caller: 'key', project: 'acme/demo' }

/** Bytes of one kind of array, whichever thread they come from. */
const plain = (prepared: PreparedRequest) => (prepared.status === 'prepared' ? { ...prepared, rows: Buffer.from(prepared.rows) } : prepared)

test('a large request is prepared in a thread exactly as it would be here', async () => {
  expect(plain(await preparer.prepare(aRequest(20), flow))).toEqual(plain(prepareSpans(aRequest(20))))
})

test('rows are the same in memory that other rows had before', async () => {
  const first = await preparer.prepare(aRequest(40), flow)
  if (first.status === 'prepared') preparer.release(first.rows)
  expect(plain(await preparer.prepare(aRequest(20), flow))).toEqual(plain(prepareSpans(aRequest(20))))
  expect(first).toMatchObject({ rows: { byteLength: 0 } })
})

test('rows of small requests, too, are written into memory that other rows had before', async () => {
  const own = createSpanPreparer({ worker, minBytes: 2_000 })
  const prepare = async (spans: number) => (await own.prepare(aRequest(spans), flow)) as PreparedSpans
  const [first, large] = [await prepare(1), await prepare(4)]
  const { buffer } = first.rows
  for (const { rows } of [first, large]) own.release(rows)
  expect((await prepare(1)).rows.buffer).toBe(large.rows.buffer)
  expect((await prepare(1)).rows.buffer).toBe(buffer)
  expect((await prepare(1)).rows.buffer).not.toBe(buffer)
  await own.close()
})

test('a small request is prepared where it arrives', async () => {
  expect(await preparer.prepare(aRequest(1), flow)).toMatchObject({ status: 'prepared', ends: [expect.any(Number)] })
})

test('what cannot be read is refused with its reason, also from a thread', async () => {
  const broken = { ...aRequest(20), bytes: Buffer.from(`{"resourceSpans":[${'1,'.repeat(1_000)}`) }
  expect(await preparer.prepare(broken, flow)).toMatchObject({ status: 'refused', code: 'bad_request' })
})

test('more large requests than may wait are refused with 429', async () => {
  const narrow = createSpanPreparer({ worker, minBytes: 0, maxWaiting: 1 })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => narrow.prepare(aRequest(50), flow)))
  await narrow.close()
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBeGreaterThan(0)
  expect(
    outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => (outcome as PromiseRejectedResult).reason),
  ).toContainEqual(expect.objectContaining({ status: 429, retryAfterSeconds: 1 }))
})

test('a bulk flow does not keep others from the threads', async () => {
  const own = createSpanPreparer({ worker, minBytes: 0 })
  const order: string[] = []
  const send = async (project: string) => {
    await own.prepare(aRequest(5), { caller: 'key', project })
    order.push(project)
  }
  await Promise.all([...Array.from({ length: 10 }, () => send('bulk')), send('interactive')])
  await own.close()
  expect(order.indexOf('interactive')).toBeLessThan(5)
})
