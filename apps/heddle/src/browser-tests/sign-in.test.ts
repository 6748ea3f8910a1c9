import { expect, inject, test } from 'vitest'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'

const { url } = inject('webServer')

test('the page of signing in says whether the service runs, its version and where its documentation is', async () => {
  const { version } = (await (await fetch(`${url}/version`)).json()) as { version: string }
  await withPage(
    async ({ page, visit, observed }) => {
      observed.expect('401')
      await visit('/')
      await page.getByText('Service running').waitFor()
      await page.getByText(`Version ${version}`).waitFor()
      expect(await page.getByRole('link', { name: 'Docs' }).getAttribute('href')).toBe('/docs/')
      expect(await findViolations(page)).toEqual([])
      await keepScreenshot(page, 'sign-in')
    },
    { isSignedIn: false },
  )
})
