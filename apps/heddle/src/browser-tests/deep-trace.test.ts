import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const depth = 200

/** A trace in which each call is below the one before it. */
async function aDeepTrace() {
  const [entity, project, trace_id] = ['test', randomUUID(), randomUUID()]
  const ids = Array.from({ length: depth + 1 }, () => randomUUID())
  const usage = { 'gpt-4o': { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, requests: 1 } }
  const at = new Date().toISOString()
  const batch = ids.map((id, level) => ({
    project_id: `${entity}/${project}`,
    id,
    trace_id,
    parent_id: ids[level - 1] ?? null,
    op_name: `level ${level} of the plan`,
    started_at: at,
    // The last one continues after its parent, and is marked.
    ended_at: level === depth ? new Date(Date.parse(at) + 1_000).toISOString() : at,
    attributes: {},
    inputs: {},
    output: null,
    exception: level === depth ? 'failed' : null,
    summary: level === depth ? { usage } : {},
  }))
  await client.calls.complete({ entity, project, batch })
  return `/${entity}/${project}/calls/${ids[0]}`
}

test.each(inWholeRuns)('names of calls stay readable two hundred levels deep, also before a mark, on wide and narrow screens', async () => {
  const path = await aDeepTrace()
  await withPage(async ({ page, visit }) => {
    await visit(path)
    for (const width of [1440, 1280, 768]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('tree', { name: 'Spans of the trace' }).focus()
      await page.keyboard.press('End')
      for (const level of [depth, depth - 5]) {
        const row = page.getByRole('treeitem').filter({ hasText: `level ${level} of the plan` })
        const name = row.getByText(`level ${level} of the plan`, { exact: true })
        await name.waitFor()
        // Its start is within the column, which cuts off what is beyond it.
        const shown = await name.evaluate((button) => {
          const [own, column] = [button.getBoundingClientRect(), button.parentElement!.getBoundingClientRect()]
          return Math.min(own.right, column.right) - own.left
        })
        expect(shown).toBeGreaterThanOrEqual(80)
        expect(await row.locator(`[data-tip="depth ${level}"]`).isVisible()).toBe(true)
      }
      expect(await findLayoutFaults(page)).toEqual([])
      await keepScreenshot(page, `deep-trace-${width}`)
    }
  })
})
