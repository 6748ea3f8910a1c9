import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** What a server answers of deletions while they run: how long they do is up to the machine. */
const deletions = (removed: number) => [
  { id: 'a', kind: 'calls', deleted_at: '2026-11-01T00:00:00Z', total: 1_200_000, removed, ended_at: null },
  { id: 'b', kind: 'feedback', deleted_at: '2026-11-01T00:00:00Z', total: 20_000, removed: 25_000, ended_at: null },
  { id: 'c', kind: 'calls', deleted_at: '2026-10-31T00:00:00Z', total: 5_000, removed: 5_000, ended_at: '2026-10-31T00:01:00Z' },
]

/** What the state of the service says beside the term. */
const shownDeletions = (page: Page) =>
  page
    .getByRole('term')
    .filter({ hasText: /^Deletions$/ })
    .locator('+ dd')

test.each(inWholeRuns)(
  'the settings of a project list the deletions that run, follow them, and leave the list when they have ended',
  async () => {
    await withPage(async ({ page, visit }) => {
      let removed = 300_000
      let hasEnded = false
      await page.route('**/project/deletions/query', (route) =>
        route.fulfill({ json: { deletions: hasEnded ? deletions(removed).slice(2) : deletions(removed) } }),
      )
      const project_id = `test/${randomUUID()}`
      await client.objects.create({ obj: { project_id, object_id: 'kept', val: {} } })
      await visit(`/${project_id}/settings?part=usage`)
      const list = page.getByRole('list', { name: 'Deletions' })
      const items = () => list.getByRole('listitem').allInnerTexts()
      await expect
        .poll(async () => (await items()).map((text) => text.trim()))
        .toEqual(['300,000 of 1,200,000 calls', '20,000 of 20,000 feedback'])
      expect(await list.getByRole('progressbar').first().getAttribute('aria-label')).toBe('Removed calls')
      expect(await findViolations(page)).toEqual([])

      removed = 900_000
      await expect.poll(async () => (await items())[0]?.trim()).toBe('900,000 of 1,200,000 calls')
      hasEnded = true
      await expect.poll(() => list.count()).toBe(0)
    })
  },
)

test.each(inWholeRuns)(
  'what a deleted trace of many calls removes is shown by settings and state of the service until it has ended',
  { timeout: 120_000 },
  async () => {
    const [entity, project, trace_id, root] = ['test', randomUUID(), randomUUID(), randomUUID()]
    const project_id = `${entity}/${project}`
    const now = new Date().toISOString()
    const rest = { trace_id, op_name: 'step', started_at: now, ended_at: now, attributes: {}, inputs: {}, output: null, summary: {} }
    const below = Array.from({ length: 2_500 }, () => ({ ...rest, project_id, id: randomUUID(), parent_id: root }))
    await client.calls.complete({ entity, project, batch: [{ ...rest, project_id, id: root, parent_id: null }, ...below] })
    await client.calls.delete({ project_id, call_ids: [root] })
    await withPage(async ({ page, visit }) => {
      await visit(`/${project_id}/settings?part=usage`)
      await page.getByRole('heading', { name: 'Usage and quotas', level: 1 }).waitFor()
      await expect.poll(() => page.getByRole('list', { name: 'Deletions' }).count(), { timeout: 60_000 }).toBe(0)
      await visit('/status')
      await expect.poll(() => shownDeletions(page).allInnerTexts()).toEqual([expect.stringMatching(/None running|\d+ running/)])
    })
  },
)

test.each(inWholeRuns)('the state of the service shows how many deletions run, and how far they are together', async () => {
  await withPage(async ({ page, visit }) => {
    await page.route('**/service/stats', async (route) => {
      const answer = await route.fetch()
      const stats = (await answer.json()) as object
      await route.fulfill({ json: { ...stats, deletions: { running: 2, total: 1_000_000, removed: 250_000 } } })
    })
    await visit('/status')
    const shown = shownDeletions(page)
    await expect.poll(async () => (await shown.innerText()).replace(/\s+/g, ' ').trim()).toBe('2 running, 250,000 of 1,000,000 records')
    expect(await shown.getByRole('progressbar').getAttribute('value')).toBe('250000')
    expect(await findViolations(page)).toEqual([])
  })
})
