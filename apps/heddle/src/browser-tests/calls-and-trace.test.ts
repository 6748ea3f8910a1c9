import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const { ordinary, huge, broken, hostile, empty } = seeded

const pages = [
  ['the first page of an empty project', `/${empty.project}`],
  ['the calls of an empty project', `/${empty.project}/calls`],
  ['calls', `/${ordinary.project}/calls?level=all&range=30d`],
  ['calls with one beside them', `/${ordinary.project}/calls?peek=${ordinary.rootCallIds[0]}`],
  ['a trace', `/${ordinary.project}/calls/${ordinary.rootCallIds[0]}`],
  ['a large trace', `/${huge.project}/calls/${huge.rootCallId}`],
  ['a broken trace', `/${broken.project}/calls/${broken.rootCallId}`],
  ['hostile calls', `/${hostile.project}/calls?level=all`],
  ['a hostile trace', `/${hostile.project}/calls/${hostile.rootCallId}`],
] as const

const inSlice: readonly string[] = ['calls with one beside them', 'a broken trace']
const shown = pages.filter(([name]) => isWholeRun || inSlice.includes(name))
const schemes = isWholeRun ? (['light', 'dark'] as const) : (['dark'] as const)

test.each(shown)('%s: nothing overlaps, fails or runs, and everybody can use it', async (name, path) => {
  for (const colorScheme of schemes) {
    await withPage(
      async ({ page, visit }) => {
        await visit(path)
        await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0)
        expect(await findViolations(page)).toEqual([])
        expect(await findLayoutFaults(page)).toEqual([])
        await keepScreenshot(page, `${name.replaceAll(' ', '-')}-${colorScheme}`)
      },
      { colorScheme },
    )
  }
})

test.each(inWholeRuns)('a condition that is added is in the address, and selects', async () => {
  await withPage(async ({ page, visit }) => {
    await visit(`/${huge.project}/calls?level=all`)
    await page.getByRole('combobox', { name: 'Filter' }).fill(`id = ${huge.rootCallId}`)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByText('1 span', { exact: true }).count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('where')).toContain(huge.rootCallId)
    await page.goBack()
    await expect.poll(() => page.getByText('1 span', { exact: true }).count()).toBe(0)
  })
})

test.each(inWholeRuns)('pages of calls follow each other while scrolling, with few rows in the page', async () => {
  await withPage(async ({ page, visit }) => {
    await visit(`/${huge.project}/calls?level=all`)
    const table = page.getByRole('grid')
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(5)
    for (const rows of ['200', '300', '400']) {
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      await expect.poll(() => page.getByText(`${rows} loaded`).count()).toBe(1)
    }
    expect(await page.getByRole('row').count()).toBeLessThan(60)
  })
})

test('the arrow keys walk through a trace of thousands of calls', async () => {
  await withPage(async ({ page, visit }) => {
    await visit(`/${huge.project}/calls/${huge.rootCallId}`)
    await page.getByRole('tree', { name: 'Spans of the trace' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => new URL(page.url()).searchParams.get('selected')).not.toBeNull()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
  })
})

test.each(inWholeRuns)('a filter is completed by keyboard, field by field, and one that conditions cannot say stands as text', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${ordinary.project}/calls?level=all`)
    const filter = page.getByRole('combobox', { name: 'Filter' })
    await filter.focus()
    await page.keyboard.type('op_n')
    const offers = page.getByRole('listbox', { name: /^Offers/ })
    await expect.poll(() => offers.getByRole('option').allTextContents()).toEqual(['op_name'])
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('contains')
    await page.keyboard.type(' ')
    const value = (await offers.getByRole('option', { name: /^"/ }).first().textContent()) ?? ''
    await offers.getByRole('option').first().click()
    expect(await filter.inputValue()).toBe(`op_name contains ${value} `)
    await page.keyboard.type('or exception != null')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe(`op_name contains ${value} or exception != null`)
    await page.getByRole('button', { name: /^Edit the condition op_name contains/ }).click()
    await page.keyboard.type(' and')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('a field, such as inputs.question, is missing at the end')
    await filter.fill('exception != null')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the condition exception != null' }).waitFor()
    await page.getByRole('button', { name: 'Edit the condition exception != null' }).click()
    await expect.poll(() => filter.inputValue()).toBe('exception != null')
  }),
)
