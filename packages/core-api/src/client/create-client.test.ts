import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { everyKind } from '../testing/every-kind.ts'
import { createClient, type ClientOptions } from './create-client.ts'

const note = { thing: { id: 't1', note: 1 } }
const closing: (() => void)[] = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Reply = Response | Error | (() => Response)

/** A client with scripted replies, the requests that it sent and how long it waited. */
function clientFor(replies: Reply[], options: Partial<ClientOptions<typeof everyKind>> = {}) {
  const requests: Request[] = []
  const waits: number[] = []
  const client = createClient({
    baseUrl: 'http://server.test/base/',
    contract: everyKind,
    random: () => 0.5,
    now: () => Date.UTC(2026, 0, 1),
    pause: async (delayMs) => void waits.push(delayMs),
    fetch: async (input, init) => {
      requests.push(new Request(input, { ...init, ...(init?.body instanceof Uint8Array ? { body: init.body.slice() } : {}) }))
      const reply = replies.shift() ?? new Error('no more replies')
      if (reply instanceof Error) throw reply
      return typeof reply === 'function' ? reply() : reply
    },
    ...options,
  })
  return { client, requests, waits }
}

const json = (value: unknown, init?: ResponseInit) => Response.json(value, init)

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a request', () => {
  test('carries the flat input in path, query, headers and nothing else', async () => {
    const { client, requests } = clientFor([json({ id: 'a b' })])
    const input = { entity: 'e', project: 'p/q', thing_id: 'a b', tag: ['x', 'y&z'], limit: 2, 'x-note': 'n' }
    expect(await client.things.read(input)).toEqual({ id: 'a b' })
    expect(requests[0]?.url).toBe('http://server.test/base/v2/e/p%2Fq/things/a%20b?tag=x&tag=y%26z&limit=2')
    expect(requests[0]?.headers.get('x-note')).toBe('n')
    expect(requests[0]?.body).toBeNull()
  })

  test('carries the rest of the input as JSON', async () => {
    const { client, requests } = clientFor([json({})])
    await client.things.rename({ thing_id: 't1', name: 'new' })
    expect(requests[0]?.method).toBe('PUT')
    expect(requests[0]?.headers.get('content-type')).toBe('application/json')
    expect(await requests[0]?.json()).toEqual({ name: 'new' })
  })

  test('may delete with a body', async () => {
    const { client, requests } = clientFor([json({ num_deleted: 1 })])
    await client.things.delete({ ids: ['a'] })
    expect(requests[0]?.method).toBe('DELETE')
    expect(await requests[0]?.json()).toEqual({ ids: ['a'] })
  })

  test('carries files as a form', async () => {
    const { client, requests } = clientFor([json({ digest: 'd' })])
    const file = { field: 'file', filename: 'a.png', content_type: 'image/png', bytes: Uint8Array.of(1, 2, 255) }
    await client.things.upload({ project_id: 'e/p', files: [file] })
    const form = await requests[0]?.formData()
    const sent = form?.get('file') as File
    expect(form?.get('project_id')).toBe('e/p')
    expect(form?.has('title')).toBe(false)
    expect([sent.name, sent.type, ...new Uint8Array(await sent.arrayBuffer())]).toEqual(['a.png', 'image/png', 1, 2, 255])
  })

  test('carries bytes with their type and reads bytes', async () => {
    const { client, requests } = clientFor([new Response(Uint8Array.of(7), { headers: { 'content-type': 'application/x-things' } })])
    const answer = await client.things.export({ project_id: 'e/p', bytes: Uint8Array.of(0, 255), content_type: undefined })
    expect(requests[0]?.headers.get('content-type')).toBe('application/x-things')
    expect(requests[0]?.headers.get('project_id')).toBe('e/p')
    expect(new Uint8Array(await requests[0]!.arrayBuffer())).toEqual(Uint8Array.of(0, 255))
    expect(answer).toEqual({ content_type: 'application/x-things', bytes: Uint8Array.of(7) })
  })

  test('is authenticated with the key as the password, and headers of the client win', async () => {
    const { client, requests } = clientFor([json(1), json(2)], { apiKey: 'kéy' })
    await client.things.count()
    expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${Buffer.from('api:kéy').toString('base64')}`)
    const bearer = clientFor([json(1)], { apiKey: 'k', headers: { authorization: 'Bearer t' } })
    await bearer.client.things.count()
    expect(bearer.requests[0]?.headers.get('authorization')).toBe('Bearer t')
  })

  test.each(['', '.', '..', undefined, null, ['x'], { toString: {} }])('refuses %j as a path parameter', async (thing_id) => {
    const { client, requests } = clientFor([])
    await expect(client.things.rename({ thing_id: thing_id as string, name: 'n' })).rejects.toThrow('thing_id')
    expect(requests).toHaveLength(0)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'with %d, for which JSON has no form, is not sent',
    async (number) => {
      const { client, requests } = clientFor([])
      const sent = client.things.create({ thing: { id: 't1', note: { deep: [1, number] } } })
      await expect(sent).rejects.toThrow(`thing.note.deep.1 is ${number}, but JSON can hold only finite numbers`)
      expect(requests).toHaveLength(0)
    },
  )

  test('uses the given JSON codec in both directions', async () => {
    const codec = { parse: (text: string) => ({ id: text }), stringify: () => '{"thing":1.0}' }
    const { client, requests } = clientFor([new Response('{"id":1.0}')], { json: codec })
    expect(await client.things.create(note)).toEqual({ id: '{"id":1.0}' })
    expect(await requests[0]?.text()).toBe('{"thing":1.0}')
  })
})

test.each(['', 'ftp://x', 'x.test', 'http://a.test?x=1'])('%j is not a base URL', (baseUrl) => {
  expect(() => createClient({ baseUrl, contract: everyKind })).toThrow(/is not an http or https URL/)
})

test('an address with a credential is refused without repeating it', () => {
  expect(() => createClient({ baseUrl: 'http://u:secret@a.test', contract: everyKind })).toThrow(/^(?!.*secret).*apiKey/)
})

describe('an error', () => {
  test.each<[number, unknown, object]>([
    [
      422,
      { detail: [{ loc: ['body', 'thing', 'id'], msg: 'Field required', type: 'missing' }] },
      { code: 'invalid', message: 'body.thing.id: Field required', issues: [{ type: 'missing' }] },
    ],
    [
      404,
      { reason: 'gone', deleted_at: '2026-01-01T00:00:00Z' },
      { code: 'not_found', message: 'gone', extra: { deleted_at: '2026-01-01T00:00:00Z' } },
    ],
    [401, { detail: 'Not authenticated' }, { code: 'unauthenticated', message: 'Not authenticated' }],
    [400, { error: { message: 'bad model', type: 'x' } }, { code: 'bad_request', message: 'bad model' }],
    [400, { error: 'plain' }, { message: 'plain' }],
    [409, { message: 'differs' }, { code: 'conflict', message: 'differs' }],
    [418, { a: 1 }, { code: 'bad_request', status: 418, message: '{"a":1}' }],
  ])('with status %d and body %j is an ApiError', async (status, body, expected) => {
    const { client } = clientFor([json(body, { status })])
    await expect(client.things.create(note)).rejects.toMatchObject({ name: 'ApiError', status, ...expected })
  })

  test.each([
    ['from-a.proxy_1', 'from-a.proxy_1'],
    ['<b>no token</b>', undefined],
    [undefined, undefined],
  ])('with the request id %j has the id %j', async (given, requestId) => {
    const { client } = clientFor([json({ reason: 'no' }, { status: 404, headers: given === undefined ? {} : { 'x-request-id': given } })])
    const error = await client.things.create(note).catch((error: unknown) => error)
    expect(error).toHaveProperty('requestId', requestId)
  })

  test('that is not JSON quotes the beginning of its text', async () => {
    const { client } = clientFor([new Response('<html>'.padEnd(5000, 'x'), { status: 403 })])
    const error = await client.things.create(note).catch((error: unknown) => error as Error)
    expect(error).toMatchObject({ code: 'forbidden' })
    expect((error as Error).message).toHaveLength(500)
  })

  test('without a body names the status', async () => {
    const { client } = clientFor([new Response(null, { status: 404 })])
    await expect(client.things.create(note)).rejects.toThrow('404')
  })

  test('is thrown when a successful response is not valid JSON', async () => {
    const { client, requests } = clientFor([new Response('<html>sign in</html>')])
    await expect(client.things.create(note)).rejects.toThrow('not valid JSON: <html>sign in</html>')
    expect(requests).toHaveLength(1)
  })

  test('gets an error when a response is too long', async () => {
    const { client, requests } = clientFor([new Response('x'.repeat(100))], { maxAnswerBytes: 99 })
    await expect(client.things.download({ digest: 'd' })).rejects.toMatchObject({ code: 'too_large' })
    expect(requests).toHaveLength(1)
  })
})

describe('a retry', () => {
  const broken = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
  const fail = (status: number, headers: HeadersInit = {}) => json({ reason: 'r' }, { status, headers })

  test.each([408, 429, 500, 502, 503, 504, 599])('follows status %d', async (status) => {
    const { client, requests } = clientFor([fail(status), json({ id: 't1' })])
    expect(await client.things.create(note)).toEqual({ id: 't1' })
    expect(requests).toHaveLength(2)
    expect(await requests[1]?.json()).toEqual(note)
  })

  test.each([400, 401, 403, 404, 409, 413, 422, 501])('does not follow status %d', async (status) => {
    const { client, requests } = clientFor([fail(status)])
    await expect(client.things.create(note)).rejects.toMatchObject({ status })
    expect(requests).toHaveLength(1)
  })

  test('follows a broken connection, and the error names address and cause at last', async () => {
    const { client, waits } = clientFor([broken, broken, broken])
    await expect(client.things.read({ entity: 'e', project: 'p', thing_id: 't' })).rejects.toThrow(
      'GET http://server.test/base/v2/e/p/things/t: connect ECONNREFUSED',
    )
    expect(waits).toEqual([250, 500])
  })

  test('waits at least as long as the server asks, in seconds or until a date', async () => {
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 5)).toUTCString()
    const { client, waits } = clientFor([fail(429, { 'retry-after': '2' }), fail(503, { 'retry-after': date }), json(1)])
    await client.things.count()
    expect(waits).toEqual([2250, 5500])
  })

  test('is skipped when the server requests too long a wait', async () => {
    const { client, requests } = clientFor([fail(429, { 'retry-after': '3600' })])
    await expect(client.things.count()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    expect(requests).toHaveLength(1)
  })

  test('obeys x-should-retry', async () => {
    const never = clientFor([fail(503, { 'x-should-retry': 'false' })])
    await expect(never.client.things.count()).rejects.toThrow('r')
    const always = clientFor([fail(409, { 'x-should-retry': 'true' }), json(1)])
    expect(await always.client.things.count()).toBe(1)
  })

  test('of a write without an id happens only when it was certainly not carried out', async () => {
    const unclear = clientFor([broken, json({ id: 't1' })])
    await expect(unclear.client.things.create({ thing: { note: 1 } })).rejects.toThrow('ECONNREFUSED')
    const refused = clientFor([fail(503), json({ id: 't1' })])
    expect(await refused.client.things.create({ thing: { note: 1 } })).toEqual({ id: 't1' })
    const adds = clientFor([fail(500)])
    await expect(adds.client.things.add({ note: 'n' })).rejects.toMatchObject({ status: 500 })
  })

  test('can be switched off', async () => {
    const { client, requests } = clientFor([fail(503)], { retries: 0 })
    await expect(client.things.count()).rejects.toThrow('r')
    expect(requests).toHaveLength(1)
  })

  test('ends when the caller gives up during the wait', async () => {
    const abort = new AbortController()
    const { client } = clientFor([fail(503, { 'retry-after': '50' })], {
      pause: async () => {
        abort.abort(new Error('enough'))
        abort.signal.throwIfAborted()
      },
    })
    await expect(client.things.count({}, { signal: abort.signal })).rejects.toThrow('enough')
  })
})

describe('a stream', () => {
  const lines = (...pieces: string[]) => new Response(new Blob(pieces).stream())
  const collect = async <T>(source: AsyncIterable<T>) => {
    const items: T[] = []
    for await (const item of source) items.push(item)
    return items
  }

  test('is read line by line, with or without a newline at its end', async () => {
    const { client, requests } = clientFor([lines('{"id":"a"}\n\n{"id":', '"b"}\n{"id":"c"}')])
    expect(await collect(client.things.list({ project_id: 'e/p' }))).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(requests[0]?.headers.get('accept')).toBe('application/jsonl')
  })

  test('may be empty', async () => {
    const { client } = clientFor([lines('')])
    expect(await collect(client.things.list({ project_id: 'e/p' }))).toEqual([])
  })

  test('sends nothing before it is read', () => {
    const { client, requests } = clientFor([])
    client.things.list({ project_id: 'e/p' })
    expect(requests).toHaveLength(0)
  })

  test('fails like any request before its first line', async () => {
    const { client } = clientFor([json({ reason: 'no' }, { status: 400 })])
    await expect(collect(client.things.list({ project_id: 'e/p' }))).rejects.toMatchObject({ status: 400 })
  })

  test('ends the request when the loop is left early', async () => {
    let tellLeft: () => void
    const left = new Promise<void>((resolve) => {
      tellLeft = resolve
    })
    const baseUrl = await serve((_, response) => {
      response.on('close', () => tellLeft())
      response.write('{"id":"a"}\n{"id":"b"}\n')
    })
    for await (const thing of createClient({ baseUrl, contract: everyKind }).things.list({ project_id: 'e/p' })) {
      expect(thing).toEqual({ id: 'a' })
      break
    }
    await left
  })

  test('that breaks off is an error, after the lines that arrived', async () => {
    const baseUrl = await serve((_, response) => {
      response.write('{"id":"a"}\n', () => response.destroy())
    })
    const seen: unknown[] = []
    const read = async () => {
      for await (const thing of createClient({ baseUrl, contract: everyKind }).things.list({ project_id: 'e/p' })) seen.push(thing)
    }
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
    expect(seen).toEqual([{ id: 'a' }])
  })

  test('that falls silent is given up', async () => {
    const baseUrl = await serve((_, response) => void response.write('{"id":"a"}\n'))
    const client = createClient({ baseUrl, contract: everyKind, timeoutMs: 50 })
    await expect(collect(client.things.list({ project_id: 'e/p' }))).rejects.toMatchObject({ code: 'timeout' })
  })

  test('refuses a line without end', async () => {
    const { client } = clientFor([lines('x'.repeat(60), 'x'.repeat(60))], { maxAnswerBytes: 100 })
    await expect(collect(client.things.list({ project_id: 'e/p' }))).rejects.toMatchObject({ code: 'too_large' })
  })
})

describe('a wait', () => {
  test('for a server that does not respond is bounded', async () => {
    const baseUrl = await serve(() => undefined)
    const client = createClient({ baseUrl, contract: everyKind, timeoutMs: 50, retries: 0 })
    await expect(client.things.count()).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('50 ms') })
  })

  test('ends with the reason of the caller', async () => {
    const abort = new AbortController()
    const baseUrl = await serve(() => abort.abort(new Error('changed my mind')))
    const client = createClient({ baseUrl, contract: everyKind })
    await expect(client.things.count({}, { signal: abort.signal })).rejects.toThrow('changed my mind')
  })

  test('is not begun for a caller who has given up', async () => {
    const { client, requests } = clientFor([])
    await expect(client.things.count({}, { signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late')
    expect(requests).toHaveLength(0)
  })
})
