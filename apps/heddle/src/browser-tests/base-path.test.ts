import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandHere, type RunningCommand, startCommand } from '../testing/run-command.ts'
import { type OpenPage, settle, withPage } from './testing/open-page.ts'
import { startStrippingProxy, type StrippingProxy } from './testing/start-stripping-proxy.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const basePath = '/tools/heddle'
const apiKey = 'a-key-of-the-test'
const project = `test/${randomUUID()}`
const call = randomUUID()

let folder: string
let server: RunningCommand
/** Address of the server itself, with the base path. */
let direct: string
let proxy: StrippingProxy

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-base-path-'))
  server = startCommand(['serve', '--port', '0', '--base-path', basePath], { HEDDLE_DATA_DIR: folder, HEDDLE_API_KEY: apiKey })
  await server.said('Any program')
  direct = / is ready at (\S+)/.exec(server.out())?.[1] ?? ''
  proxy = await startStrippingProxy(direct, basePath)
  await seed(proxy.url)
})
afterAll(async () => {
  await proxy?.close()
  server.child.kill('SIGTERM')
  await server.ended
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** A call and an object of two versions. */
async function seed(baseUrl: string): Promise<void> {
  const client = createClient({ baseUrl, apiKey, contract: tracing })
  const [entity = '', name = ''] = project.split('/')
  const at = new Date().toISOString()
  const empty = { attributes: {}, inputs: {}, output: null, summary: {} }
  const one = { ...empty, project_id: project, id: call, trace_id: randomUUID(), op_name: 'answer', started_at: at, ended_at: at }
  await client.calls.complete({ entity, project: name, batch: [one] })
  for (const text of ['Hello', 'Good morning'])
    await client.objects.create({ obj: { project_id: project, object_id: 'greeting', val: { text } } })
}

/** Paths of all requests of a page that are not below the base path. */
function requestsOutside(page: Page): string[] {
  const outside: string[] = []
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !`${pathname}/`.startsWith(`${basePath}/`)) outside.push(pathname)
  })
  return outside
}

const pathOf = (page: Page) => new URL(page.url()).pathname

async function signIn({ page, observed }: OpenPage, url: string): Promise<void> {
  observed.expect('401')
  const link = await runCommandHere(['sign-in-link', '--url', url], { HEDDLE_API_KEY: apiKey })
  expect(link.out).toContain(`${url}/sign-in#`)
  await page.goto(link.out.trim())
  await page.getByRole('link', { name: project }).waitFor()
}

/** Signs in and visits pages that load each kind of resource. */
async function walk(url: string): Promise<void> {
  await withPage(
    async (open) => {
      const { page, visit } = open
      const outside = requestsOutside(page)
      await signIn(open, url)
      expect(pathOf(page)).toBe(`${basePath}/`)
      const cookies = await page.context().cookies()
      expect(cookies.map((cookie) => cookie.path)).toEqual([basePath])

      await page.getByRole('link', { name: project }).click()
      await page.waitForURL(`${url}/${project}`)
      await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Traces' }).click()
      await page.waitForURL(`${url}/${project}/calls*`)
      await page.getByRole('link', { name: 'answer' }).first().click()
      const trace = page.getByRole('heading', { name: 'answer', level: 1 })
      await trace.waitFor()
      expect(pathOf(page)).toBe(`${basePath}/${project}/calls/${call}`)
      await page.reload()
      await trace.waitFor()
      await visit(`/${project}/r/call/${call}`)
      await page.waitForURL(`${url}/${project}/calls/${call}`)
      await trace.waitFor()

      await visit(`/${project}/objects/greeting`)
      await page.getByRole('radio', { name: 'Changes' }).click()
      await expect.poll(() => page.textContent('main')).toContain('Good morning')
      await expect.poll(() => page.getByRole('region', { name: 'Differences' }).textContent()).toContain('Hello')

      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: /Traces recent/ }).click()
      await page.waitForURL(`${url}/${project}/calls*`)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search pages/ }).fill('datasets')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${url}/${project}/datasets`)
      await page.goBack()
      await page.waitForURL(`${url}/${project}/calls*`)
      await page.getByRole('button', { name: `Project ${project}` }).click()
      await page.getByRole('menuitem', { name: 'All projects' }).click()
      await page.waitForURL(`${url}/`)
      await settle(page)
      expect(outside).toEqual([])
    },
    { url },
  )
}

test('behind a proxy that takes the base path off, every page and every request is below it', () => walk(proxy.url))

test.each(inWholeRuns)('a public link to a trace leads below it, and opens there without a session', async () => {
  let link = ''
  await withPage(
    async (open) => {
      await signIn(open, proxy.url)
      await open.visit(`/${project}/calls/${call}`)
      await open.page.getByRole('button', { name: 'Share' }).click()
      await open.page.getByRole('button', { name: 'Create link' }).click()
      link = (await open.page.locator('[data-secret]').textContent()) ?? ''
    },
    { url: proxy.url },
  )
  expect(link.split('#')[0]).toBe(`${proxy.url}/shared`)
  await withPage(
    async ({ page }) => {
      const outside = requestsOutside(page)
      await page.goto(link)
      await page.getByRole('treeitem', { name: /answer/ }).waitFor()
      await page.getByText('Read-only').waitFor()
      expect(outside).toEqual([])
    },
    { url: proxy.url },
  )
})

test.each(inWholeRuns)('behind a proxy that passes the base path on, every page and every request is below it', () => walk(direct))

test.each(inWholeRuns)('a page that is opened without the base path continues below it, where the session is', () =>
  withPage(
    async (open) => {
      const { page } = open
      await signIn(open, direct)
      await page.goto(`${new URL(direct).origin}/${project}/calls?level=all#x`)
      await page.getByRole('link', { name: 'answer' }).first().waitFor()
      expect(page.url()).toMatch(`${direct}/${project}/calls?level=all`)
    },
    { url: direct },
  ),
)
