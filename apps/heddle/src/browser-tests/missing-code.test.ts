import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { type OpenPage, withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const at = (path: string) => `/${seeded.ordinary.project}/${path}`

/** Scripts of a page that was not opened yet. */
const evaluations = 'Select two to 8 runs to compare'

/** Scripts that the page requests fail, until the returned function is called. */
async function failScripts(page: Page, how: 'offline' | 'replaced') {
  let isFailing = true
  await page.route('**/assets/*.js', (route) => {
    if (!isFailing) return route.continue()
    return how === 'offline' ? route.abort('internetdisconnected') : route.fulfill({ status: 404, body: 'not found' })
  })
  return () => {
    isFailing = false
  }
}

/** The server reports another build than the one that the page began with. */
async function updateBuild(page: Page) {
  await page.route(
    (url) => url.pathname === '/',
    async (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(/\/assets\/index-[^"]+\.js/, '/assets/index-newbuild.js') })
    },
  )
}

/** Counts how often the page is loaded from now on. */
function countLoads(page: Page) {
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  return loads
}

const openEvaluations = (page: Page) => page.getByRole('link', { name: 'Evaluations', exact: true }).first().click()

function expectMissing({ observed }: OpenPage) {
  for (const text of ['ERR_INTERNET_DISCONNECTED', '404', 'dynamically imported module', 'did not load']) observed.expect(text)
}

test('a page whose code cannot be loaded offline reports it in its place, and loads once the server answers', () =>
  withPage(async (open) => {
    const { page, visit } = open
    expectMissing(open)
    await visit(at('datasets'))
    const end = await failScripts(page, 'offline')
    await page.route(
      (url) => url.pathname === '/',
      (route) => route.abort('internetdisconnected'),
    )
    const loads = countLoads(page)
    await openEvaluations(page)
    const problem = page.getByRole('alert').filter({ hasText: 'A part of this page did not load' })
    await problem.getByText('The server could not be reached').waitFor()
    // Without an answer the browser would show its own error page.
    await problem.getByRole('button', { name: 'Reload' }).click()
    await problem.getByText('The server could not be reached').waitFor()
    expect(await page.getByRole('link', { name: 'Datasets', exact: true }).first().isVisible()).toBe(true)
    expect(loads).toEqual([])
    end()
    await page.unroute((url) => url.pathname === '/')
    await page.unrouteAll()
    await problem.getByRole('button', { name: 'Reload' }).click()
    await page.getByText(evaluations).waitFor()
  }))

test('a page whose code an update replaced reloads by itself, once', () =>
  withPage(async (open) => {
    const { page, visit } = open
    expectMissing(open)
    await visit(at('datasets'))
    const end = await failScripts(page, 'replaced')
    await updateBuild(page)
    const loads = countLoads(page)
    page.on('request', (request) => {
      if (request.isNavigationRequest()) end()
    })
    await openEvaluations(page)
    await page.getByText(evaluations).waitFor()
    expect(loads).toHaveLength(1)
  }))

test.each(inWholeRuns)('a page reloads only once where the code of an update does not arrive', () =>
  withPage(async (open) => {
    const { page, visit } = open
    expectMissing(open)
    await visit(at('datasets'))
    await page.route('**/assets/runs-page-*.js', (route) => route.fulfill({ status: 404, body: 'not found' }))
    await updateBuild(page)
    const loads = countLoads(page)
    await openEvaluations(page)
    await page.getByRole('alert').getByText('Heddle was updated. Reload to get the new version.').waitFor()
    expect(loads).toHaveLength(1)
  }),
)

test.each(inWholeRuns)('a page whose first script does not arrive is not empty', () =>
  withPage(async (open) => {
    const { page } = open
    expectMissing(open)
    await failScripts(page, 'replaced')
    await page.goto(at('datasets'))
    await page.getByRole('heading', { name: 'This page has not loaded' }).waitFor()
    await page.getByRole('link', { name: 'reload the page' }).waitFor()
  }),
)

test.each(inWholeRuns)('a dialog whose code cannot be loaded reports it, and loads again when reopened', () =>
  withPage(async (open) => {
    const { page, visit } = open
    expectMissing(open)
    await visit(at('datasets'))
    const end = await failScripts(page, 'offline')
    await page.keyboard.press('?')
    await page.getByRole('region', { name: 'Notifications' }).getByText('This did not load').waitFor()
    expect(await page.getByRole('link', { name: 'questions' }).first().isVisible()).toBe(true)
    end()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  }),
)
