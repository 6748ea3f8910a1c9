import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { beforeAll, expect, inject, test } from 'vitest'
import { chooseOption } from './testing/choose-option.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { type OpenPage, settle, withPage } from './testing/open-page.ts'
import { recordTunedRuns } from './testing/record-tuned-runs.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const project = `test/${randomUUID()}`
const path = `/${project}/evaluations?view=axes`
let ids: string[]

/** Higher temperatures answer worse; one model has none. */
const tuned = [0.1, 0.3, 0.5, 0.7, 0.9].map((temperature, at) => ({
  name: `at ${temperature}`,
  parameters: { temperature, tools: at % 2 === 0, prompt: { style: at < 2 ? 'short' : 'long' }, max_tokens: 10 ** (at + 1) },
  correct: [0, 1, 2, 3, 4].map((row) => row >= at),
}))

beforeAll(async () => {
  ids = await recordTunedRuns(client, project, [...tuned, { name: 'without', parameters: { tools: true }, correct: [false, true] }])
})

async function check({ page }: OpenPage) {
  expect(await findViolations(page)).toEqual([])
  expect(await findLayoutFaults(page)).toEqual([])
}

const keptNames = ({ page }: OpenPage) => page.getByRole('table', { name: 'Kept runs' }).getByRole('link').allTextContents()

test.each(inWholeRuns)('a range is kept by keyboard, the kept runs are in a table, and one of them is opened', () =>
  withPage(async (open) => {
    const { page, visit } = open
    await visit(`/${project}/evaluations`)
    await page.getByRole('radio', { name: 'Parallel coordinates' }).check()
    await page.getByText('6 of 6 runs kept').waitFor()
    const highest = page.getByRole('slider', { name: 'temperature: highest kept' })
    await highest.focus()
    for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('ArrowDown')
    await page.getByText('2 of 6 runs kept').waitFor()
    expect(await highest.getAttribute('aria-valuetext')).toBe('0.3')
    expect(await keptNames(open)).toEqual(['at 0.3', 'at 0.1'])
    await check(open)
    await page.getByRole('link', { name: 'Compare the 2 kept runs' }).waitFor()
    await page.getByRole('table', { name: 'Kept runs' }).getByRole('link', { name: 'at 0.1' }).press('Enter')
    await settle(page)
    expect(new URL(page.url()).pathname).toBe(`/${project}/evaluations/runs/${ids[0]}`)
    await page.goBack()
    await page.getByText('2 of 6 runs kept').waitFor()
    await highest.press('Escape')
    await page.getByText('6 of 6 runs kept').waitFor()
  }),
)

test.each(inWholeRuns)('axes, their order, ranges and colour are in the address, and open again', () =>
  withPage(async (open) => {
    const { page, visit } = open
    await visit(path)
    await page.getByText('6 of 6 runs kept').waitFor()
    await page.getByRole('button', { name: /^Axes \d+ of \d+$/ }).click()
    await page.getByRole('checkbox', { name: 'Latency' }).uncheck()
    const toTheLeft = page.getByRole('button', { name: 'Move right to the left' })
    const toTheRight = page.getByRole('button', { name: 'Move right to the right' })
    const names = () => page.locator('[data-axis-name]').allTextContents()
    await toTheLeft.focus()
    for (const place of [3, 2, 1, 0, 0]) {
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await names()).indexOf('right')).toBe(place)
      expect(await toTheLeft.evaluate((button) => button === document.activeElement)).toBe(true)
    }
    for (const place of [1, 2, 3]) {
      await toTheRight.press('Enter')
      await expect.poll(async () => (await names()).indexOf('right')).toBe(place)
    }
    expect(await toTheRight.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.getByRole('slider', { name: 'prompt.style: lowest kept' }).press('ArrowUp')
    await chooseOption(page, 'Colour by', 'prompt.style')
    await page.getByText('2 of 6 runs kept').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('ranges')).toBe('[{"axis":"model.prompt.style","from":"short"}]')
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('axes')).toBe('["model.tools","model.temperature","model.prompt.style","score.right","model.max_tokens"]')
    expect(searchParams.get('colour')).toBe('model.prompt.style')
    // Selects are drawn again once they were opened.
    const shown = [
      page.getByRole('region', { name: 'Axes', exact: true }),
      page.getByRole('list', { name: 'Colours of prompt.style' }),
      page.getByRole('table', { name: 'Kept runs' }),
    ]
    const snapshot = () => Promise.all(shown.map((part) => part.ariaSnapshot()))
    const before = await snapshot()
    await page.reload()
    await page.getByText('2 of 6 runs kept').waitFor()
    await expect.poll(snapshot).toEqual(before)
    expect(await keptNames(open)).toEqual(['at 0.3', 'at 0.1'])
  }),
)

