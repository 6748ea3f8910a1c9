import { defineResource } from '@heddle/core-api'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAdmission, defaultAdmissionLimits } from '../admission/admission.ts'
import { createBodyBudget } from '../request/body-budget.ts'
import type { MountedService, UnservedRequest } from './endpoint.ts'
import type { RawRoute } from './mount-options.ts'
import { mount } from './mount.ts'
import { type RunningServer, serve } from '../http/serve.ts'
import { serviceOf, type ServiceOptions } from './service-of.ts'
import { type RawClient, rawClient } from '../testing/raw-client.ts'
import { mountSamples, recordedLog, type SampleOptions } from '../testing/sample-service.ts'

const running: RunningServer[] = []
const clients: RawClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy()
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function start(services: MountedService[], options: ServiceOptions = {}): Promise<RunningServer> {
  const server = await serve({ ...serviceOf(services, options), host: '127.0.0.1', port: 0, limits: { drainMs: 1_000 } })
  running.push(server)
  return server
}

const jobs = defineResource('Jobs', {
  create: { method: 'POST', path: '/jobs', effect: 'write', summary: 'Create', body: z.object({ model: z.string() }), output: z.unknown() },
  remove: { method: 'DELETE', path: '/jobs/{job_id}', effect: 'destroy', summary: 'Delete', output: z.unknown() },
})

interface OtherOptions extends Pick<SampleOptions, 'admission' | 'budget' | 'log'> {
  raw?: RawRoute<string>[]
  create?: () => Promise<unknown>
  prefixes?: string[]
  page?: () => Response
}

/** A second service, of another contract and with callers of its own. The name of its only key is `other`. */
function mountOther({ create = async () => ({ created: true }), ...options }: OtherOptions = {}) {
  return mount({
    name: 'other',
    resources: { jobs },
    handlers: { jobs: { create, remove: async () => ({}) } },
    authenticate: () => 'grace',
    context: (caller) => ({ caller }),
    keyId: () => 'other',
    ...options,
  })
}

const headers = { authorization: 'Bearer key' }
const create = (server: RunningServer) => fetch(`${server.url}/sample/create`, { method: 'POST', headers, body: '{"project_id":"e/p"}' })
const createJob = (server: RunningServer, model = 'm') =>
  fetch(`${server.url}/jobs`, { method: 'POST', headers, body: JSON.stringify({ model }) })

describe('services of one server', () => {
  test('describe requests that none of them takes, below the prefixes of one, where a browser still gets its page', async () => {
    const unserved = {
      prefixes: ['/sample', '/acme'],
      body: ({ method, path, allowed }: UnservedRequest) => ({ told: `${method} ${path}: ${allowed.join(' ')}` }),
    }
    const page = () => new Response('a page')
    const later = [{ open: async () => [mountOther({ prefixes: [''], page })] }]
    const service = serviceOf([mountSamples({ unserved })], { later })
    const answerOf = async (path: string, init?: RequestInit) => {
      const answer = await service.fetch(new Request(`http://heddle.test${path}`, init))
      return [answer.status, await answer.text()]
    }
    expect(await answerOf('/sample/none')).toEqual([404, '{"told":"GET /sample/none: "}'])
    expect(await answerOf('/sample/create', { method: 'DELETE' })).toEqual([405, '{"told":"DELETE /sample/create: POST"}'])
    expect(await answerOf('/none')).toEqual([404, '{"detail":"Not Found"}'])
    expect(await answerOf('/acme/shop', { headers: { accept: 'text/html' } })).toEqual([200, 'a page'])
  })

  test('answer on one port, each under its own name in the log, and other paths are not found', async () => {
    const log = recordedLog()
    const server = await start([mountSamples({ log }), mountOther({ log })], { log })
    expect(await (await create(server)).json()).toEqual({ project_id: 'e/p', count: null })
    expect(await (await createJob(server)).json()).toEqual({ created: true })
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404)
    await expect
      .poll(() => log.lines.map(({ fields }) => (fields as { operation: unknown }).operation))
      .toEqual(['kit.samples.create', 'other.jobs.create', null])
  })

  test('share a path that each answers with methods of its own', async () => {
    const raw: RawRoute<string>[] = [
      { name: 'list', method: 'GET', path: '/sample/create', handle: (_request, caller) => Response.json(caller) },
    ]
    const server = await start([mountSamples(), mountOther({ raw })])
    expect((await create(server)).status).toBe(200)
    expect(await (await fetch(`${server.url}/sample/create`)).json()).toBe('grace')
    const refused = await fetch(`${server.url}/sample/create`, { method: 'DELETE' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, GET'])
  })

  test.each<[string, 'GET' | 'POST', string]>([
    ['two operations answer POST /sample/create', 'POST', '/sample/create'],
    ['/samples/:object_id and /samples/:id are the same path; use the same parameter names', 'GET', '/samples/{id}'],
  ])('are refused at the start where %s', (message, method, path) => {
    const raw: RawRoute<string>[] = [{ name: 'taken', method, path, handle: () => new Response() }]
    expect(() => serviceOf([mountSamples(), mountOther({ raw })])).toThrow(message)
  })

  test('share the memory for bodies', async () => {
    const budget = createBodyBudget(1_000)
    const server = await start([mountSamples({ budget }), mountOther({ budget })])
    const slow = await rawClient(server.port)
    clients.push(slow)
    slow.write(`POST /sample/create HTTP/1.1\r\nHost: local\r\nAuthorization: Bearer key\r\nContent-Length: 600\r\n\r\n${' '.repeat(599)}`)
    await expect.poll(() => budget.usedBytes).toBe(599)
    const refused = await createJob(server, 'm'.repeat(500))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await createJob(server)).status).toBe(200)
    slow.socket.destroy()
    await expect.poll(() => budget.usedBytes).toBe(0)
    expect((await createJob(server, 'm'.repeat(500))).status).toBe(200)
  })

  test('share the queue of their writes', async () => {
    const writes = { ...defaultAdmissionLimits.writes, maxRunning: 1, maxOccupancyMs: 60_000 }
    const admission = createAdmission({ limits: { writes } })
    let end = () => {}
    const held = new Promise<void>((resolve) => (end = resolve))
    const server = await start([mountSamples({ admission, handlers: { create: () => held } }), mountOther({ admission })])
    const first = create(server)
    await expect.poll(() => admission.writes.running).toBe(1)
    const second = createJob(server)
    await expect.poll(() => admission.writes.waiting).toBe(1)
    end()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
  })
})

