import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { chooseRowAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

test.each(isWholeRun ? colorSchemes : [])('a linked version shows its registry, its alias and who linked it: %s', async (colorScheme) => {
  const [entity_name, project_name] = ['test', randomUUID()]
  const project = `${entity_name}/${project_name}`
  const { digest } = await client.objects.create({ obj: { project_id: project, object_id: 'greeting', val: { text: 'Hello' } } })
  const ref = `weave:///${project}/object/greeting:${digest}`
  await client.registry.link({ ref, target: { portfolio_name: 'answers', entity_name, project_name }, aliases: ['production'] })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project}/registry`)
      const row = page.getByRole('row', { name: 'greeting' })
      await expect.poll(() => row.textContent()).toMatch(/greeting v0.*answers v0 .*@production/)
      expect(await row.locator('[data-column=by]').textContent()).toMatch(/^\w/)
      await keepScreenshot(page, `registry-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      await settle(page)
      expect(await findLayoutFaults(page)).toEqual([])
      await page.setViewportSize({ width: 1440, height: 900 })
      await chooseRowAction(page, 'Actions for greeting v0', 'Set alias…')
      await page.getByRole('dialog', { name: 'Set alias' }).getByLabel('Alias').fill('stable')
      await page.keyboard.press('Enter')
      await row.locator('[data-column=aliases]').getByText('@stable').waitFor()
      await row.getByRole('link').click()
      await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe(digest)
    },
    { colorScheme },
  )
})

test.each(inWholeRuns)('the page of an object reports who moved an alias between which versions', async () => {
  const project_id = `test/${randomUUID()}`
  const object_id = 'greeting'
  const publish = async (text: string) => (await client.objects.create({ obj: { project_id, object_id, val: { text } } })).digest
  const [first, second] = [await publish('Hello'), await publish('Good morning')]
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/objects/${object_id}`)
    await page.getByRole('tab', { name: 'Alias history' }).click()
    await page.getByText('No version of greeting has been given an alias yet').waitFor()
    for (const digest of [first, second]) await client.objects.setAliases({ project_id, object_id, digest, aliases: ['production'] })
    await page.reload()
    await page.getByRole('tab', { name: 'Alias history' }).click()
    const moves = page.getByRole('list', { name: 'Alias history' }).getByRole('listitem')
    await expect
      .poll(() => moves.allTextContents())
      .toEqual([
        expect.stringMatching(/^@production moved from v0 to v1 *by \S+, ./),
        expect.stringMatching(/^@production set to v0 *by \S+, ./),
      ])
    expect(await findViolations(page)).toEqual([])
    await moves.last().getByRole('link', { name: 'v0' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe(first)
  })
})
