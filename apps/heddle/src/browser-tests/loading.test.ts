import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, seeded } = inject('webServer')

test('modules that every page needs are preloaded', async () => {
  const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const preloaded = [...html.matchAll(/<link rel="modulepreload" crossorigin href="(\/assets\/([a-z-]+)-[^/"]{8}\.js)">/g)]
  expect(preloaded.map(([, , name]) => name).sort()).toEqual(['calls', 'parts', 'rolldown-runtime', 'usage'])
  for (const [, path] of preloaded) expect((await fetch(new URL(path ?? '', url))).status).toBe(200)
})

test.each(inWholeRuns)('the calls of a trace are read while the part of the page that shows them still loads', () =>
  withPage(async ({ page }) => {
    const held: (() => Promise<void>)[] = []
    await page.route(/\/assets\/trace-(?!model-)[^/]*\.js$/, (route) => {
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
