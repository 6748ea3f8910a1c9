import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')

// Those of the first load, at most 12, and those of parts that are not waited for. With dozens of small files a page waits for each of them.
test.each([
  { name: 'traces', path: 'calls?range=30d', shows: 'answer_question', mostScripts: 18 },
  { name: 'a trace', path: `calls/${seeded.ordinary.rootCallIds[0]}`, shows: 'Input & output', mostScripts: 24 },
])('the page of $name shows its data with at most $mostScripts scripts', ({ path, shows, mostScripts }) =>
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

test('of a browser that was signed in before, the page of traces makes the request for its rows among the first ten', () =>
  withPage(async ({ page }) => {
    const traces = `/${seeded.ordinary.project}/calls?range=30d`
    const requests: string[] = []
    const rows = 'a page of rows'
    await page.goto(traces)
    await page.getByText('answer_question').first().waitFor()
    // Texts of rows without their own are read by the same operation.
    page.on('request', (request) => requests.push(request.postData()?.includes('"include_costs":true') ? rows : request.url()))
    await page.reload()
    await page.getByText('answer_question').first().waitFor()
    expect(requests.slice(0, 10)).toContain(rows)
  }))

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

const benchmarkLimitMs = 10 * 60_000

/** It exits with 1 where a page lacks what is measured. */
test.each(inWholeRuns)('the benchmark of the pages measures all that it names', { timeout: benchmarkLimitMs }, async () => {
  const args = ['.scripts/bench.mjs', 'web', '--small', '--live-seconds', '300']
  const cwd = fileURLToPath(new URL('../../../../', import.meta.url))
  await promisify(execFile)(process.execPath, args, { cwd, timeout: benchmarkLimitMs })
})
