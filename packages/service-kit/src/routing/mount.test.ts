import { ApiError, defineResource } from '@heddle/core-api'
import { badRequest, conflict, JsonText, notFound, tooManyRequests } from '@heddle/core-api/internal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mount } from './mount.ts'
import { serviceOf } from './service-of.ts'
import { recordedLog, sampleService, type SampleOptions } from '../testing/sample-service.ts'

interface Sent {
  method?: string
  body?: BodyInit
  headers?: Record<string, string>
  options?: SampleOptions
}

const authorization = `Basic ${btoa('api:key')}`

async function send(path: string, { method = 'POST', body, headers = {}, options }: Sent = {}) {
  const request = new Request(`http://local${path}`, {
    method,
    headers: { authorization, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return sampleService(options).fetch(request)
}

/** A JSON body that is sent without a content type. */
const untyped = (json: string) => new TextEncoder().encode(json)

async function answerOf(response: Response) {
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('matching', () => {
  test('an operation answers under its path, its aliases and each prefix', async () => {
    const options = { prefixes: ['', '/traces'] }
    for (const path of ['/sample/create', '/samples/create/', '/traces/sample/create', '/traces/samples/create/'])
      expect((await send(path, { body: untyped('{"project_id":"e/p"}'), options })).status).toBe(200)
  })

  test.each(['/nothing', '/sample/create/', '/traces/sample/create', '/Sample/create', '//sample/create', '/health/x'])(
    '%s is not found',
    async (path) => {
      expect(await answerOf(await send(path))).toEqual({ status: 404, body: { detail: 'Not Found' } })
    },
  )

  test('another method names the allowed ones', async () => {
    const response = await send('/sample/create', { method: 'GET' })
    expect(response.headers.get('allow')).toBe('POST')
    expect(await answerOf(response)).toEqual({ status: 405, body: { detail: 'Method Not Allowed' } })
  })

  test('a fixed path goes before a parameter', async () => {
    expect(await (await send('/samples/x/tags/all', { method: 'GET' })).json()).toEqual({ fixed: true })
  })

  test('two operations on one path, and a missing handler, are found when mounting', () => {
    const twice = defineResource('Twice', {
      a: { method: 'GET', path: '/x', effect: 'read', summary: 'A', output: z.unknown() },
      b: { method: 'GET', path: '/x', effect: 'read', summary: 'B', output: z.unknown() },
    })
    const options = { name: 'twice', authenticate: () => '', context: () => ({}) }
    const run = async () => ({})
    expect(() => serviceOf([mount({ ...options, resources: { twice }, handlers: { twice: { a: run, b: run } } })])).toThrow(
      'two operations answer GET /x',
    )
    const partly = { a: run } as unknown as { a: typeof run; b: typeof run }
    expect(() => mount({ ...options, resources: { twice }, handlers: { twice: partly } })).toThrow('operation twice.b has no handler')
  })
})

describe('input', () => {
  test('a JSON body keeps its numbers and the answer too', async () => {
    const response = await send('/sample/create', {
      body: untyped('{"project_id":"e/p","value":{"a":1.0,"b":9007199254740993},"count":"3"}'),
    })
    expect(await response.text()).toBe('{"project_id":"e/p","value":{"a":1.0,"b":9007199254740993},"count":3}')
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.x+json',
  ])('JSON is taken under %s', async (type) => {
    expect((await send('/sample/create', { body: '{"project_id":"e/p"}', headers: { 'content-type': type } })).status).toBe(200)
  })

  test.each(['multipart/form-data; boundary=x', 'application/x-protobuf', 'image/png', 'text/xml'])('%s is not JSON', async (type) => {
    const answer = await answerOf(await send('/sample/create', { body: '{}', headers: { 'content-type': type } }))
    expect(answer).toEqual({ status: 415, body: { reason: expect.stringContaining('send application/json') } })
  })

  test('path parameters are decoded once, queries repeat, headers come by name', async () => {
    const response = await send('/samples/a%2Fb%252F%C3%A9/tags/v1?limit=5&name=x&name=y&one=1&one=2&other=3', {
      method: 'PUT',
      headers: { project_id: 'e/p' },
    })
    expect(await response.json()).toEqual({ object_id: 'a/b%2Fé', tag: 'v1', limit: 5, name: ['x', 'y'], one: '2', project_id: 'e/p' })
  })

  test('DELETE takes a body, and the path wins over a body field of the same name', async () => {
    const response = await send('/samples/mine', { method: 'DELETE', body: untyped('{"digests":["d"],"object_id":"other"}') })
    expect(await response.json()).toEqual({ digests: ['d'], object_id: 'mine' })
    expect((await send('/samples/mine', { method: 'DELETE' })).status).toBe(200)
  })

  test('multipart parts arrive in any order, with or without a name', async () => {
    const form = new FormData()
    form.append('file', new Blob(['hello'], { type: 'text/x-python' }), 'obj.py')
    form.append('project_id', 'e/p')
    form.append('__proto__', 'x')
    form.append('empty', new Blob([]), '')
    form.append('other', new Blob(['of no interest']), 'other')
    expect(await (await send('/upload', { body: form })).json()).toEqual({
      project_id: 'e/p',
      files: [
        { field: 'file', filename: 'obj.py', content_type: 'text/x-python', bytes: 'hello' },
        { field: 'empty', content_type: 'application/octet-stream', bytes: '' },
      ],
    })
  })

  test('a form without a required field names it', async () => {
    const form = new FormData()
    form.append('file', new Blob(['x']), 'x')
    expect(await answerOf(await send('/upload', { body: form }))).toEqual({
      status: 422,
      body: { detail: [{ loc: ['body', 'project_id'], msg: 'Field required', type: 'missing' }] },
    })
  })

  test.each([
    ['multipart/form-data', 'x', 400],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="project_id"\r\n\r\ne/p', 400],
    ['application/json', '{}', 415],
  ])('a form sent as %s is refused', async (type, body, status) => {
    expect((await send('/upload', { body, headers: { 'content-type': type } })).status).toBe(status)
  })

  test('bytes reach the handler and come back as they are', async () => {
    const bytes = Uint8Array.from([0, 255, 10])
    const response = await send('/raw', { body: bytes, headers: { 'content-type': 'application/x-protobuf' } })
    expect(response.headers.get('content-type')).toBe('application/x-protobuf')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    expect((await send('/raw', { body: bytes, headers: { 'content-type': 'application/json' } })).status).toBe(415)
    expect((await send('/raw', { body: bytes })).status).toBe(200)
  })

  test('bytes of users are saved by a browser, never run', async () => {
    const { headers } = await send('/content', { body: untyped('{}') })
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test('rows are lines of JSON, and none are an empty body', async () => {
    const response = await send('/stream', { body: untyped('{"rows":3}') })
    expect(response.headers.get('content-type')).toBe('application/jsonl')
    expect(await response.text()).toBe('{"row":0}\n{"row":1}\n{"row":2}\n')
    expect(await (await send('/stream', { body: untyped('{"rows":0}') })).text()).toBe('')
  })

  test('a response that is JSON text already is sent unchanged', async () => {
    const response = await send('/sample/create', {
      body: untyped('{"project_id":"e/p"}'),
      options: { handlers: { create: async () => new JsonText('{"a":1.0}') } },
    })
    expect(await response.text()).toBe('{"a":1.0}')
  })

  test('a path outside the contract shares authentication and limits', async () => {
    const raw = [
      {
        name: 'graphql',
        method: 'POST' as const,
        path: '/graphql',
        handle: async (request: Request, caller: string) => new Response(caller + (await request.text())),
      },
    ]
    expect(await (await send('/graphql', { body: 'x', options: { raw } })).text()).toBe('adax')
    expect((await send('/graphql', { body: 'x', headers: { authorization: '' }, options: { raw } })).status).toBe(401)
    expect((await send('/graphql', { body: 'xxxxx', options: { raw, limits: { maxBodyBytes: 4 } } })).status).toBe(413)
  })
})

describe('validation errors', () => {
  test.each([
    ['{}', [{ loc: ['body', 'project_id'], msg: 'Field required', type: 'missing' }]],
    ['', [{ loc: ['body', 'project_id'], msg: 'Field required', type: 'missing' }]],
    ['{"project_id":1}', [{ loc: ['body', 'project_id'], msg: 'Input should be a valid string', type: 'string_type' }]],
    ['{"project_id":1.0}', [{ loc: ['body', 'project_id'], msg: 'Input should be a valid string', type: 'string_type' }]],
    ['[1]', [{ loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type' }]],
    ['{"project_id":"e/p","mode":"c"}', [{ loc: ['body', 'mode'], msg: "Input should be 'a' or 'b'", type: 'literal_error' }]],
    ['{"project_id":"e/p","count":"x"}', [expect.objectContaining({ loc: ['body', 'count'], type: 'int_parsing' })]],
    ['{"project_id":', [expect.objectContaining({ loc: ['body'], type: 'json_invalid' })]],
  ])('%j', async (json, detail) => {
    expect(await answerOf(await send('/sample/create', { body: untyped(json) }))).toEqual({ status: 422, body: { detail } })
  })

  test('a query parameter is named as such', async () => {
    expect(await answerOf(await send('/samples/x/tags/y?limit=many', { method: 'PUT' }))).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'limit'], type: 'int_parsing' }] },
    })
  })
})

describe('credentials', () => {
  test('an open operation needs none, and takes a bad one', async () => {
    for (const given of ['', 'Basic !!!', authorization]) {
      const answer = await answerOf(await send('/health', { method: 'GET', headers: { authorization: given } }))
      expect(answer).toEqual({ status: 200, body: { status: 'ok' } })
    }
  })

  test('others are refused without one, before the body is looked at', async () => {
    const response = await send('/sample/create', { body: 'no json', headers: { authorization: '' } })
    expect(response.headers.get('www-authenticate')).toBe('Basic')
    expect(await answerOf(response)).toEqual({ status: 401, body: { detail: 'Not authenticated' } })
  })

  test('a browser is not asked to open its dialog', async () => {
    const response = await send('/sample/create', { headers: { authorization: '', 'sec-fetch-mode': 'cors' } })
    expect(response.headers.has('www-authenticate')).toBe(false)
  })
})

function storeError(kind: string) {
  return Object.assign(new Error('DB::Exception in /data/file'), { name: 'StoreError', kind, retryAfterSeconds: 2.5 })
}

describe('errors', () => {
  test.each([
    [badRequest('bad', { error_code: 'X' }), 400, { reason: 'bad', error_code: 'X' }, {}],
    [notFound('gone', { deleted_at: 't' }), 404, { reason: 'gone', deleted_at: 't' }, {}],
    [conflict('differs'), 409, { reason: 'differs' }, { 'x-should-retry': 'false' }],
    [new ApiError('not_implemented', 'no'), 501, { reason: 'no' }, { 'x-should-retry': 'false' }],
    [tooManyRequests('slow', 1.2), 429, { reason: 'slow' }, { 'retry-after': '2' }],
    [storeError('busy'), 429, { reason: expect.any(String) }, { 'retry-after': '3' }],
    [storeError('unavailable'), 503, { reason: expect.any(String) }, { 'retry-after': '3' }],
    [storeError('full'), 503, { reason: expect.any(String) }, { 'retry-after': '3' }],
    [storeError('timeout'), 504, { reason: expect.stringContaining('date range') }, {}],
    [storeError('memory'), 502, { reason: expect.any(String) }, {}],
    [storeError('complex'), 400, { reason: 'The query is too large or too deep to run; use fewer conditions, conversions and fields' }, {}],
    [storeError('failed'), 502, { reason: 'Temporary backend error' }, {}],
    [storeError('data'), 400, { reason: expect.any(String) }, {}],
    [new Error('secret'), 500, { reason: 'Internal server error' }, {}],
    [new ApiError('internal', 'secret'), 500, { reason: 'Internal server error' }, {}],
    ['no error at all', 500, { reason: 'Internal server error' }, {}],
  ])('%s is answered %i', async (error, status, body, headers) => {
    const create = async () => {
      throw error
    }
    const response = await send('/sample/create', { body: untyped('{"project_id":"e/p"}'), options: { handlers: { create } } })
    expect(Object.fromEntries(response.headers)).toMatchObject(headers)
    const answer = await answerOf(response)
    expect(answer).toEqual({ status, body })
    expect(JSON.stringify(answer)).not.toMatch(/secret|DB::/)
  })

  test.each([
    ['value', 'a\0b', 'value'],
    ['value', { names: ['a', { deep: '\0' }] }, 'value.names[1].deep'],
    ['value', { 'a\0': 1 }, 'value'],
  ])('a NUL character that the store refuses is named by its field: %s %j', async (key, value, field) => {
    const create = () => Promise.reject(storeError('data'))
    const body = untyped(JSON.stringify({ project_id: 'e/p', [key]: value }))
    const answer = await answerOf(await send('/sample/create', { body, options: { handlers: { create } } }))
    expect(answer).toEqual({
      status: 400,
      body: { reason: `${field} has a NUL character (U+0000), which cannot be stored or searched for; remove it` },
    })
  })

  test('an unexpected error is logged once, with the operation', async () => {
    const log = recordedLog()
    const create = async () => {
      throw new Error('broken')
    }
    await send('/sample/create', { body: untyped('{"project_id":"e/p"}'), options: { log, handlers: { create } } })
    const errors = log.lines.filter(({ level }) => level === 'error')
    expect(errors).toEqual([
      { level: 'error', fields: { operation: 'kit.samples.create', err: new Error('broken') }, message: expect.any(String) },
    ])
  })

  test.each([
    ['a value that the store cannot hold or compare', 'data'],
    ['a query that is too large or too deep to ever run', 'complex'],
  ])('%s is an error of the client in the log, too', async (_, kind) => {
    const log = recordedLog()
    const create = () => Promise.reject(storeError(kind))
    await send('/sample/create', { body: untyped('{"project_id":"e/p"}'), options: { log, handlers: { create } } })
    expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['info', { operation: 'kit.samples.create', err: storeError(kind) }],
      ['info', expect.objectContaining({ operation: 'kit.samples.create', status: 400 })],
    ])
  })

  test.each([
    ['info', storeError('complex')],
    ['info', badRequest('bad query')],
    ['error', storeError('failed')],
    ['error', new Error('broken')],
  ] as const)('a stream that is cut after its first row is logged as %s for %s', async (level, error) => {
    const log = recordedLog()
    let fail = () => {}
    const failed = new Promise<never>((_, reject) => (fail = () => reject(error)))
    async function* failing() {
      yield { row: 0 }
      await failed
    }
    const response = await send('/stream', { body: untyped('{"rows":1}'), options: { log, handlers: { stream: async () => failing() } } })
    fail()
    await expect(response.text()).rejects.toThrow()
    expect(log.lines).toContainEqual({
      level,
      fields: { operation: 'kit.samples.stream', err: error },
      message: 'streamed response was cut',
    })
  })

  test('a stream that fails before its first row is an ordinary error', async () => {
    const stream = async () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(badRequest('bad query')) }) })
    expect(await answerOf(await send('/stream', { body: untyped('{"rows":1}'), options: { handlers: { stream } } }))).toEqual({
      status: 400,
      body: { reason: 'bad query' },
    })
  })
})

test('each request is one line of the log, without key, path or query', async () => {
  const log = recordedLog()
  const options = { log, nowMs: () => 1 }
  await send('/samples/secret/tags/y?one=secret', { method: 'PUT', options })
  await send('/nothing?secret=1', { options })
  await (await send('/stream', { body: untyped('{"rows":1}'), options })).text()
  expect(log.lines.map(({ fields }) => fields)).toEqual([
    { method: 'PUT', operation: 'kit.samples.tag', status: 200, ms: 0, waited: 0, bytes: 0, key: 'key-1' },
    { method: 'POST', operation: null, status: 404, ms: 0, waited: 0, bytes: 0, key: null },
    { method: 'POST', operation: 'kit.samples.stream', status: 200, ms: 0, waited: 0, bytes: 0, key: 'key-1' },
  ])
})
