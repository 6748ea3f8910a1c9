import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tracing, training } from '@heddle/core-api'
import { isReservedEntity } from '@heddle/identity'
import { listOperations, serve, serviceOf } from '@heddle/service-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toConfiguration } from '../../settings/configuration.ts'
import { createServerLog } from '../../log/server-log.ts'
import { openPages } from './pages.ts'
import { type StartedServer, startServer } from '../start-server.ts'

const log = createServerLog('error', { write: () => undefined })
const html = '<!doctype html><title>Heddle</title><script type="module" src="/assets/index-4fGh7_kQ.js"></script>'
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'user-agent': 'Mozilla/5.0' }

let folder: string
let started: StartedServer
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-pages-'))
  const pages = join(folder, 'web')
  await mkdir(join(pages, 'assets'), { recursive: true })
  await writeFile(join(pages, 'index.html'), html)
  await writeFile(join(pages, 'assets', 'index-4fGh7_kQ.js'), 'export {}')
  const flags = { dataDir: join(folder, 'data'), apiKey: 'a-key-of-the-test', port: '0' }
  started = await startServer(toConfiguration({ environment: {}, flags }), log, pages)
  url = started.server.url
}, 120_000)
afterAll(async () => {
  await started.close()
  await rm(folder, { recursive: true })
})

const operations = [...listOperations(tracing), ...listOperations(training)].flatMap(({ operation }) =>
  [operation.path, ...(operation.aliases ?? [])].map((path) => ({ method: operation.method, path })),
)
const serverRoutes = [
  '/session',
  '/session/link',
  '/session/link/redeem',
  '/mcp',
  '/graphql',
  '/service/backup',
  '/service/stats',
  '/livez',
  '/readyz',
].map((path) => ({ method: /stats$|z$/.test(path) ? 'GET' : 'POST', path }))
/** With a value for each parameter. */
const filled = (path: string) => path.replace(/\{\w+\}/g, 'x1')

/** Asks as a browser that opens an address: `fetch` would say that a script asks. */
async function open(address: string, { method = 'GET', host = new URL(address).host } = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(address, { method, headers: { ...browser, host }, agent: false }, resolve)
      .on('error', reject)
      .end()
  })
  const { 'content-type': type = '', 'cache-control': cached, 'content-security-policy': policy } = answer.headers
  return { status: answer.statusCode, type, cached, policy, body: await text(answer) }
}

test('every path of the API answers as the API, also to a browser', async () => {
  const wrong: string[] = []
  for (const { method, path } of [...operations, ...serverRoutes]) {
    const answers = [await open(url + filled(path), { method }), await open(url + filled(path))]
    const isUnserved = ({ status, body }: (typeof answers)[number]) =>
      body.includes('"detail":"Not Found"') || (status === 404 && body.includes(' is not served; '))
    if (answers.some((answer) => answer.type.startsWith('text/html') || isUnserved(answer))) wrong.push(`${method} ${path}`)
  }
  expect(operations.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

test('no project has the address of an operation or of a page outside projects', () => {
  const words = new Set([...operations, ...serverRoutes].map(({ path }) => path.split('/')[1] ?? ''))
  expect([...words, 'sign-in', 'status', 'assets'].filter((word) => !isReservedEntity(word))).toEqual([])
})

const inProject = [
  '',
  '/calls',
  '/calls/0197-1',
  '/calls/compare?ids=1,2',
  '/r/call/0197-1',
  '/weave/calls',
  '/threads/t%201',
  '/evaluations/runs/r1',
  '/evaluations/compare?ids=1,2&baseline=1',
  '/datasets/d/versions/abc',
  '/queues/q/annotate/i',
  '/scorers',
  '/models',
  '/ops',
  '/prompts',
  '/objects',
  '/playground',
  '/training/jobs/j1',
  '/training/models/m1',
  '/settings/keys',
]

test.each(['/', '/sign-in', '/status', ...inProject.map((path) => `/acme/my%20shop${path}`)])(
  'a browser gets the page at %s',
  async (path) => {
    const answer = await open(url + path)
    expect(answer).toMatchObject({ status: 200, type: 'text/html; charset=utf-8', cached: 'no-cache', body: html })
    expect(answer.policy).toContain("default-src 'none'")
  },
)

test('a program gets no page instead of an answer', async () => {
  const answer = await fetch(`${url}/acme/shop/calls`)
  expect([answer.status, await answer.json()]).toEqual([404, { detail: 'Not Found' }])
})

test('files with a hash in their name are kept by the browser', async () => {
  const { headers } = await fetch(`${url}/assets/index-4fGh7_kQ.js`)
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('below a base path a browser gets a page whose files are below it, also where a proxy takes the base path off', async () => {
  const url = 'https://heddle.example/tools/heddle'
  const flags = { dataDir: join(folder, 'below'), apiKey: 'a-key-of-the-test', port: '0', basePath: '/tools/heddle', url }
  const { server, close } = await startServer(toConfiguration({ environment: {}, flags }), log, join(folder, 'web'))
  const root = `http://127.0.0.1:${server.port}`
  expect(server.url).toBe(`${root}/tools/heddle`)
  const completed = html.replace('"/assets', '"/tools/heddle/assets')
  for (const path of ['/tools/heddle', '/tools/heddle/acme/shop/calls', '/acme/shop/calls'])
    expect(await open(root + path)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8', body: completed })
  const statusFor = async (host: string) => (await open(root, { host })).status
  expect([await statusFor('heddle.example'), await statusFor('evil.example')]).toEqual([200, 400])
  expect((await fetch(`${server.url}/assets/index-4fGh7_kQ.js`)).status).toBe(200)
  await close()
})

describe('without built pages', () => {
  test.each(['/', '/acme/shop/calls'])('the response to a browser at %s explains how to build them', async (path) => {
    const server = await serve({ ...serviceOf([await openPages({ folder: join(folder, 'none'), log })]), host: '127.0.0.1', port: 0 })
    const answer = await open(`http://127.0.0.1:${server.port}${path}`)
    expect(answer).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8', body: expect.stringContaining('npm start') })
    await server.close()
  })
})
