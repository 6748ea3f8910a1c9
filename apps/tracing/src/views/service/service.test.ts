import { tracing, type Operation } from '@heddle/core-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aStart, findCalls } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('operations of the service (4)', () => {
  const answers: [string, unknown][] = [
    ['/health', { status: 'ok' }],
    ['/version', { version: '0.0.0-test' }],
    ['/server_info', { min_required_weave_python_version: '0.51.0', trace_server_version: '1.0.0' }],
    ['/geolocate?ip=192.0.2.1', { ip: '192.0.2.1', location: null, allowed: true }],
    ['/geolocate', { ip: expect.any(String) as string, location: null, allowed: true }],
  ]

  test.each(answers)('%s answers without a key, at the root and under /traces', async (path, body) => {
    for (const prefix of ['', '/traces']) {
      for (const apiKey of [null, 'no-such-key', app.apiKey]) {
        expect(await sendRaw(app, { method: 'GET', path: prefix + path, apiKey })).toMatchObject({ status: 200, body })
      }
    }
  })

  test('projects_info answers in the order asked, the same for the life of a project, without a slash', async () => {
    const projects = [app.newProject(), app.newProject()]
    for (const project_id of projects) await app.client.calls.start({ start: aStart({ project_id }) })
    const project_ids = [projects[1] ?? '', projects[0] ?? '', projects[1] ?? '']
    const infos = await app.client.service.projectsInfo({ project_ids })
    expect(infos.map((info) => info.external_project_id)).toEqual(project_ids)
    expect(new Set(infos.map((info) => info.internal_project_id)).size).toBe(2)
    for (const info of infos) expect(info.internal_project_id).toMatch(/^[^/]+$/)
    expect(await app.client.service.projectsInfo({ project_ids })).toEqual(infos)
    expect(await app.client.service.projectsInfo({ project_ids: [] })).toEqual([])
  })

  test('projects_info of a project that was never written to is 404, of a malformed one 400', async () => {
    await expect(app.client.service.projectsInfo({ project_ids: [app.newProject()] })).rejects.toMatchObject({ status: 404 })
    await expect(app.client.service.projectsInfo({ project_ids: ['nowhere'] })).rejects.toMatchObject({ status: 400 })
  })
})

describe('projects (3)', () => {
  test.each(['nowhere', '', '/', 'a/', '/b', 'a/b/c', 'calls/p'])('the id %j is 400', async (project_id) => {
    expect(await sendRaw(app, { path: '/calls/stream_query', body: { project_id } })).toMatchObject({
      status: 400,
      body: { reason: expect.any(String) },
    })
  })

  test('the project to which switched-off clients post is refused', async () => {
    const body = { start: aStart({ project_id: 'DISABLED/DISABLED' }) }
    expect(await sendRaw(app, { path: '/call/start', body })).toMatchObject({ status: 403, body: { reason: 'Forbidden' } })
  })

  test('a project comes into being with the first write, and reading does not make one', async () => {
    const project_id = app.newProject()
    expect(await findCalls(app.client, { project_id })).toEqual([])
    await expect(app.client.service.projectsInfo({ project_ids: [project_id] })).rejects.toMatchObject({ status: 404 })
    await app.client.calls.start({ start: aStart({ project_id }) })
    expect(await app.client.service.projectsInfo({ project_ids: [project_id] })).toHaveLength(1)
  })
})

