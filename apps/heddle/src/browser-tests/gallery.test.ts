import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningServer, serve, serviceOf } from '@heddle/service-kit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerLog } from '../log/server-log.ts'
import { openPages } from '../server/routes/pages.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { type OpenPage, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const web = fileURLToPath(new URL('../../../web/', import.meta.url))
const log = createServerLog('error', { write: () => undefined })
let folder: string
let server: RunningServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-gallery-'))
  await promisify(execFile)(process.execPath, ['gallery.mjs', 'build', folder], { cwd: web })
  server = await serve({ ...serviceOf([await openPages({ folder, log })]), host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

const inGallery = (part: string, run: (open: OpenPage) => Promise<void>, colorScheme: 'light' | 'dark' = 'light') =>
  withPage(
    async (open) => {
      // One of its buttons is busy for ever.
      await open.page.goto(`${server.url}/#${part}`)
      await open.page.getByRole('heading', { name: 'Gallery' }).waitFor()
      await run(open)
    },
    { url: server.url, colorScheme, isSignedIn: false },
  )

test.each(inWholeRuns)('one of a few answers is chosen by the arrows, and each is said with its question', () =>
  inGallery('controls', async ({ page }) => {
    const question = page.getByRole('group', { name: 'Is the answer correct?' })
    await question.getByRole('radio', { name: 'Yes' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await question.getByRole('radio', { name: 'No' }).isChecked()).toBe(true)
    await page.getByRole('group', { name: 'Tone' }).getByText('2').click()
    expect(await page.getByRole('radio', { name: '2' }).isChecked()).toBe(true)
  }),
)

const parts = ['controls', 'interaction', 'overlays', 'marks', 'tables', 'texts', 'charts', 'states']
const looked = isWholeRun ? parts : ['overlays', 'tables']

test.each(looked)('the %s are accessible and keep their layout, in light and dark', async (part) => {
  for (const colorScheme of colorSchemes) {
    await inGallery(
      part,
      async ({ page }) => {
        await keepScreenshot(page, `gallery-${part}-${colorScheme}`)
        expect(await findViolations(page)).toEqual([])
        expect(await findLayoutFaults(page)).toEqual([])
      },
      colorScheme,
    )
  }
})

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

test.each(inWholeRuns)('the menu of a row of a table is named after the row, opens by keyboard, and gives the focus back', () =>
  inGallery('tables', async ({ page }) => {
    const table = page.getByRole('table', { name: 'Slowest operations' })
    const menu = table.getByRole('row', { name: /^agent\.run 1 / }).getByRole('button', { name: 'Actions for agent.run 1' })
    expect(await table.getByRole('rowheader', { name: 'agent.run 1', exact: true }).count()).toBe(1)
    expect(await table.getByRole('button', { name: 'Actions for agent.run 0' }).isDisabled()).toBe(true)
    await menu.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain('Open')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Actions for agent.run 1')
  }),
)

test.each(inWholeRuns)('a menu opens at its first item, moves by arrows, and gives the focus back', () =>
  inGallery('overlays', async ({ page }) => {
    await page.getByRole('button', { name: 'More actions' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toContain('Copy ID')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toContain('Add to dataset')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('More actions')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    // A press while the menu still leaves is not taken: that of a person comes later.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Copy ID' }).click()
    await expect.poll(() => page.getByRole('status', { name: 'Picked' }).textContent()).toBe('copied')
  }),
)

test.each(inWholeRuns)('a select is chosen by keys', () =>
  inGallery('overlays', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Sort' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Slowest' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('combobox', { name: 'Sort' }).textContent()).toContain('Slowest')
  }),
)

test('a question about something dangerous starts on Cancel, keeps the focus, and gives it back', () =>
  inGallery('overlays', async ({ page }) => {
    const trigger = page.getByRole('button', { name: 'Delete 3 checkpoints…' })
    await trigger.click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete 3 checkpoints?' })
    await dialog.waitFor()
    await expect.poll(() => focused(page)).toBe('Cancel')
    expect(await findViolations(page)).toEqual([])
    for (let press = 0; press < 4; press++) await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await expect.poll(() => focused(page)).toBe('Delete 3 checkpoints…')
  }))

test.each(inWholeRuns)('a toast of success goes by itself or does its action; an error stays until it is dismissed', () =>
  inGallery('overlays', async ({ page }) => {
    await page.getByRole('button', { name: 'Fail' }).click()
    await page.getByRole('button', { name: 'Add rows' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByRole('status', { name: 'Picked' }).textContent()).toBe('undone')
    await page.getByText('Note not saved').waitFor()
    expect(await page.getByRole('region', { name: 'Notifications' }).textContent()).toContain('Request ID request-1')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => page.getByText('Note not saved').count()).toBe(0)
  }),
)

test.each(inWholeRuns)('tabs move by arrows and choose at once', () =>
  inGallery('controls', async ({ page }) => {
    await page.getByRole('tab', { name: 'Messages' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.getByRole('tab', { name: 'Attributes' }).getAttribute('aria-selected')).toBe('true')
    expect(await page.getByText('No attributes').isVisible()).toBe(true)
  }),
)

const inGrid = (run: (open: { page: Page; grid: Locator }) => Promise<void>) =>
  inGallery('tables', ({ page }) => run({ page, grid: page.getByRole('grid', { name: 'Traces', exact: true }) }))
const headOf = (grid: Locator, name: string) => grid.getByRole('columnheader', { name })
const widthOf = async (element: Locator) => Math.round((await element.boundingBox())?.width ?? 0)

test.each(inWholeRuns)('a grid of 100,000 rows keeps few in the page and moves, sorts and selects by keys', () =>
  inGrid(async ({ page, grid }) => {
    expect(await grid.getAttribute('aria-rowcount')).toBe('100001')
    expect(await grid.getByRole('row').count()).toBeLessThan(60)
    await grid.focus()
    await page.keyboard.press('End')
    await grid.getByText('agent.run 99999', { exact: true }).waitFor()
    const active = await grid.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain('agent.run 99999')
    await page.keyboard.press('x')
    await page.getByText('100,000 traces, 1 selected').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Shift+X')
    await page.getByText('100,000 traces, 3 selected').waitFor()
    await page.keyboard.press('Space')
    await page.getByText('3 selected, 99997 beside').waitFor()
    await page.keyboard.press('Home')
    const [name, tokens] = [headOf(grid, 'Name'), headOf(grid, 'Tokens')]
    const sorts = () => Promise.all([name, tokens].map((head) => head.getAttribute('aria-sort')))
    const press = (head: Locator, shift = false) => head.getByRole('button').click({ modifiers: shift ? ['Shift'] : [] })
    await press(tokens)
    await expect.poll(sorts).toEqual([null, 'descending'])
    await press(name, true)
    await expect.poll(sorts).toEqual(['descending', 'descending'])
    await press(tokens)
    await expect.poll(sorts).toEqual([null, 'ascending'])
    await press(tokens)
    await expect.poll(sorts).toEqual([null, null])
    expect(await grid.getByRole('row').count()).toBeLessThan(60)
  }),
)

test.each(inWholeRuns)('columns are resized by their grips and by keys, fit what they show, and keep their widths', () =>
  inGrid(async ({ page, grid }) => {
    const tokens = headOf(grid, 'Tokens')
    const before = await widthOf(tokens)
    const grip = await page.locator('[data-grip=tokens]').first().boundingBox()
    if (!grip) throw new Error('a column has no grip')
    await page.mouse.move(grip.x + 3, grip.y + 3)
    await page.mouse.down()
    await page.mouse.move(grip.x + 43, grip.y + 3, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf(tokens)).toBe(before + 40)
    await tokens.getByRole('button').focus()
    await page.keyboard.press('Alt+Shift+ArrowLeft')
    await expect.poll(() => widthOf(tokens)).toBe(before + 24)
    await page.reload()
    await expect.poll(() => widthOf(tokens)).toBe(before + 24)
    await page.locator('[data-grip=tokens]').first().dblclick()
    await expect.poll(() => widthOf(tokens)).toBeLessThan(before + 24)
    await tokens.getByRole('button').focus()
    await page.keyboard.press('Alt+Shift+Home')
    await expect.poll(() => widthOf(tokens)).toBe(before)
    // The arrows alone move between heads.
    await page.keyboard.press('ArrowLeft')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-head'))).toBe('output')
  }),
)

test.each(inWholeRuns)('pinned columns stay in sight while the others scroll sideways', () =>
  inGrid(async ({ page, grid }) => {
    await page.setViewportSize({ width: 768, height: 900 })
    const leftOf = async (name: string) => Math.round((await headOf(grid, name).boundingBox())?.x ?? 0)
    const [name, output] = [await leftOf('Name'), await leftOf('Output')]
    await headOf(grid, 'Output').focus()
    for (let press = 0; press < 20; press++) await page.keyboard.press('Alt+Shift+ArrowRight')
    await grid.evaluate((element) => element.scrollTo({ left: 200 }))
    await expect.poll(() => leftOf('Output')).toBe(output - 200)
    expect(Math.abs((await leftOf('Name')) - name)).toBeLessThan(10)
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'gallery-pinned')
  }),
)

test.each(inWholeRuns)('the menu of columns finds, hides and moves them by keys, and sets how high rows are', () =>
  inGrid(async ({ page, grid }) => {
    const titles = () => grid.getByRole('columnheader').allTextContents()
    expect(await titles()).toEqual(['', 'Status', 'Name', 'Output', 'Tokens'])
    await page.getByRole('button', { name: 'Columns' }).click()
    const menu = page.getByRole('dialog', { name: 'Columns' })
    await menu.getByRole('checkbox', { name: 'Tokens' }).focus()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(titles).toEqual(['', 'Status', 'Name', 'Tokens', 'Output'])
    await menu.getByRole('textbox', { name: 'Find a column' }).fill('outp')
    expect(await menu.getByRole('checkbox').count()).toBe(1)
    await menu.getByRole('checkbox', { name: 'Output' }).uncheck()
    await expect.poll(titles).toEqual(['', 'Status', 'Name', 'Tokens'])
    await menu.getByRole('button', { name: 'Reset columns' }).click()
    await expect.poll(titles).toEqual(['', 'Status', 'Name', 'Output', 'Tokens'])
    await menu.getByRole('radio', { name: 'Compact' }).check()
    await expect
      .poll(() =>
        grid
          .getByRole('row')
          .nth(1)
          .evaluate((row) => row.clientHeight + 1),
      )
      .toBe(32)
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Columns')
  }),
)

test.each(inWholeRuns)('groups are folded and opened by keys, and say how many rows they have', () =>
  inGallery('tables', async ({ page }) => {
    const grid = page.getByRole('treegrid', { name: 'Traces by kind' })
    const agents = grid.getByRole('row').filter({ hasText: 'Kind' }).first()
    expect(await agents.textContent()).toMatch(/^Kindagent14.* tokens$/)
    await grid.focus()
    for (const key of ['Home', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key)
    await expect.poll(() => agents.getAttribute('aria-expanded')).toBe('false')
    expect(await agents.getAttribute('aria-selected')).toBe('true')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => grid.getByRole('row', { selected: true }).textContent()).toMatch(/^Kindllm26/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => agents.getAttribute('aria-expanded')).toBe('true')
  }),
)

test.each(inWholeRuns)('while 100,000 rows are scrolled, few of them are in the page, and those in sight always are', () =>
  inGrid(async ({ grid }) => {
    const steps = await grid.evaluate(async (element) => {
      const [rowHeight, headHeight] = [36, 32]
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const seen: { rows: number; isFilled: boolean }[] = []
      for (let step = 1; step <= 30; step++) {
        element.scrollTo(0, step * 40_000)
        await frame()
        await frame()
        const places = [...element.querySelectorAll('[role=row]')].map((row) => Number(row.getAttribute('aria-rowindex')) - 2)
        const inSight = Array.from(
          { length: Math.floor((element.clientHeight - headHeight) / rowHeight) },
          (_, at) => Math.ceil(element.scrollTop / rowHeight) + at,
        )
        seen.push({ rows: places.length, isFilled: inSight.every((place) => places.includes(place)) })
      }
      return seen
    })
    expect(steps.filter(({ rows, isFilled }) => rows >= 60 || !isFilled)).toEqual([])
  }),
)

test.each(inWholeRuns)('rows that are jumped over have no cells, and those in sight get theirs a few in a frame', () =>
  inGrid(async ({ page, grid }) => {
    const whole = await grid.evaluate(async (element) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const seen: number[] = []
      for (let step = 1; step <= 20; step++) {
        element.scrollTo(0, step * 40_000)
        await frame()
        const rows = [...element.querySelectorAll('[role=row]:not([aria-busy])')]
        seen.push(rows.filter((row) => row.getAttribute('aria-rowindex') !== '1').length)
      }
      return seen
    })
    expect(whole).toHaveLength(20)
    expect(Math.max(...whole)).toBeLessThanOrEqual(12)
    await grid.getByText('agent.run 22222', { exact: true }).waitFor()
    await expect.poll(() => grid.locator('[role=row][aria-busy]').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  }),
)

test.each(inWholeRuns)('a time range is chosen by its name or typed, and a text that is not a time is refused', () =>
  inGallery('overlays', async ({ page }) => {
    await page.getByRole('button', { name: 'Last 24 hours' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Time range' })
    await dialog.getByRole('textbox', { name: 'From' }).fill('soon')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByText('Write a time such as').waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('textbox', { name: 'From' }).fill('2026-11-26 08:00')
    await dialog.getByRole('textbox', { name: 'To' }).fill('2026-11-26 09:30')
    await page.keyboard.press('Enter')
    const range = page.getByRole('status', { name: 'Range' })
    await expect.poll(() => range.textContent()).toBe('2026-11-26T08:00:00.000Z 2026-11-26T09:30:00.000Z')
    await dialog.getByRole('button', { name: 'Last hour' }).click()
    await expect.poll(() => range.textContent()).toBe('1h')
  }),
)

test.each(inWholeRuns)('a value of JSON opens its members, keeps exact numbers, and shows long parts in pieces', () =>
  inGallery('texts', async ({ page }) => {
    const json = page.getByRole('group', { name: 'Input' })
    await json.getByText('12345678901234567890').waitFor()
    await json.getByRole('button', { name: /^many:/ }).click()
    await json.getByRole('button', { name: /^many:/ }).click()
    await json.getByRole('button', { name: 'Show more of the other 150' }).click()
    await expect.poll(() => json.textContent()).toContain('249: 249')
    await json.getByRole('button', { name: /^Show the other 2,400 characters/ }).click()
    await expect.poll(() => json.getByRole('button', { name: /characters/ }).count()).toBe(0)
    await json.getByRole('button', { name: /^messages:/ }).press('Enter')
    await expect.poll(() => json.textContent()).not.toContain('charged twice')
  }),
)

test.each(inWholeRuns)('a chart shows its data as a table', () =>
  inGallery('charts', async ({ page }) => {
    await page.getByRole('button', { name: 'Options of Reward' }).click()
    await page.getByRole('menuitem', { name: 'Show as table' }).click()
    await page.getByRole('columnheader', { name: 'Candidate' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  }),
)

test.each(inWholeRuns)('parts lose nothing at half the width', async () => {
  for (const part of ['controls', 'overlays', 'marks', 'tables', 'texts', 'charts', 'states']) {
    await inGallery(part, async ({ page }) => {
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
    })
  }
})
