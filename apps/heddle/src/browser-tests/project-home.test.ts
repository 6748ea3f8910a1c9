import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** One for all traces, so that they are in the same part of a chart. The longest has ended by now. */
const startedMs = Date.now() - 90_000

async function recordTrace(project_id: string, op_name: string, { exception = null as string | null, ms = 10 } = {}) {
  const [entity = '', project = ''] = project_id.split('/')
  const times = { started_at: new Date(startedMs).toISOString(), ended_at: new Date(startedMs + ms).toISOString() }
  const call = { project_id, id: randomUUID(), trace_id: randomUUID(), op_name, attributes: {}, inputs: {}, output: null, exception }
  const usage = { usage: { 'gpt-4o': { input_tokens: 1_000_000, output_tokens: 0 } } }
  await client.calls.complete({ entity, project, batch: [{ ...call, ...times, summary: usage }] })
}

test.each(inWholeRuns)('volume, failures, latency and cost over time lead to their calls', async () => {
  const own = `test/${randomUUID()}`
  await recordTrace(own, 'quick')
  await recordTrace(own, 'slow', { ms: 90_000 })
  await recordTrace(own, 'broken', { exception: 'no answer' })
  await withPage(async ({ page, visit }) => {
    const callNames = () => page.locator('[role=row] a[href*="/calls/"]').allTextContents()
    const open = async (title: string) => {
      await visit(`/${own}`)
      const chart = page.getByRole('figure', { name: title, exact: true })
      const bar = chart.getByRole('link', { name: / from / }).last()
      const label = await bar.getAttribute('aria-label')
      await bar.click()
      await page.locator('[role=row]').getByRole('link', { name: 'broken' }).waitFor()
      return { label, names: await callNames() }
    }
    const traces = await open('Traces')
    expect(traces.label).toMatch(/^3 \(1 failed\) from /)
    expect(traces.names.toSorted()).toEqual(['broken', 'quick', 'slow'])
    const latency = await open('Latency')
    expect(latency.label).toMatch(/^p50 10 ms, p95 1 min/)
    expect(latency.names[0]).toBe('slow')
    const cost = await open('Cost')
    expect(cost.label).toMatch(/^\$7\.50 from /)
    expect(cost.names).toHaveLength(3)
    await visit(`/${own}`)
    const showAsTable = async (title: string) => {
      await page.getByRole('button', { name: `Options of ${title}` }).click()
      await page.getByRole('menuitem', { name: 'Show as table' }).click()
    }
    await showAsTable('Latency')
    await page
      .getByRole('link', { name: /^p50 10 ms/ })
      .last()
      .waitFor()
    await showAsTable('Traces')
    await page.getByRole('link', { name: '1 (33.3%)' }).click()
    await page.locator('[role=row]').getByRole('link', { name: 'broken' }).waitFor()
    expect(await callNames()).toEqual(['broken'])
  })
})

test.each(inWholeRuns)('a new evaluation is started from the overview, and closing its form leaves its address', async () => {
  const own = `test/${randomUUID()}`
  await recordTrace(own, 'quick')
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}`)
    await page.getByRole('link', { name: 'New evaluation' }).click()
    const form = page.getByRole('dialog', { name: 'New run' })
    await form.waitFor()
    await page.reload()
    await form.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => form.count()).toBe(0)
    expect(new URL(page.url()).searchParams.has('form')).toBe(false)
  })
})
