import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { findMarks } from './testing/find-marks.ts'
import { withPage } from './testing/open-page.ts'
import { hostilePathsOf } from './testing/seeded-paths.ts'
import { isWholeRun } from './testing/whole-runs.ts'

const all = hostilePathsOf(inject('webServer').seeded)
const inSlice = ['trace, messages', 'comparison', 'settings', 'shared trace, values']
const shown = isWholeRun ? all : all.filter(({ name }) => inSlice.includes(name))

/** What no text may become. Pages of their own have none of these. */
const made = ['script', 'iframe', 'object', 'embed', 'base', 'meta', 'link', 'style', 'form[action]', 'img', 'video', 'audio', 'marquee']

test.each(shown)('of two hundred hostile texts nothing runs, loads or becomes markup: $name', ({ path }) =>
  withPage(async ({ page, visit }) => {
    await visit(path)
    await expect.poll(() => page.textContent('main')).toMatch(/\S/)
    await showEverything(page)
    expect(await page.evaluate(() => Reflect.get(window, 'attacked'))).toBeUndefined()
    expect(await page.locator(made.map((tag) => `main ${tag}`).join(', ')).count()).toBe(0)
    expect(await page.locator('main a').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol))).not.toContain(
      'javascript:',
    )
    expect(await findMarks(page)).toEqual([])
    expect(new URL(page.url()).pathname).toBe(new URL(path, page.url()).pathname)
  }),
)

/** Opens what is folded, and scrolls what scrolls to its end, so that rows which are drawn when they are looked at are drawn. */
async function showEverything(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const details of document.querySelectorAll('main details')) (details as HTMLDetailsElement).open = true
    for (const fold of document.querySelectorAll<HTMLElement>('main [data-fold] > [aria-expanded=false]')) fold.click()
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    for (const box of document.querySelectorAll('main [role=grid], main [role=treegrid], main [role=table], main [role=tree]')) {
      for (let top = 0; top < box.scrollHeight; top += box.clientHeight || 1_000) {
        box.scrollTo(0, top)
        await drawn()
      }
    }
  })
}
