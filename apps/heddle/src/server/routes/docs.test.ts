import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve, type RunningServer, serviceOf } from '@heddle/service-kit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createServerLog } from '../../log/server-log.ts'
import { openDocs } from './docs.ts'

const log = createServerLog('error', { write: () => undefined })
const folder = fileURLToPath(new URL('docs/', inject('builtChildren')))
const basePath = '/tools/heddle'
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && name !== '404.html')
  .map((name) => (name === 'index.html' ? '' : name.replace(/\.html$/, '')))

let root: RunningServer
let below: RunningServer
beforeAll(async () => {
  const start = async (basePath: string) =>
    serve({ ...serviceOf([await openDocs({ folder, log, basePath })]), host: '127.0.0.1', port: 0, basePath })
  root = await start('')
  below = await start(basePath)
})
afterAll(() => Promise.all([root.close(), below.close()]))

test('every page is served without a key, with the policy of our pages, at the root and below a base path', async () => {
  const wrong: string[] = []
  for (const server of [root, below])
    for (const page of pages) {
      const response = await fetch(`${server.url}/docs/${page}`)
      const policy = response.headers.get('content-security-policy') ?? ''
      const isPage = response.status === 200 && (await response.text()).includes('<main id="content"')
      if (!isPage || !policy.includes("default-src 'none'") || policy.includes('unsafe')) wrong.push(response.url)
    }
  expect(pages.length).toBeGreaterThan(80)
  expect(wrong).toEqual([])
})

test('the address without a slash leads to the first page, also below a base path', async () => {
  for (const server of [root, below]) {
    const response = await fetch(`${server.url}/docs`)
    expect([response.url, response.status]).toEqual([`${server.url}/docs/`, 200])
  }
})

test.each([
  ['llms.txt', 'text/plain; charset=utf-8', '# Heddle'],
  ['llms-full.txt', 'text/plain; charset=utf-8', '<!-- start.md -->'],
  ['start.md', 'text/markdown; charset=utf-8', '# Ten minutes'],
])('%s is served as %s', async (name, type, part) => {
  const response = await fetch(`${below.url}/docs/${name}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  expect(await response.text()).toContain(part)
})

test('where the documentation is not built, the response explains how to build it', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'heddle-docs-'))
  const server = await serve({ ...serviceOf([await openDocs({ folder: empty, log })]), host: '127.0.0.1', port: 0 })
  const response = await fetch(`${server.url}/docs/`)
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('npm start')])
  await server.close()
  await rm(empty, { recursive: true })
})
