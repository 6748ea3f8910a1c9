import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
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

test.each(inWholeRuns)(
  'all data of a user is deleted once that is confirmed, and its receipt can be saved',
  { timeout: 120_000 },
  async () => {
    const [entity, project] = ['test', randomUUID()]
    const project_id = `${entity}/${project}`
    const now = new Date().toISOString()
    const rest = { op_name: 'answer', started_at: now, ended_at: now, inputs: {}, output: null, summary: {} }
    const users = ['ann', 'ann', 'bob']
    const batch = users.map((user_id) => ({ ...rest, project_id, id: randomUUID(), trace_id: randomUUID(), attributes: { user_id } }))
    await client.calls.complete({ entity, project, batch })
    const left = async () => (await client.calls.query({ project_id })).calls.length

    await withPage(async ({ page, visit }) => {
      await visit(`/${project_id}/settings?part=delete`)
      await page.getByText('No deletions yet').waitFor()
      const button = page.getByRole('button', { name: 'Delete data…' })
      expect(await button.isDisabled()).toBe(true)
      await page.getByLabel('User ID').fill('ann')
      expect(await findViolations(page)).toEqual([])
      await button.click()
      await page.getByRole('alertdialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      expect(await left()).toBe(3)

      await button.click()
      expect(await answerQuestion(page, 'Delete data')).toContain('2 calls')
      const row = page.getByRole('row', { name: /User ann/ })
      await row.getByRole('button', { name: 'Receipt' }).waitFor({ timeout: 60_000 })
      expect(await row.innerText()).toContain('2 calls')
      expect(await left()).toBe(1)
      const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: 'Receipt' }).click()])
      const receipt = JSON.parse(await text(await download.createReadStream())) as object
      expect(receipt).toMatchObject({ project_id, selection: { kind: 'user', user_id: 'ann' }, removed: { calls: 2 } })
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      expect(await findViolations(page)).toEqual([])
    })
  },
)