describe('credentials (3)', () => {
  const ask = (headers: Record<string, string>) =>
    sendRaw(app, { path: '/calls/query_stats', body: { project_id: 'e/p' }, apiKey: null, headers })
  const basic = (user: string, secret: string) => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`

  test.each<[string, (secret: string) => Record<string, string>]>([
    ['Basic with the usual user', (secret) => ({ authorization: basic('api', secret) })],
    ['Basic with any user', (secret) => ({ authorization: basic('somebody', secret) })],
    ['Basic without a user', (secret) => ({ authorization: basic('', secret) })],
    ['Bearer', (secret) => ({ authorization: `Bearer ${secret}` })],
    ['a header of its own', (secret) => ({ 'wandb-api-key': secret })],
  ])('%s is taken', async (_, headers) => {
    expect((await ask(headers(app.apiKey))).status).toBe(200)
    expect((await ask(headers('0'.repeat(50)))).status).toBe(401)
  })

  test.each<[string, Record<string, string>]>([
    ['none', {}],
    ['Basic without a password', { authorization: 'Basic YXBp' }],
    ['an unknown scheme', { authorization: 'Digest x' }],
    ['Basic of nothing', { authorization: 'Basic' }],
  ])('%s is 401 with its challenge', async (_, headers) => {
    const answer = await ask(headers)
    expect(answer).toMatchObject({ status: 401, body: { detail: 'Not authenticated' } })
    expect(answer.headers.get('www-authenticate')).toBe('Basic')
  })
})

describe('bodies of errors (5)', () => {
  const operations = Object.values(tracing).flatMap((resource) => Object.values<Operation>(resource))
  const withBody = operations.filter(({ body }) => body !== undefined)
  const needsFields = ({ body }: Operation) => Object.values(body?.shape ?? {}).some((field) => !field.safeParse(undefined).success)

  test.each(withBody.filter(needsFields).map((operation) => [operation.path, operation] as const))(
    '%s without its fields is 422 that names them',
    async (path, { method }) => {
      const concrete = path.replace(/\{\w+\}/g, 'x')
      const answer = await sendRaw(app, { method, path: concrete, body: {} })
      expect(answer.status).toBe(422)
      const { detail } = answer.body as { detail: { loc: unknown[]; msg: string; type: string }[] }
      expect(detail.length).toBeGreaterThan(0)
      for (const issue of detail) expect(issue).toMatchObject({ loc: ['body', expect.any(String)], msg: 'Field required', type: 'missing' })
    },
  )

  test.each(withBody.map((operation) => [operation.path, operation] as const))(
    '%s with invalid JSON, or JSON that is not an object, is 422',
    async (path, operation) => {
      const { method } = operation
      const concrete = path.replace(/\{\w+\}/g, 'x')
      // No body at all is one without fields.
      for (const body of ['[]', 'null', '1', '{"a":', ...(needsFields(operation) ? [''] : [])]) {
        const answer = await sendRaw(app, { method, path: concrete, body, headers: { 'content-type': 'application/json' } })
        expect([body, answer.status, Array.isArray((answer.body as { detail: unknown }).detail)]).toEqual([body, 422, true])
      }
    },
  )

  test('a path that is not an operation is 404', async () => {
    for (const path of ['/nowhere', '/traces/nowhere', '/call', '/call/start/', '/traces', '/api/call/start', '/v2/e/p/call/other']) {
      expect(await sendRaw(app, { path, body: {} })).toMatchObject({ status: 404, body: { detail: 'Not Found' } })
    }
  })

  test.each([
    '/agents/query',
    '/agents/spans/query',
    '/dataset_sources/query',
    '/evaluations/rescore',
    '/files/resolve_url',
    '/project/ingest_sampling_settings/read',
    '/v2/e/p/runtimes/name',
  ])('%s, which newer clients ask for, is 404: they continue without it', async (path) => {
    for (const method of ['POST', 'GET', 'PUT']) {
      const body = method === 'GET' ? undefined : { project_id: 'e/p' }
      expect(await sendRaw(app, { method, path, body })).toMatchObject({ status: 404, body: { detail: 'Not Found' } })
    }
  })

  test('another method is 405 that names the right one', async () => {
    for (const { path, method } of operations) {
      const concrete = path.replace(/\{\w+\}/g, 'x')
      const answer = await sendRaw(app, { method: 'PATCH', path: concrete })
      expect(answer).toMatchObject({ status: 405, body: { detail: 'Method Not Allowed' } })
      expect(answer.headers.get('allow')?.split(', ')).toContain(method)
    }
  })

  test('a body without a content type is read as JSON', async () => {
    const body = new Uint8Array(Buffer.from(JSON.stringify({ project_id: 'e/p' })))
    const request = new Request('http://heddle.test/calls/query_stats', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${app.apiKey}` },
    })
    expect(request.headers.get('content-type')).toBeNull()
    expect((await app.service.fetch(request)).status).toBe(200)
  })

  test('JSON that is not UTF-8 is 400', async () => {
    const body = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)
    expect((await sendRaw(app, { path: '/calls/query_stats', body })).status).toBe(400)
  })
})
