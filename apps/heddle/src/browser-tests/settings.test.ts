import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { chooseRowAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { linesOf } from './testing/lines-of.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const settings = `/${seeded.ordinary.project}/settings`
const serverSettings = `${settings}?part=server`

test.each(colorSchemes)('the settings show limits with what is in use, redacted names and allowed hosts: %s', (colorScheme) =>
  withPage(
    async ({ page, visit }) => {
      await visit(serverSettings)
      const limits = page.getByRole('region', { name: 'Limits' })
      await expect.poll(() => limits.getByRole('row', { name: 'Request size' }).textContent()).toContain('32 MiB')
      await page.getByRole('list', { name: 'Names whose texts are redacted' }).getByText('*apikey').waitFor()
      await page.getByText('to these private hosts and subnets').waitFor()
      const disk = page.getByRole('table', { name: 'Storage' })
      await expect.poll(() => disk.getByRole('row', { name: 'Traces, feedback, rows' }).textContent()).toMatch(/[1-9][\d.]* \w?i?B/)
      await expect.poll(() => disk.getByRole('row', { name: 'Last backup' }).textContent()).toContain('None yet')
      await keepScreenshot(page, `settings-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      await visit(`${settings}?part=usage`)
      const usage = page.getByRole('region', { name: 'Usage and quotas' })
      await expect.poll(() => usage.textContent()).toMatch(/Spans[1-9][\d,]*[\d.]+ \w*B/)
    },
    { colorScheme },
  ),
)

test('a key without administrator rights on the server learns who may view the server settings', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('403')
    await page.route('**/service/configuration', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden' } }))
    await visit(serverSettings)
    await page.getByText('Only an admin key for all projects sees limits').waitFor()
  }))

test.each(isWholeRun ? colorSchemes : [])('the audit log reports who changed and deleted what, by pages: %s', async (colorScheme) => {
  const project_id = `test/${randomUUID()}`
  await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello' } } })
  await client.objects.delete({ project_id, object_id: 'greeting' })
  for (let days = 1; days <= 20; days++) await client.projects.updateTtlSettings({ project_id, retention_days: days })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project_id}/settings?part=audit`)
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
      await visit(`/${project_id}/settings?part=members`)
      const members = page.getByRole('region', { name: 'Members' }).getByRole('table')
      await expect.poll(() => members.getByRole('row', { name: 'agent' }).textContent()).toMatch(/^agent writer2never$/)
      expect(await members.getByRole('row').filter({ hasText: 'You' }).textContent()).toContain('admin')
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
      await visit(`/${project_id}/settings?part=usage`)
      const row = (name: string) => page.getByRole('region', { name: 'Quotas' }).getByRole('row', { name })
      await expect.poll(() => row('Requests per minute, your key').textContent()).toContain('No limit')
      const save = page.getByRole('button', { name: 'Save quotas' })
      expect(await save.isDisabled()).toBe(true)

      const requests = page.getByLabel('Requests per minute', { exact: true })
      await requests.fill('many')
      await page.getByText('It must be a whole number from 1 to 1000000, got "many".').waitFor()
      await requests.fill('6000')
      await page.getByLabel('Writes per day').fill('1.5')
      await save.click()
      await expect.poll(() => row('Writes today').textContent()).toMatch(/1\.5 MiB0 bytes1\.5 MiB–$/)
      expect(await usage()).toMatchObject({ requests_per_minute: { own_limit: 6_000 }, ingested_bytes_per_day: { own_limit: 1_572_864 } })

      await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello'.repeat(1_000) } } })
      await page.getByRole('button', { name: 'Refresh' }).click()
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
      await visit(`/${project_id}/settings?part=usage`)
      const quotas = page.getByRole('region', { name: 'Quotas' })
      await expect.poll(() => quotas.getByRole('row', { name: 'Requests per minute' }).first().textContent()).toContain('6,000')
      await page.getByText('Only keys with the role admin in this project may change its quotas').waitFor()
      expect(await page.getByRole('button', { name: 'Save quotas' }).count()).toBe(0)
    },
    { colorScheme },
  )
})

test.each(isWholeRun ? colorSchemes : [])('a price with tiers is added and shown with them: %s', async (colorScheme) => {
  const project_id = `test/${randomUUID()}`
  await client.objects.create({ obj: { project_id, object_id: 'greeting', val: { text: 'Hello' } } })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project_id}/settings?part=prices`)
      await page.getByLabel('Model', { exact: true }).fill('m')
      await page.getByLabel('Prompt tokens, USD a million').fill('1.25')
      await page.getByLabel('Completion tokens, USD a million').fill('10')
      await page.getByText('More prices').click()
      await page.getByLabel('USD a million reasoning tokens').fill('12')
      await page.getByRole('button', { name: 'Add other prices for some requests' }).click()
      const tier = page.getByRole('group', { name: 'Other prices 1' })
      await tier.getByLabel('Service tier').fill('flex')
      await tier.getByLabel('Only for prompts with more tokens than').fill('200000')
      expect(await page.getByRole('button', { name: 'Add price' }).isDisabled()).toBe(true)
      await tier.getByLabel('USD a million prompt tokens', { exact: true }).fill('0.625')
      expect(await findViolations(page)).toEqual([])
      expect(await findLayoutFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Add price' }).click()
      const prices = page.getByRole('region', { name: 'Prices', exact: true })
      await expect.poll(() => prices.textContent()).toContain('reasoning tokens 12')
      expect(await prices.textContent()).toContain('flex, prompts above 200,000 tokens: prompt tokens 0.625')
      await keepScreenshot(page, `price-with-tiers-${colorScheme}`)
      await chooseRowAction(page, 'Actions for the price of m', 'Remove')
      await page.getByText('This project has no prices yet.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => prices.textContent()).toContain('reasoning tokens 12')
    },
    { colorScheme },
  )
  const { results } = await client.costs.query({ project_id })
  const tiers = [{ service_tier: 'flex', above_input_tokens: 200_000, prompt_token_cost: 6.25e-7 }]
  expect(results).toMatchObject([{ llm_id: 'm', prompt_token_cost: 1.25e-6, reasoning_token_cost: 1.2e-5, tiers }])
})
