import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const settings = `/${seeded.ordinary.project}/settings`

test.each(colorSchemes)('the settings show limits with what is in use, redacted names and allowed hosts: %s', (colorScheme) =>
  withPage(
    async ({ page, visit }) => {
      await visit(settings)
      const limits = page.getByRole('region', { name: 'Limits' })
      await expect.poll(() => limits.getByRole('row', { name: 'Size of a request' }).textContent()).toContain('32 MiB')
      await page.getByRole('list', { name: 'Names whose texts are redacted' }).getByText('*apikey').waitFor()
      await page.getByText('within private networks only to these hosts and subnets').waitFor()
      const disk = page.getByRole('table', { name: 'Disk and backup' })
      await expect
        .poll(() => disk.getByRole('row', { name: 'Calls, feedback and rows of tables' }).textContent())
        .toMatch(/[1-9][\d.]* \w?i?B/)
      await expect.poll(() => disk.getByRole('row', { name: 'Last backup' }).textContent()).toContain('none is known')
      const usage = page.getByRole('region', { name: 'Usage and quotas' })
      await expect.poll(() => usage.textContent()).toMatch(/Calls: [1-9][\d,]*, [\d.]+ /)
      await keepScreenshot(page, `settings-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
    },
    { colorScheme },
  ),
)

test('a key without administrator rights on the server learns who may view the server settings', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('403')
    await page.route('**/service/configuration', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden' } }))
    await visit(settings)
    await page.getByText('Only an admin key for all projects sees limits').waitFor()
  }))

test.each(isWholeRun ? colorSchemes : [])('the audit log tells who changed and deleted what, by pages: %s', async (colorScheme) => {
  const project_id = `test/${randomUUID()}`
  await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello' } } })
  await client.objects.delete({ project_id, object_id: 'greeting' })
  for (let days = 1; days <= 20; days++) await client.projects.updateTtlSettings({ project_id, retention_days: days })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project_id}/settings`)
      const log = page.getByRole('region', { name: 'Audit log', exact: true }).getByRole('table')
      await expect.poll(() => log.getByRole('row').count()).toBe(21)
      expect(await log.getByRole('row').nth(1).textContent()).toMatch(/projects\.updateTtlSettings\{"retention_days":20\}.*succeeded$/)
      await page.getByRole('button', { name: 'Older changes' }).click()
      await expect.poll(() => log.getByRole('row').last().textContent()).toMatch(/objects\.delete\{"object_id":"greeting".*succeeded$/)
      await log.scrollIntoViewIfNeeded()
      await keepScreenshot(page, `audit-log-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
    },
    { colorScheme },
  )
})

test.each(isWholeRun ? colorSchemes : [])('the members are the users of keys, with their highest role: %s', async (colorScheme) => {
  const project_id = `test/${randomUUID()}`
  await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello' } } })
  for (const role of ['ingest', 'writer'] as const) await client.projectKeys.create({ project_id, name: 'agent', role })
  const { key } = await client.projectKeys.create({ project_id, name: 'gone', role: 'reader' })
  await client.projectKeys.revoke({ project_id, key_id: key.id })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project_id}/settings`)
      const members = page.getByRole('region', { name: 'Members' }).getByRole('table')
      await expect.poll(() => members.getByRole('row', { name: 'agent' }).textContent()).toMatch(/^agent writer2never$/)
      expect(await members.getByRole('row').filter({ hasText: 'you' }).textContent()).toContain('admin')
      expect(await members.textContent()).not.toContain('gone')
      await members.scrollIntoViewIfNeeded()
      await keepScreenshot(page, `members-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      await keepScreenshot(page, `members-narrow-${colorScheme}`)
    },
    { colorScheme },
  )
})
