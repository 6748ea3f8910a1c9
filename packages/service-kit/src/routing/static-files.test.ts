import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unauthenticated } from '@heddle/core-api/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mount } from './mount.ts'
import { type RunningServer, serve } from '../http/serve.ts'
import { serviceOf } from './service-of.ts'
import { staticFiles, staticSite } from './static-files.ts'
import { rawClient } from '../testing/raw-client.ts'
import { mountSamples, recordedLog } from '../testing/sample-service.ts'

const script = '/assets/index-4fGh7_kQ.js'
const build: Record<string, string> = {
  'index.html': '<!doctype html><title>Heddle</title>',
  'favicon.svg': '<svg/>',
  'assets/textfile-longname.css': 'a{}',
  'assets/only.gz': 'a file of its own',
  '.hidden': 'hidden',
  [script.slice(1)]: 'plain',
  [`${script.slice(1)}.br`]: 'as br',
  [`${script.slice(1)}.gz`]: 'as gzip',
}

const folders: string[] = []
async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-static-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const log = recordedLog()
let server: RunningServer
let based: RunningServer

async function start(folder: string, prefixes: string[], basePath = ''): Promise<RunningServer> {
  const web = mount({
    name: 'web',
    resources: {},
    handlers: {},
    prefixes,
    authenticate: () => {
      throw unauthenticated()
    },
    context: () => undefined,
    log,
    ...(await staticFiles({ folder, basePath })),
  })
  return serve({ ...serviceOf([mountSamples(), web]), host: '127.0.0.1', port: 0, basePath })
}

beforeAll(async () => {
  const outside = await folderOf({ secret: 'secret' })
  const folder = await folderOf(build)
  await symlink(join(outside, 'secret'), join(folder, 'link.txt'))
  await symlink(outside, join(folder, 'linked'))
  server = await start(folder, [''])
  based = await start(folder, ['/ui'])
})
afterAll(async () => {
  await Promise.all([server.close(), based.close()])
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
})

interface Asked {
  method?: string
  headers?: Record<string, string>
  port?: number
}

/** The answer as it is on the wire: `fetch` would decode it. */
async function raw(path: string, { method = 'GET', headers = {}, port = server.port }: Asked = {}) {
  const client = await rawClient(port)
  const lines = Object.entries({ host: 'local', connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  client.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const [head = '', body = ''] = (await client.closed).split('\r\n\r\n')
  const answered = head.split('\r\n').slice(1)
  return {
    status: Number(head.split(' ')[1]),
    headers: new Headers(answered.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])),
    body,
  }
}

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('a file', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', 'no-cache', build['index.html']],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache', build['index.html']],
    ['/favicon.svg', 'image/svg+xml', 'no-cache', build['favicon.svg']],
    ['/assets/textfile-longname.css', 'text/css; charset=utf-8', 'no-cache', 'a{}'],
    ['/assets/only.gz', 'application/octet-stream', 'no-cache', 'a file of its own'],
    [script, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 'plain'],
  ])('%s is %s, cached as %s', async (path, type, cached, body) => {
    const answer = await raw(path)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([200, type, cached])
    expect([answer.body, answer.headers.get('content-length')]).toEqual([body, String(body?.length)])
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br', 'as br'],
    ['GZIP', 'gzip', 'as gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'as gzip'],
    ['br;q=0.0', null, 'plain'],
    ['identity', null, 'plain'],
    ['', null, 'plain'],
  ])('that stands there compressed goes to a client that takes "%s" as %s', async (accepted, encoding, body) => {
    const { headers, body: sent } = await raw(script, { headers: { 'accept-encoding': accepted } })
    expect([headers.get('content-encoding'), headers.get('vary'), sent]).toEqual([encoding, 'accept-encoding', body])
  })

  test('is not sent again to who has it, and each encoding is another content', async () => {
    const plain = (await raw(script)).headers.get('etag')!
    const packed = (await raw(script, { headers: { 'accept-encoding': 'br' } })).headers.get('etag')!
    expect(plain).toMatch(/^"[\w-]{27}"$/)
    for (const known of [plain, `W/${plain}`, `"other", ${plain}`, '*']) {
      const answer = await raw(script, { headers: { 'if-none-match': known } })
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', plain])
    }
    for (const unknown of [packed, '"other"', plain.slice(1, -1)])
      expect((await raw(script, { headers: { 'if-none-match': unknown } })).status).toBe(200)
  })

  test('is described without its content to a HEAD', async () => {
    const [described, sent] = [await raw(script, { method: 'HEAD' }), await raw(script)]
    expect([described.status, described.body]).toEqual([200, ''])
    const lasting = ({ headers }: typeof sent) => [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
    expect(lasting(described)).toEqual(lasting(sent))
  })

  test('takes no other method', async () => {
    const { status, headers } = await raw(script, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each(['/', script])('%s may load from this server alone, runs nothing inline and is in no frame', async (path) => {
    const { headers } = await raw(path)
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]),
    )
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual([
      'nosniff',
      'DENY',
      'no-referrer',
    ])
  })
})