test.each(inWholeRuns)('a range is drawn with the pointer, and a click on a line opens its run', () =>
  withPage(async ({ page, visit }) => {
    await visit(path)
    await page.getByText('6 of 6 runs kept').waitFor()
    const [low, high] = await Promise.all(
      ['lowest', 'highest'].map((end) => page.getByRole('slider', { name: `temperature: ${end} kept` }).boundingBox()),
    )
    if (!low || !high) throw new Error('the axis has no ends')
    const x = low.x + low.width / 2
    const y = (place: number) => low.y + place * (high.y + high.height - low.y)
    await page.mouse.move(x, y(0.4))
    await page.mouse.down()
    await page.mouse.move(x, y(0.6), { steps: 4 })
    await page.getByText('1 of 6 runs kept').waitFor()
    await page.mouse.up()
    await expect.poll(() => new URL(page.url()).searchParams.get('ranges')).toContain('model.temperature')
    await page.mouse.move(x + 20, y(0.5))
    // The kept line goes from the middle of this axis to one of the ends of the next.
    const plot = (await page.locator('[data-axes-plot]').boundingBox())!
    for (let at = plot.y; at < plot.y + plot.height && (await page.locator('[data-line-name]').count()) === 0; at += 6)
      await page.mouse.move(x + 30, at)
    expect(await page.locator('[data-line-name]').textContent()).toBe('at 0.5')
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/${project}/evaluations/runs/${ids[2]}`)
  }),
)

test.each(inWholeRuns)('an address with unknown axes and ends says what it does not show', () =>
  withPage(async ({ page, visit }) => {
    const search = new URLSearchParams({
      view: 'axes',
      axes: '["model.temperature","model.other","score.right"]',
      ranges: '[{"axis":"model.temperature","to":"warm"}]',
      colour: 'cost',
    })
    await visit(`/${project}/evaluations?${search}`)
    await page.getByText('Unknown axis model.other.').waitFor()
    await page.getByText('The range of model.temperature is not used').waitFor()
    await page.getByText('No axis cost is shown that could colour the lines.').waitFor()
    await page.getByText('6 of 6 runs kept').waitFor()
  }),
)

test.each(inWholeRuns.flatMap(() => colorSchemes.flatMap((colorScheme) => [1280, 768].map((width) => ({ colorScheme, width })))))(
  'the lines are readable and without faults in $colorScheme at $width, also with the table closed',
  ({ colorScheme, width }) =>
    withPage(
      async (open) => {
        const { page, visit } = open
        await visit(`${path}&ranges=${encodeURIComponent('[{"axis":"model.temperature","from":0.3}]')}`)
        await page.getByText('4 of 6 runs kept').waitFor()
        await page.getByRole('button', { name: /^Axes \d+ of \d+$/ }).click()
        await page.getByRole('table', { name: 'Kept runs' }).getByRole('link').first().focus()
        await check(open)
        await keepScreenshot(page, `parallel-coordinates-${colorScheme}-${width}`)
        await page.getByRole('button', { name: 'Kept runs as a table' }).click()
        expect(await page.getByRole('table', { name: 'Kept runs' }).count()).toBe(0)
        await check(open)
      },
      { colorScheme, width },
    ),
)

test.each(inWholeRuns.flatMap(() => colorSchemes))(
  'training jobs stand over their settings and metrics without faults in %s',
  (colorScheme) =>
    withPage(
      async (open) => {
        const { page, visit } = open
        const { ordinary } = inject('webServer').seeded
        await visit(`/${ordinary.project}/training/jobs`)
        await page.getByRole('radio', { name: 'Parallel coordinates' }).check()
        await page.getByText(/^(\d+) of \1 jobs? kept$/).waitFor()
        await page.getByRole('button', { name: 'Move reward to the left' }).waitFor()
        await page.getByRole('button', { name: /^Axes \d+ of \d+$/ }).click()
        await page.getByRole('checkbox', { name: 'Status' }).check()
        await chooseOption(page, 'Colour by', 'Status')
        await check(open)
        await keepScreenshot(page, `parallel-coordinates-jobs-${colorScheme}`)
        await page.getByRole('table', { name: 'Kept jobs' }).getByRole('link').first().press('Enter')
        await expect.poll(() => new URL(page.url()).pathname).toContain(`/${ordinary.project}/training/jobs/`)
      },
      { colorScheme },
    ),
)
