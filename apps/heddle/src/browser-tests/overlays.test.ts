import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { ordinary } = inject('webServer').seeded
const { project, rootCallIds, prompt, jobId, queueId } = ordinary

test('Ctrl+K leads to a page, an object and a call by its id, and remembers pages', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls`)
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: /^Search pages/ })
    await search.fill('datasets')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/${project}/datasets`)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /Traces recent/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'go-to')
    await search.fill(prompt)
    await page.getByRole('option', { name: prompt }).first().waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => search.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await search.fill(rootCallIds[0] ?? '')
    await page.getByRole('option', { name: /call with this id/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/calls/${rootCallIds[0]}`)
  }))

test.each(inWholeRuns)('Ctrl+K leads to a training job by its id, and to an annotation queue', () =>
  withPage(async ({ page, visit }) => {
    for (const [text, path] of [
      [jobId, `training/jobs/${jobId}`],
      ['Review of answers', `queues/${queueId}`],
    ] as const) {
      await visit(`/${project}/calls`)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search pages/ }).fill(text)
      await page.getByRole('option', { name: /training job|annotation queue/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/${project}/${path}`)
    }
  }),
)

test.each(inWholeRuns)('? lists the keyboard shortcuts of the page, except while typing in a field', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/${rootCallIds[0]}`)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys of this page' })
    await keys.getByText('in the tree: previous and next call').waitFor()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'keys')
    await page.keyboard.press('Escape')
    await expect.poll(() => keys.count()).toBe(0)
    await visit(`/${project}/settings?part=keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').focus()
    await page.keyboard.type('?')
    expect([await keys.count(), await page.getByLabel('Name').inputValue()]).toEqual([0, '?'])
  }),
)

test.each(inWholeRuns)('a theme that is chosen stays, whatever the system says, also in dialogs', () =>
  withPage(
    async ({ page, visit }) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      await visit(`/${project}/calls`)
      const light = await ground()
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).click()
      const dark = await ground()
      expect(dark).not.toBe(light)
      await visit(`/${project}/datasets`)
      expect(await ground()).toBe(dark)
      await page.getByRole('button', { name: /^Account/ }).click()
      await expect.poll(() => page.getByRole('menuitemradio', { name: 'Dark' }).getAttribute('aria-checked')).toBe('true')
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys of this page' }).waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Search', exact: true }).waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
      expect(await findViolations(page)).toEqual([])
    },
    { colorScheme: 'light' },
  ),
)
