import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes } from './testing/whole-runs.ts'

const settings = `/${inject('webServer').seeded.ordinary.project}/settings`

test.each(colorSchemes)('the settings show limits with what is in use, redacted names and allowed hosts: %s', (colorScheme) =>
  withPage(
    async ({ page, visit }) => {
      await visit(settings)
      const limits = page.getByRole('region', { name: 'Limits' })
      await expect.poll(() => limits.getByRole('row', { name: 'Size of a request' }).textContent()).toContain('32 MiB')
      await page.getByRole('list', { name: 'Names whose texts are redacted' }).getByText('*apikey').waitFor()
      await page.getByText('within private networks only to these hosts and subnets').waitFor()
      await keepScreenshot(page, `settings-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
    },
    { colorScheme },
  ),
)

test('a key without admin rights over the server is told who sees its settings', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('403')
    await page.route('**/service/configuration', (route) => route.fulfill({ status: 403, json: { reason: 'Forbidden' } }))
    await visit(settings)
    await page.getByText('Only an admin key for all projects sees limits').waitFor()
  }))
