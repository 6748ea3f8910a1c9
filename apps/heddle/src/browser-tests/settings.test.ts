import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { linesOf } from './testing/lines-of.ts'
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
      const row = log.getByRole('row').last()
      for (const word of ['objects.delete', 'succeeded']) expect(await linesOf(row.getByText(word, { exact: true }))).toBe(1)
      await keepScreenshot(page, `audit-log-narrow-${colorScheme}`)
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

test.each(isWholeRun ? colorSchemes : [])('quotas are set, shown with what is used and left, and lifted: %s', async (colorScheme) => {
  const project_id = `test/${randomUUID()}`
  const usage = async () => client.projects.readLimits({ project_id })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project_id}/settings`)
      const row = (name: string) => page.getByRole('region', { name: 'Quotas' }).getByRole('row', { name })
      await expect.poll(() => row('Requests in a minute, your key').textContent()).toContain('no limit')
      const save = page.getByRole('button', { name: 'Save quotas' })
      expect(await save.isDisabled()).toBe(true)

      const requests = page.getByLabel('Requests in a minute; empty: no limit')
      await requests.fill('many')
      await page.getByText('It must be a whole number from 1 to 1000000, got "many".').waitFor()
      await requests.fill('6000')
      await page.getByLabel('MiB of writes on a day; empty: no limit').fill('1.5')
      await save.click()
      await expect.poll(() => row('Writes today').textContent()).toMatch(/1\.5 MiB0 bytes1\.5 MiB–$/)
      expect(await usage()).toMatchObject({ requests_per_minute: { own_limit: 6_000 }, ingested_bytes_per_day: { own_limit: 1_572_864 } })

      await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello'.repeat(1_000) } } })
      await page.getByRole('button', { name: 'Refresh the quotas' }).click()
      await expect.poll(() => row('Writes today').textContent()).toMatch(/1\.5 MiB(4\.9|5|5\.\d) KiB1\.5 MiB/)
      await save.scrollIntoViewIfNeeded()
      await keepScreenshot(page, `quotas-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      await save.scrollIntoViewIfNeeded()
      await keepScreenshot(page, `quotas-narrow-${colorScheme}`)

      await requests.fill('')
      await save.click()
      await expect.poll(async () => (await usage()).requests_per_minute.limit).toBeNull()
    },
    { colorScheme },
  )
})

test.each(isWholeRun ? colorSchemes : [])('a reader sees the quotas of a project, and no form to change them: %s', async (colorScheme) => {
  const project_id = `test/${randomUUID()}`
  await client.projects.updateLimits({ project_id, requests_per_minute: 6_000 })
  await withPage(
    async ({ page, visit, observed }) => {
      observed.expect('403')
      await page.route('**/project/keys/query', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden' } }))
      await visit(`/${project_id}/settings`)
      const quotas = page.getByRole('region', { name: 'Quotas' })
      await expect.poll(() => quotas.getByRole('row', { name: 'Requests in a minute' }).first().textContent()).toContain('6,000')
      await page.getByText('Only keys with the role admin in this project may change its quotas.').waitFor()
      expect(await page.getByRole('button', { name: 'Save quotas' }).count()).toBe(0)
    },
    { colorScheme },
  )
})
