import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

test.each(colorSchemes)('a linked version shows its registry, its alias and who linked it: %s', async (colorScheme) => {
  const [entity_name, project_name] = ['test', randomUUID()]
  const project = `${entity_name}/${project_name}`
  const { digest } = await client.objects.create({ obj: { project_id: project, object_id: 'greeting', val: { text: 'Hello' } } })
  const ref = `weave:///${project}/object/greeting:${digest}`
  await client.registry.link({ ref, target: { portfolio_name: 'answers', entity_name, project_name }, aliases: ['production'] })
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${project}/registry`)
      const row = page.getByRole('row', { name: 'greeting' })
      await expect.poll(() => row.textContent()).toMatch(/answers v0 .*@production.*linked by/)
      await keepScreenshot(page, `registry-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      await settle(page)
      expect(await findLayoutFaults(page)).toEqual([])
      await row.getByRole('link').click()
      await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe(digest)
    },
    { colorScheme },
  )
})
