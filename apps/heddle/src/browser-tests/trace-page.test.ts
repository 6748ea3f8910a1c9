import { json } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const { ordinary } = seeded
const [turn = ''] = ordinary.turnIds
const path = `/${ordinary.project}/calls/${turn}`

test('a call says what it cost and what it names, becomes a row with chosen columns, and is copied and exported', () =>
  withPage(async ({ page, visit }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(`${path}?tab=cost`)
    const details = page.getByRole('region', { name: 'Call', exact: true })
    await details.getByRole('rowheader', { name: 'large' }).waitFor()
    expect(await page.locator('.trace-usage').first().textContent()).toMatch(/^50 tok · \$/)
    await details.getByRole('button', { name: 'Links' }).click()
    expect(await details.getByRole('link', { name: ordinary.threadId }).getAttribute('href')).toBe(
      `/${ordinary.project}/threads/${ordinary.threadId}`,
    )

    const actions = page.getByRole('region', { name: 'Actions on the call' })
    await actions.getByRole('button', { name: 'Add to a dataset' }).click()
    await actions.getByText('Columns: messages, question, output').click()
    await actions.getByLabel('Column for inputs.messages').fill('')
    await actions.getByLabel('Column for output', { exact: true }).fill('question')
    await actions.getByText('Two fields would go into the column question').waitFor()
    await actions.getByLabel('Column for output', { exact: true }).fill('')
    await actions.getByLabel('Column for output.content').fill('expected')
    for (const scheme of colorSchemes) {
      await page.emulateMedia({ colorScheme: scheme })
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, `trace-actions-${scheme}`)
    }
    await actions.getByLabel('Dataset;').fill('asked and answered')
    await page.keyboard.press('Enter')
    await actions.getByText('1 row was added to a new dataset').waitFor()

    await actions.getByRole('button', { name: 'Copy link' }).click()
    await actions.getByText('Copied').waitFor()
    expect(new URL(await page.evaluate(() => navigator.clipboard.readText())).pathname).toBe(path)
    await actions.getByRole('button', { name: 'Copy as code' }).click()
    await actions.getByText('client.calls.read').waitFor()
    const download = page.waitForEvent('download')
    await actions.getByRole('button', { name: 'Export JSON' }).click()
    expect(await json(await (await download).createReadStream())).toMatchObject({ id: turn, op_name: 'chat_turn' })
  }))

const root = `/${ordinary.project}/calls/${ordinary.rootCallIds[0]}`

const views = [
  { view: 'graph', shows: 'The same as a table' },
  { view: 'messages', shows: 'model call' },
  { view: 'flame', shows: 'By own time' },
]

test.each(isWholeRun ? views : views.slice(0, 1))(
  'the view $view of a trace stands in its address, and everybody can use it',
  ({ view, shows }) =>
    withPage(async ({ page, visit }) => {
      for (const scheme of colorSchemes) {
        await page.emulateMedia({ colorScheme: scheme })
        await visit(`${root}?view=${view}`)
        await page.getByText(shows).first().waitFor()
        expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
        await keepScreenshot(page, `trace-${view}-${scheme}`)
      }
      if (view !== 'graph') return
      await page.getByRole('button', { name: /^look_up/ }).click()
      await expect.poll(() => page.getByText('1 found').count()).toBe(1)
      expect(new URL(page.url()).searchParams.get('view')).toBeNull()
    }),
)

test.each(inWholeRuns)('views of large, broken and hostile traces hold: nothing overlaps, and what is left out is counted', () =>
  withPage(async ({ page, visit }) => {
    for (const { project, rootCallId } of [seeded.huge, seeded.broken, seeded.hostile]) {
      for (const view of ['messages', 'flame', 'graph']) {
        await visit(`/${project}/calls/${rootCallId}?view=${view}`)
        expect([view, await findViolations(page), await findLayoutFaults(page)]).toEqual([view, [], []])
        await keepScreenshot(
          page,
          `trace-${view}-of-${[seeded.huge, seeded.broken, seeded.hostile].findIndex((one) => one.project === project)}`,
        )
      }
    }
  }),
)
