import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

test.each(inWholeRuns)('a call whose parent was not sent is listed with a mark, which leaves when the parent comes', async () => {
  const [entity, project, trace_id, parent, child] = ['test', randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const project_id = `${entity}/${project}`
  const at = new Date().toISOString()
  const one = { project_id, trace_id, started_at: at, ended_at: at, attributes: {}, summary: {}, inputs: {}, output: null, exception: null }
  const record = (id: string, op_name: string, parent_id: string | null) =>
    client.calls.complete({ entity, project, batch: [{ ...one, id, op_name, parent_id }] })
  await record(child, 'below', parent)
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls`)
    await page.getByRole('row').filter({ hasText: 'below' }).getByText('missing parent').waitFor()
    await page.setViewportSize({ width: 768, height: 900 })
    expect(await findLayoutFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'below' }).click()
    await page.getByRole('tree', { name: 'Spans of the trace' }).getByText('missing parent').waitFor()
    await record(parent, 'above', null)
    await visit(`/${project_id}/calls`)
    await page.getByRole('link', { name: 'above' }).waitFor()
    expect(await page.getByText('missing parent').count()).toBe(0)
  })
})
