import { expect, inject, test } from 'vitest'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const pages = ['/docs/', '/docs/start', '/docs/limits', '/docs/api/tracing/calls', '/docs/none/at/all']
const looked = isWholeRun ? pages : ['/docs/start']

test.each(colorSchemes)('pages of the documentation have no violations of WCAG in the %s theme', (colorScheme) =>
  withPage(
    async ({ page, observed, visit }) => {
      if (isWholeRun) observed.expect('404')
      for (const path of looked) {
        await visit(path)
        expect(await findViolations(page), path).toEqual([])
        await keepScreenshot(page, `docs${path.replaceAll('/', '-')}-${colorScheme}`)
      }
    },
    { colorScheme, isSignedIn: false },
  ),
)

test.each(inWholeRuns)('the search finds a word of a text, and leads to its section', () =>
  withPage(
    async ({ page, visit }) => {
      await visit('/docs/start')
      await page.keyboard.press('/')
      await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('bloom filter')
      await page.getByRole('status').getByText('found').waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('dialog').getByRole('link', { name: 'Architecture › A span' }).click()
      await page.waitForURL('**/docs/architecture#a-span')
      await page.getByRole('heading', { name: 'A span', level: 2 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('zyxwv')
      await page.getByText('Nothing found for “zyxwv”').waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    },
    { isSignedIn: false },
  ),
)

test.each(inWholeRuns)('the theme is that of the pages of Heddle, and is kept', () =>
  withPage(
    async ({ page, observed, visit }) => {
      await visit('/docs/start')
      const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
      expect(await theme()).toBeUndefined()
      await page.getByRole('button', { name: 'Theme: System' }).click()
      await page.getByRole('button', { name: 'Theme: Light' }).click()
      await page.getByRole('main').getByRole('link', { name: 'operations.md' }).click()
      await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
      expect(await theme()).toBe('dark')
      observed.expect('401')
      await visit('/sign-in')
      expect(await theme()).toBe('dark')
    },
    { isSignedIn: false },
  ),
)

test.each(inWholeRuns)('on a telephone nothing is wider than the screen, and the list of pages opens from the head', () =>
  withPage(
    async ({ page, visit }) => {
      for (const path of ['/docs/start', '/docs/limits', '/docs/api/tracing/calls']) {
        await visit(path)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      }
      const pages = page.getByRole('navigation', { name: 'Pages' })
      expect(await pages.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await pages.getByRole('link', { name: 'Ten minutes' }).click()
      await page.waitForURL('**/docs/start')
    },
    { isSignedIn: false, width: 390, height: 844 },
  ),
)

test.each(inWholeRuns)('a block of code is copied by its button', () =>
  withPage(
    async ({ page, visit }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: inject('webServer').url })
      await visit('/docs/start')
      const block = page.locator('.code').first()
      await block.hover()
      await block.getByRole('button', { name: 'Copy' }).click()
      await block.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm start')
      await page.context().clearPermissions()
    },
    { isSignedIn: false },
  ),
)

test.each(inWholeRuns)('the menu of the account and the search of the pages lead to the documentation', () =>
  withPage(async ({ page, visit }) => {
    await visit('/')
    for (const open of ['menu', 'search'] as const) {
      const opened = page.context().waitForEvent('page')
      if (open === 'menu') {
        await page.getByRole('button', { name: /^Account / }).click()
        await page.getByRole('menuitem', { name: 'Documentation' }).click()
      } else {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: /^Search pages/ }).fill('documentation')
        await page.keyboard.press('Enter')
      }
      const docs = await opened
      await docs.waitForURL('**/docs/')
      await docs.getByRole('heading', { name: 'Heddle documentation', level: 1 }).waitFor()
      await docs.close()
    }
  }),
)