describe('nothing beside the files', () => {
  const hostile = ['/../secret', '/assets/../../secret', '/%2e%2e/secret', '/..%2fsecret', '/%252e%252e/secret']
  const others = [
    '/.hidden',
    '/link.txt',
    '/linked/secret',
    '/assets',
    '/assets/',
    `${script}.br`,
    '/index.html%00',
    '//index.html',
    '/INDEX.HTML',
  ]

  test.each([...hostile, ...others])('is at %s', async (path) => {
    expect(await raw(path)).toMatchObject({ status: 404, body: '{"detail":"Not Found"}' })
  })

  test('is behind a backslash', async () => {
    expect((await raw('/..\\secret')).status).toBe(400)
  })
})

describe('an unknown path', () => {
  test('is a page of the user interface to a browser that opens it', async () => {
    const answer = await raw('/acme/shop/calls/1', { headers: navigation })
    expect([answer.status, answer.body]).toEqual([200, build['index.html']])
    const known = { ...navigation, 'if-none-match': answer.headers.get('etag')! }
    expect((await raw('/acme/shop/calls/2', { headers: known })).status).toBe(304)
    expect(log.lines.at(-1)?.fields).toMatchObject({ operation: 'web.page', status: 304, key: null })
  })

  test.each<[string, string, Record<string, string>]>([
    ['a program', 'GET', {}],
    ['a program that takes all', 'GET', { accept: '*/*' }],
    ['a script or picture of a page', 'GET', { ...navigation, 'sec-fetch-mode': 'no-cors' }],
    ['a form', 'POST', navigation],
  ])('is not found by %s', async (_who, method, headers) => {
    expect((await raw('/acme/shop/calls/1', { method, headers })).status).toBe(404)
  })

  test('of an operation stays one, also in a browser', async () => {
    expect((await raw('/sample/create', { headers: navigation })).status).toBe(405)
    expect((await raw('/samples/x/tags/all', { headers: navigation })).status).toBe(401)
  })
})

test('files are under a prefix, and so do the pages', async () => {
  const get = async (path: string) => (await raw(path, { headers: navigation, port: based.port })).status
  expect(await get(`/ui${script}`)).toBe(200)
  expect([await get('/ui'), await get('/ui/'), await get('/ui/acme/shop')]).toEqual([200, 200, 200])
  expect([await get(script), await get('/'), await get('/uis')]).toEqual([404, 404, 404])
})

describe('below a base path', () => {
  const built = {
    page: '<!doctype html><meta name="base-path" content="/" /><link href="/a.css" /><a href="//other">/</a><script src="/a.js"></script>',
    completed:
      '<!doctype html><meta name="base-path" content="/ui/" /><link href="/ui/a.css" /><a href="//other">/</a><script src="/ui/a.js"></script>',
  }
  let port: number
  beforeAll(async () => {
    const compressed = { 'index.html.br': 'replaced', 'index.html.gz': 'replaced' }
    const folder = await folderOf({ ...build, 'index.html': built.page, ...compressed })
    const below = await start(folder, [''], '/ui')
    port = below.port
    return () => below.close()
  })
  /** The page, which `fetch` unpacks. */
  const fetchPage = (encoding: string) => fetch(`http://127.0.0.1:${port}/ui/`, { headers: { 'accept-encoding': encoding } })

  test.each(['/ui', '/ui/', '/ui/acme/shop', '/', '/acme/shop'])('the page at %s names files below it', async (path) => {
    expect((await raw(path, { headers: navigation, port })).body).toBe(built.completed)
  })

  test.each(['br', 'gzip'])('the page that goes out as %s is the same one', async (encoding) => {
    const answer = await fetchPage(encoding)
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([encoding, built.completed])
  })

  test('each encoding of the page has a tag of its own, by which it is not sent again', async () => {
    const tags = await Promise.all(['br', 'gzip', 'identity'].map(async (encoding) => (await fetchPage(encoding)).headers.get('etag')!))
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{27}"$/)
    const [known = ''] = tags
    expect((await raw('/ui/', { headers: { 'accept-encoding': 'br', 'if-none-match': known }, port })).status).toBe(304)
  })

  test.each([`/ui${script}`, script])('a file at %s goes out as it was built', async (path) => {
    const answer = await raw(path, { headers: { 'accept-encoding': 'br' }, port })
    expect([answer.body, answer.headers.get('cache-control')]).toEqual(['as br', 'public, max-age=31536000, immutable'])
  })
})

