import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')

/** Those of the first load, at most 12, and those of parts that are not waited for. With dozens of small files a page waits for each of them. */
const mostScripts = 24

test.each([
  { name: 'traces', path: 'calls?range=30d', shows: 'answer_question' },
  { name: 'a trace', path: `calls/${seeded.ordinary.rootCallIds[0]}`, shows: 'Input & output' },
])('the page of $name shows its data with at most 24 scripts', ({ path, shows }) =>
  withPage(async ({ page }) => {
    const scripts: string[] = []
    // What a page does not need at once is requested when the browser is idle: here never.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(`/${seeded.ordinary.project}/${path}`)
    await expect.poll(() => page.textContent('main')).toContain(shows)
    expect(scripts.length).toBeGreaterThan(1)
    expect(scripts.length).toBeLessThanOrEqual(mostScripts)
  }),
)

test.each(inWholeRuns)('the calls of a trace are read while the part of the page that shows them still loads', () =>
  withPage(async ({ page }) => {
    const held: (() => Promise<void>)[] = []
    await page.route(/\/assets\/trace-page-[^/]*\.js$/, (route) => {
      held.push(() => route.continue())
    })
    const read = page.waitForResponse('**/calls/stream_trace')
    await page.goto(`/${seeded.ordinary.project}/calls/${seeded.ordinary.rootCallIds[0]}`, { waitUntil: 'commit' })
    await read
    expect(await page.getByRole('treeitem').count()).toBe(0)
    expect(held).toHaveLength(1)
    for (const release of held) await release()
    await page.getByRole('treeitem').first().waitFor()
  }),
)
