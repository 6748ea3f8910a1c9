import { setImmediate } from 'node:timers/promises'
import { type ApiError, defineResource } from '@heddle/core-api'
import { conflict, EventsAnswer, HttpAnswer, type StagedBody } from '@heddle/core-api/internal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { stageTexts } from '../testing/sample-service.ts'
import { mount } from './mount.ts'
import { serviceOf } from './service-of.ts'

const things = defineResource('Things', {
  load: {
    method: 'POST',
    path: '/v1/things/{name}',
    effect: 'write',
    staged: true,
    summary: 'Load things',
    params: z.object({ name: z.string() }),
    body: z.object({ list: z.array(z.number()) }),
    output: z.object({ text: z.string(), name: z.string() }),
  },
  check: { method: 'GET', path: '/v1/check', effect: 'read', summary: 'Check things', output: z.object({ ok: z.boolean() }) },
  look: {
    method: 'POST',
    path: '/v1/look',
    effect: 'read',
    open: true,
    summary: 'Look at things without a key',
    body: z.object({ text: z.string() }),
    output: z.object({ length: z.number() }),
  },
  fail: { method: 'GET', path: '/v1/fail', effect: 'read', summary: 'Fail', output: z.object({}) },
  sample: {
    method: 'POST',
    path: '/v1/sample',
    effect: 'write',
    waits: true,
    summary: 'Sample things',
    body: z.object({ stream: z.boolean().optional(), named: z.boolean().optional() }),
    output: z.object({ id: z.number() }),
    events: z.object({ id: z.number() }),
  },
})

async function textOf(content: StagedBody): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of content.read()) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function* twoEvents() {
  yield { type: 'first', id: 1 }
  yield { type: 'second', id: 2 }
}

const staging = stageTexts()
const service = serviceOf([
  mount({
    name: 'kit',
    resources: { things },
    handlers: {
      things: {
        load: async ({ content, name }) => ({ text: await textOf(content), name }),
        check: async () => new HttpAnswer({ ok: false }, { status: 503, headers: { 'x-note': 'down' } }),
        look: async ({ text }) => ({ length: text.length }),
        fail: async () => {
          throw conflict('it is there')
        },
        sample: async ({ stream, named = false }) =>
          stream || named ? new EventsAnswer(twoEvents(), { headers: { 'x-step': '3' }, named }) : { id: 1 },
      },
    },
    authenticate: () => 'ada',
    context: () => undefined,
    // As a disk, it takes a while to begin.
    stageUpload: async (content) => {
      await setImmediate()
      return staging.stageUpload(content)
    },
    looseSlashes: ['/v1/'],
    limits: { maxBodyBytes: 16, maxStagedBytes: 63 },
    stagedLimit: ({ name }) => (name === 'things.load' ? { maxStagedBytes: 64, stagedSetting: 'THINGS_BYTES' } : undefined),
    errorBody: (error: ApiError) => ({ detail: error.message }),
  }),
])
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  service.fetch(new Request(`http://local${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }))

describe('a staged body', () => {
  test('reaches the handler unread, and is dropped after it', async () => {
    const body = '{"list": "not looked at by the parser"}'
    expect(await (await post('/v1/things/a', body)).json()).toEqual({ text: body, name: 'a' })
    expect(staging.uploads.at(-1)).toMatchObject({ isDropped: true })
  })

  test('has a limit of its own', async () => {
    const response = await post('/v1/things/a', 'x'.repeat(65))
    const detail = 'Request too large: it has more, at most 64 are accepted here (THINGS_BYTES)'
    expect([response.status, await response.json()]).toEqual([413, { detail }])
  })

  test('that is too large by its declared length is refused before the disk is ready for it, and ends nothing else', async () => {
    const response = await post('/v1/things/a', 'x'.repeat(65), { 'content-length': '65' })
    const detail = 'Request too large: it has 65 bytes, at most 64 are accepted here (THINGS_BYTES)'
    expect([response.status, await response.json()]).toEqual([413, { detail }])
    // An error without a listener would end the process in the next turn.
    await setImmediate()
  })

  test('has the type that the operation declares', async () => {
    const response = await post('/v1/things/a', 'x', { 'content-type': 'image/png' })
    expect([response.status, await response.json()]).toEqual([
      415,
      { detail: 'content type "image/png" is not supported here; send application/json' },
    ])
  })
})

test('an answer may have a status and headers', async () => {
  const response = await service.fetch(new Request('http://local/v1/check'))
  expect([response.status, response.headers.get('x-note'), await response.json()]).toEqual([503, 'down', { ok: false }])
})

test('an answer may be events, with a mark after the last', async () => {
  const response = await post('/v1/sample', '{"stream":true}')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('x-step')).toBe('3')
  expect(await response.text()).toBe('data: {"type":"first","id":1}\n\ndata: {"type":"second","id":2}\n\ndata: [DONE]\n\n')
  expect(await (await post('/v1/sample', '{}')).json()).toEqual({ id: 1 })
})

test('events may have the names of their types, and nothing after the last', async () => {
  const response = await post('/v1/sample', '{"named":true}')
  expect(response.headers.get('x-step')).toBe('3')
  expect(await response.text()).toBe('event: first\ndata: {"type":"first","id":1}\n\nevent: second\ndata: {"type":"second","id":2}\n\n')
})

test('a service writes the bodies of its errors, and a conflict is not to be retried', async () => {
  const response = await service.fetch(new Request('http://local/v1/fail'))
  expect([response.status, response.headers.get('x-should-retry'), await response.json()]).toEqual([
    409,
    'false',
    { detail: 'it is there' },
  ])
})

test.each(['/v1//check', '//v1/check', '/v1/check'])('the path %s is found whatever its slashes', async (path) => {
  expect((await service.fetch(new Request(`http://local${path}`))).status).toBe(503)
})

test('the body of an operation that needs no key has at most 64 KiB, whatever others may have', async () => {
  const open = serviceOf([
    mount({
      name: 'kit',
      resources: { things: { look: things.look } },
      handlers: { things: { look: async ({ text }) => ({ length: text.length }) } },
      authenticate: () => Promise.reject(new Error('nobody is asked for a key')),
      context: () => undefined,
    }),
  ])
  const look = async (characters: number) => {
    const body = JSON.stringify({ text: 'x'.repeat(characters) })
    const headers = { 'content-type': 'application/json' }
    return (await open.fetch(new Request('http://kit.test/v1/look', { method: 'POST', headers, body }))).status
  }
  expect([await look(65_000), await look(66_000)]).toEqual([200, 413])
})