test('files are read together when one of them is first needed, so that they belong to one build', async () => {
  const folder = await folderOf({ 'index.html': 'started', 'a.js': 'started', 'gone.js': '' })
  const late = await start(folder, [''])
  await writeFile(join(folder, 'a.js'), 'rebuilt')
  await rm(join(folder, 'gone.js'))
  expect((await raw('/a.js', { port: late.port })).body).toBe('rebuilt')
  await writeFile(join(folder, 'index.html'), 'rebuilt again')
  expect((await raw('/', { port: late.port })).body).toBe('started')
  expect((await raw('/gone.js', { port: late.port })).status).toBe(500)
  expect(JSON.stringify(log.lines, errorsAsText)).toContain(`gone.js is no longer in ${folder}`)
  await late.close()
})

const errorsAsText = (_: string, value: unknown) => (value instanceof Error ? value.message : value)

describe('a folder is refused', () => {
  test.each<[string, Record<string, string>, string]>([
    ['without a page', { 'a.js': '' }, 'it has no index.html; build the user interface first'],
    ['with a name that a URL would change', { 'index.html': '', 'a b.js': '' }, 'its path may only contain letters, digits and -._~@'],
    ['with too many bytes', { 'index.html': 'x'.repeat(11) }, 'its files have more than 10 bytes'],
  ])('%s', async (_what, files, message) => {
    await expect(staticFiles({ folder: await folderOf(files), maxBytes: 10 })).rejects.toThrow(message)
  })
})

describe('a site below a prefix', () => {
  const pages: Record<string, string> = {
    'index.html': '<!doctype html><title>First</title>',
    'start.html': '<!doctype html><title>Start</title>',
    'clients/one.html': '<!doctype html><title>One</title>',
    'start.md': '# Start',
    '404.html': '<!doctype html><html data-root="/docs/"><a href="/docs/">First</a>',
  }
  let site: RunningServer
  let siteBelow: RunningServer

  async function startSite(folder: string, basePath = ''): Promise<RunningServer> {
    const docs = mount({
      name: 'docs',
      resources: {},
      handlers: {},
      prefixes: ['/docs'],
      authenticate: () => {
        throw unauthenticated()
      },
      context: () => undefined,
      log,
      ...(await staticSite({ folder, basePath })),
    })
    return serve({ ...serviceOf([mountSamples(), docs]), host: '127.0.0.1', port: 0, basePath })
  }

  beforeAll(async () => {
    const folder = await folderOf(pages)
    site = await startSite(folder)
    siteBelow = await startSite(folder, '/tools')
  })
  afterAll(() => Promise.all([site.close(), siteBelow.close()]))

  test.each([
    ['/docs/', 'text/html; charset=utf-8', 'index.html'],
    ['/docs/start', 'text/html; charset=utf-8', 'start.html'],
    ['/docs/clients/one', 'text/html; charset=utf-8', 'clients/one.html'],
    ['/docs/start.md', 'text/markdown; charset=utf-8', 'start.md'],
  ])('has at %s, as %s, its file %s', async (path, type, name) => {
    const answer = await raw(path, { port: site.port })
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, type, pages[name]])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each(['/docs', '/tools/docs'])('sends %s to its first page, relatively, so that it needs no base path', async (path) => {
    const answer = await raw(path, { port: path === '/docs' ? site.port : siteBelow.port })
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'docs/'])
  })

  test('answers a browser at an unknown path with its own page and 404, and addresses below the base path', async () => {
    for (const path of ['/docs/none', '/docs/start.html', '/docs/a/b/c', '/docs/404.html'])
      expect(await raw(path, { headers: navigation, port: site.port })).toMatchObject({ status: 404, body: pages['404.html'] })
    const below = await raw('/tools/docs/none', { headers: navigation, port: siteBelow.port })
    expect(below.body).toBe('<!doctype html><html data-root="/tools/docs/"><a href="/tools/docs/">First</a>')
  })

  test('answers a program at an unknown path like the API', async () => {
    expect(await raw('/docs/none', { port: site.port })).toMatchObject({ status: 404, body: '{"detail":"Not Found"}' })
  })

  test.each(['index.html', '404.html'])('needs %s', async (name) => {
    const { [name]: _, ...others } = pages
    await expect(staticSite({ folder: await folderOf(others) })).rejects.toThrow(`it has no ${name}`)
  })
})
