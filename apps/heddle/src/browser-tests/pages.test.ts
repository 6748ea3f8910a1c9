import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { type OpenPage, settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { pagesOf } from './testing/seeded-paths.ts'
import { colorSchemes, isWholeRun } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const pages = pagesOf(seeded)
const shown = isWholeRun ? pages : pages.filter(({ isInSlice }) => isInSlice)

test.each(shown)('$name shows what it has, in light and dark, at 1280 and 768, without faults', async ({ name, path, shows }) => {
  for (const colorScheme of colorSchemes) {
    await withPage(
      async (open) => {
        await open.visit(path)
        await expect.poll(() => open.page.textContent('main')).toContain(shows)
        await keepScreenshot(open.page, `${name}-${colorScheme}`.replaceAll(/\W+/g, '-'))
        expect(await findViolations(open.page)).toEqual([])
        if (!isWholeRun) await checkDark(open)
        await checkLayout(open)
      },
      { colorScheme },
    )
  }
})

/** In a page that was opened in light: what another load would cost is left to whole runs. */
async function checkDark({ page }: OpenPage) {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

async function checkLayout({ page }: OpenPage) {
  expect(await findLayoutFaults(page)).toEqual([])
  await page.setViewportSize({ width: 768, height: 900 })
  await settle(page)
  expect(await findLayoutFaults(page)).toEqual([])
}
