import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { answerQuestion } from './testing/answer-question.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** A project with a trace, and a link to it that a key made which has been revoked since. */
async function aLinkOfAnEndedKey() {
  const [entity, project, trace_id] = ['test', randomUUID(), randomUUID()]
  const project_id = `${entity}/${project}`
  const now = new Date().toISOString()
  const call = { project_id, id: randomUUID(), trace_id, op_name: 'answer', started_at: now, ended_at: now, attributes: {}, summary: {} }
  await client.calls.complete({ entity, project, batch: [{ ...call, inputs: {}, output: null, exception: null }] })
  const made = await client.projectKeys.create({ project_id, name: 'agent \u202Etxet', role: 'writer' })
  const agent = createClient({ baseUrl: url, apiKey: made.secret, contract: tracing })
  await agent.sharedTraces.create({ project_id, trace_id, expires_in_days: 7 })
  await client.projectKeys.revoke({ project_id, key_id: made.key.id })
  return { project_id, trace_id }
}

test.each(inWholeRuns)('what a key made and left behind is listed, and ends once a dialog of the page is confirmed', async () => {
  const { project_id, trace_id } = await aLinkOfAnEndedKey()
  const links = async () => (await client.sharedTraces.list({ project_id, trace_id })).shared_traces.length
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/settings?part=keys`)
    const end = page.getByRole('button', { name: /^End all that/ })
    await page.getByRole('heading', { name: 'Still working without their key' }).waitFor()
    await page.getByText('Public link to trace').waitFor()

    await end.click()
    const dialog = page.getByRole('alertdialog', { name: /^End everything/ })
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Cancel' }).evaluate((button) => button === document.activeElement))
      .toBe(true)
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 768, height: 900 })
    expect(await findLayoutFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => end.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await links()).toBe(1)

    await end.click()
    expect(await answerQuestion(page, 'End everything')).toContain('This cannot be undone')
    await expect.poll(() => end.count()).toBe(0)
    expect(await links()).toBe(0)
  })
})
