import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import type { Webhook } from '@heddle/core-api/types'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { chooseRowAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { answerQuestion } from './testing/answer-question.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

async function aProject(): Promise<string> {
  const project_id = `test/${randomUUID()}`
  await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello' } } })
  return project_id
}

test.each(inWholeRuns)('a webhook is created, its secret shown once, tested with the answer shown, and deleted', async () => {
  const project_id = await aProject()
  const list = async () => (await client.webhooks.list({ project_id })).webhooks
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/settings?part=webhooks`)
    const webhooks = page.getByRole('region', { name: 'Webhooks', exact: true })
    await webhooks.getByText('Nothing is sent yet.').waitFor()
    await webhooks.getByRole('button', { name: 'New webhook' }).click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('Name').fill('chat of the team')
    await form.getByLabel('URL').fill('127.0.0.1:1/hook')
    await form.getByText('The URL must start with https:// or http://.').waitFor()
    await form.getByLabel('URL').fill('http://127.0.0.1:1/hook')
    await form.getByLabel('A change that the audit log keeps').check()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'new-webhook')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const secret = (await webhooks.locator('[data-secret]').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(await list()).toMatchObject([{ name: 'chat of the team', events: ['evaluation.finished', 'audit.entry'] }])
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'webhook-shown-once')
    await webhooks.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.textContent('body')).not.toContain(secret)

    await chooseRowAction(page, 'Actions for the webhook chat of the team', 'Send a test')
    await webhooks.getByText(/^Test of chat of the team: 127\.0\.0\.1:1 is not on the public internet/).waitFor()
    const row = webhooks.getByRole('row').filter({ hasText: 'chat of the team' })
    await expect.poll(() => row.textContent()).toMatch(/failing since .*: 127\.0\.0\.1:1 is not/)

    await chooseRowAction(page, 'Actions for the webhook chat of the team', 'Delete…')
    await answerQuestion(page, 'Cancel')
    expect((await list()).length).toBe(1)
    await chooseRowAction(page, 'Actions for the webhook chat of the team', 'Delete…')
    await answerQuestion(page, 'Delete')
    await webhooks.getByText('Nothing is sent yet.').waitFor()
    expect(await list()).toEqual([])
  })
})

test('a key without the role admin sees who may create webhooks', async () => {
  const project_id = await aProject()
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('403')
    await page.route('**/project/webhooks/list', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden' } }))
    await visit(`/${project_id}/settings?part=webhooks`)
    await page.getByText('Only keys with the role admin in this project may see and create webhooks').waitFor()
  })
})

const time = '2026-03-01T12:00:00Z'
const accepted = { message_id: 'm', event: 'evaluation.finished', status: 204, error: null, attempted_at: time } as const
const failed = { ...accepted, status: 500, error: 'the receiver responded with status 500' }
const aWebhook = (more: Partial<Webhook>): Webhook => ({
  id: randomUUID(),
  name: 'chat of the team',
  url: `https://hooks.example.com/services/${'a1b2c3'.repeat(10)}`,
  events: ['evaluation.finished'],
  created_by: 'ada',
  created_at: time,
  waiting: 0,
  last_attempt: null,
  failing_since: null,
  disabled_at: null,
  ...more,
})
const inEachState = [
  aWebhook({}),
  aWebhook({ name: 'works', last_attempt: accepted, events: ['evaluation.finished', 'audit.entry'] }),
  aWebhook({ name: 'fails', last_attempt: failed, failing_since: time, waiting: 12 }),
  aWebhook({ name: 'gone', last_attempt: failed, failing_since: time, disabled_at: time }),
]

test.each(isWholeRun ? colorSchemes : [])('each webhook state is shown distinctly: %s', async (colorScheme) => {
  const project_id = await aProject()
  await withPage(
    async ({ page, visit }) => {
      await page.route('**/project/webhooks/list', (route) => route.fulfill({ json: { webhooks: inEachState } }))
      await page.route('**/project/webhooks/test', (route) => route.fulfill({ json: { ...accepted, event: 'webhook.test' } }))
      await visit(`/${project_id}/settings?part=webhooks`)
      const webhooks = page.getByRole('region', { name: 'Webhooks', exact: true })
      await chooseRowAction(page, 'Actions for the webhook works', 'Send a test')
      await webhooks.getByText('Test of works: accepted with status 204.').waitFor()
      expect((await webhooks.getByRole('row').allTextContents()).slice(1)).toEqual([
        expect.stringContaining('not used yet'),
        expect.stringMatching(/working.*evaluation\.finished: accepted with status 204/),
        expect.stringMatching(/failing since .*, 12 waiting.*responded with status 500/),
        expect.stringMatching(/disabled since .* A test that is accepted enables it\./),
      ])
      await webhooks.scrollIntoViewIfNeeded()
      await keepScreenshot(page, `webhooks-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      await keepScreenshot(page, `webhooks-narrow-${colorScheme}`)
    },
    { colorScheme },
  )
})