describe('services that are opened later', () => {
  const pages: RawRoute<string>[] = [{ name: 'page', method: 'GET', path: '/page', open: true, handle: () => new Response('a page') }]
  const textOf = async (response: Promise<Response>) => (await response).text()

  test('are opened once for all requests that need them, and not for a path of another service', async () => {
    let opened = 0
    const open = async () => {
      opened++
      return [mountOther()]
    }
    const server = await start([mountSamples()], { later: [{ open }] })
    expect((await create(server)).status).toBe(200)
    expect(opened).toBe(0)
    const answers = await Promise.all(Array.from({ length: 5 }, () => createJob(server)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(opened).toBe(1)
    expect((await fetch(`${server.url}/jobs`)).status).toBe(405)
  })

  test('are not opened for paths without their prefix, and the next are asked for what the first do not have', async () => {
    const opened: string[] = []
    const openAs = (name: string, services: MountedService[]) => async () => {
      opened.push(name)
      return services
    }
    const later = [{ prefixes: ['/jobs'], open: openAs('jobs', [mountOther()]) }, { open: openAs('pages', [mountSamples({ raw: pages })]) }]
    const server = await start([], { later })
    expect(await textOf(fetch(`${server.url}/page`))).toBe('a page')
    expect(opened).toEqual(['pages'])
    expect((await fetch(`${server.url}//jobs/x/nothing`)).status).toBe(404)
    expect(opened).toEqual(['pages', 'jobs'])
    expect((await createJob(server)).status).toBe(200)
    expect(opened).toEqual(['pages', 'jobs'])
  })

  test('that fail to open get 500 with the reason in the log, and are opened by the next request', async () => {
    const log = recordedLog()
    const failure = new Error('a file is missing')
    const opens = [() => Promise.reject(failure), async () => [mountOther()]]
    const server = await start([], { log, later: [{ open: () => opens.shift()!() }] })
    const failed = await createJob(server)
    expect([failed.status, await failed.json()]).toEqual([500, { reason: 'Internal server error' }])
    expect(log.lines).toContainEqual({
      level: 'error',
      fields: { operation: 'openServices', err: failure, requestId: expect.any(String) },
      message: 'operation failed unexpectedly',
    })
    expect((await createJob(server)).status).toBe(200)
  })
})

describe('an open path outside the contract', () => {
  const raw: RawRoute<string>[] = [
    { name: 'page', method: 'GET', path: '/page', open: true, handle: () => new Response('a page') },
    { name: 'form', method: 'POST', path: '/form', open: true, handle: async (request) => new Response(await request.text()) },
  ]

  test('asks for no key and takes a wrong one', async () => {
    const server = await start([mountSamples({ raw })])
    for (const authorization of ['', 'Bearer wrong'])
      expect(await (await fetch(`${server.url}/page`, { headers: { authorization } })).text()).toBe('a page')
  })

  test('takes a small body', async () => {
    const server = await start([mountSamples({ raw })])
    const post = (bytes: number) => fetch(`${server.url}/form`, { method: 'POST', body: 'x'.repeat(bytes) })
    expect(await (await post(65_536)).text()).toHaveLength(65_536)
    expect((await post(65_537)).status).toBe(413)
  })
})
