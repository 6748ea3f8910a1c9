import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { aChart, dashboardValue } from './testing/dashboard-value.ts'
import { chooseAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { chooseOption } from './testing/choose-option.ts'
import { findViolations } from './testing/find-violations.ts'
import { answerQuestion } from './testing/answer-question.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** A project with it is not new: a chart of a week has parts of six hours, and what is recorded within seconds is in one of them. */
const nineDaysAgo = new Date(Date.now() - 9 * 86_400_000).toISOString()

async function recordCall(project_id: string, fields: Record<string, unknown> = {}): Promise<string> {
  const [entity = '', project = ''] = project_id.split('/')
  const id = randomUUID()
  const now = new Date().toISOString()
  const times = { started_at: now, ended_at: now }
  const call = { project_id, id, trace_id: randomUUID(), op_name: 'answer', attributes: {}, inputs: {}, output: null, summary: {} }
  await client.calls.complete({ entity, project, batch: [{ ...call, ...times, ...fields }] })
  return id
}

/** Stores a dashboard as its page does, and returns the path of its page. */
async function storeDashboard(project_id: string, value: Parameters<typeof dashboardValue>[0]): Promise<string> {
  const object_id = `dashboard-${randomUUID()}`
  const obj = { project_id, object_id, val: dashboardValue(value) }
  await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
  return `/${project_id}/dashboards/${object_id}`
}

const chartOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const titlesOf = (page: Page) => page.getByRole('list', { name: 'Charts' }).getByRole('heading', { level: 2 }).allTextContents()
test.each(inWholeRuns)('a project without dashboards gets one of those to begin with by one press', () =>
  withPage(async ({ page, visit }) => {
    const project_id = `test/${randomUUID()}`
    await recordCall(project_id)
    await visit(`/${project_id}/dashboards`)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Tokens and cost' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tokens and cost' }).waitFor()
    expect(await titlesOf(page)).toEqual(['Cost by model', 'Tokens by model', 'Cost by user', 'Cost by operation'])
  }),
)

test.each(inWholeRuns)('a dashboard is created, gets a chart of some calls, is kept, changed, and leads to those calls', async () => {
  const own = `test/${randomUUID()}`
  await recordCall(own, { inputs: { city: 'Oslo' }, display_name: 'of Oslo' })
  await recordCall(own, { inputs: { city: 'Rome' }, display_name: 'of Rome' })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/dashboards`)
    await page.getByRole('heading', { name: 'No dashboards yet' }).waitFor()
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await page.getByLabel('Name').fill('Cities')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Cities' }).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Add chart', exact: true }).click()
    await page.getByLabel('Title').fill('Calls about Oslo')
    await page.getByLabel('Filter').fill('inputs.city =')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    expect(await page.getByRole('alert').textContent()).toMatch(/^a value .* is missing after =, at character 14$/)
    await page.getByLabel('Filter').focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' "Oslo"')
    await page.getByLabel('Title').focus()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await chartOf(page, 'Calls about Oslo')
      .getByRole('link', { name: / from / })
      .waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Dashboard saved').waitFor()

    await page.reload()
    await settle(page)
    await chooseOption(page, 'Time range', 'Last 24 hours')
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('24h')
    await page.reload()
    await settle(page)
    expect(await page.getByRole('combobox', { name: 'Time range' }).textContent()).toBe('Last 24 hours')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await chartOf(page, 'Calls about Oslo').getByRole('button', { name: 'Edit' }).click()
    await chooseOption(page, 'Show as', 'Line')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Changes not saved').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Dashboard saved').waitFor()

    const point = chartOf(page, 'Calls about Oslo')
      .getByRole('link', { name: / from / })
      .last()
    expect(await point.getAttribute('aria-label')).toMatch(/^1 from /)
    await point.click()
    await page.getByRole('link', { name: 'of Oslo' }).waitFor()
    expect(await page.getByRole('link', { name: 'of Rome' }).count()).toBe(0)
  })
})

test.each(inWholeRuns)(
  'a grouped chart distinguishes its groups in the plot, legend and table, and each value links to the calls of its group',
  async () => {
    const own = `test/${randomUUID()}`
    const usage = { usage: { 'gpt-4o': { input_tokens: 10, output_tokens: 1 } } }
    for (const op_name of ['first', 'first', 'second']) await recordCall(own, { op_name, summary: usage })
    await recordCall(own, { op_name: 'plain' })
    await recordCall(own, { started_at: nineDaysAgo, ended_at: nineDaysAgo })
    const path = await storeDashboard(own, {
      name: 'Groups',
      charts: [
        aChart('Calls by op', { by: 'op' }),
        aChart('Tokens by model', { measure: 'tokens', by: 'model', form: 'line' }),
        aChart('Cost by op', { measure: 'cost', by: 'op', form: 'table' }),
        aChart('Failed', { measure: 'error_rate', form: 'number' }),
        aChart('Calls by model', { by: 'model' }),
      ],
    })
    await withPage(async ({ page, visit }) => {
      await visit(path)
      const byOp = chartOf(page, 'Calls by op')
      expect(
        await byOp
          .getByRole('link', { name: / from / })
          .last()
          .getAttribute('aria-label'),
      ).toMatch(/^first: 2, plain: 1, second: 1 from /)
      expect(await byOp.locator('svg rect[fill="var(--s2)"]').count()).toBe(1)
      expect(
        await chartOf(page, 'Tokens by model')
          .getByRole('link', { name: / from / })
          .last()
          .getAttribute('aria-label'),
      ).toMatch(/^gpt-4o: 33 tokens from /)
      expect(await chartOf(page, 'Cost by op').getByRole('row').allTextContents()).toHaveLength(3)
      expect(await chartOf(page, 'Failed').textContent()).toContain('0%of 4 in the last 7 days')
      const byModel = chartOf(page, 'Calls by model')
      expect(
        await byModel
          .getByRole('link', { name: / from / })
          .last()
          .getAttribute('aria-label'),
      ).toMatch(/^gpt-4o: 3, no model: 1 from /)
      await byModel.getByRole('link', { name: 'no model', exact: true }).click()
      await page.getByRole('link', { name: 'plain' }).first().waitFor()
      expect(await page.locator('[role=row] a[href*="/calls/"]').allTextContents()).toEqual(['plain'])
      await page.goBack()
      await byOp.getByRole('button', { name: 'Options of Calls by op' }).click()
      await page.getByRole('menuitem', { name: 'Show as table' }).click()
      await byOp.getByRole('cell').getByRole('link', { name: '1', exact: true }).last().click()
      await page.getByRole('link', { name: 'second' }).first().waitFor()
      expect(await page.locator('[role=row] a[href*="/calls/"]').allTextContents()).toEqual(['second'])
    })
  },
)

test.each(inWholeRuns)('a chart of feedback shows the mean of a value, and leads to that feedback', async () => {
  const own = `test/${randomUUID()}`
  const weave_ref = `weave:///${own}/call/${await recordCall(own, { started_at: nineDaysAgo, ended_at: nineDaysAgo })}`
  for (const right of [true, true, false]) {
    const feedback = { project_id: own, weave_ref, feedback_type: 'quality', payload: { right } }
    await client.feedback.create(feedback as unknown as Parameters<typeof client.feedback.create>[0])
  }
  const path = await storeDashboard(own, { name: 'Quality', charts: [] })
  await withPage(async ({ page, visit }) => {
    await visit(path)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Add chart', exact: true }).click()
    await chooseOption(page, 'Measure', 'Feedback value')
    await page.getByLabel('Type of feedback').fill('quality')
    await chooseOption(page, 'Value', 'right share true')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const point = chartOf(page, 'right')
      .getByRole('link', { name: / from / })
      .last()
    expect(await point.getAttribute('aria-label')).toMatch(/^66\.7% of 3 from /)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Dashboard saved').waitFor()
    await point.click()
    await page.getByText('3 in all').waitFor()
  })
})

test.each(inWholeRuns)('what the table of calls shows is added to a dashboard, whenever it was', async () => {
  const own = `test/${randomUUID()}`
  for (const city of ['Oslo', 'Rome']) await recordCall(own, { inputs: { city } })
  await storeDashboard(own, { name: 'Cities', charts: [] })
  await withPage(async ({ page, visit }) => {
    const where = [
      { path: 'inputs.city', operator: '=', value: 'Oslo' },
      { path: 'started_at', operator: '<', value: '2020-01-01T00:00:00Z' },
    ]
    await visit(`/${own}/calls?where=${encodeURIComponent(JSON.stringify(where))}`)
    await chooseAction(page, 'Add to dashboard…')
    await page.getByText('Choose a dashboard for').waitFor()
    await page.getByRole('link', { name: 'Cities' }).click()
    expect(await page.getByLabel('Filter').inputValue()).toBe('inputs.city = "Oslo"')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    expect(
      await chartOf(page, 'Calls')
        .getByRole('link', { name: / from / })
        .last()
        .getAttribute('aria-label'),
    ).toMatch(/^1 from /)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Dashboard saved').waitFor()
    await page.reload()
    await settle(page)
    expect(await titlesOf(page)).toEqual(['Calls'])
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

test.each(inWholeRuns)('charts of the home of a project and of the costs page are added to a dashboard', async () => {
  const own = `test/${randomUUID()}`
  await recordCall(own, { summary: { usage: { 'gpt-4o': { input_tokens: 10, output_tokens: 1 } } } })
  await storeDashboard(own, { name: 'Own', charts: [] })
  const added = [
    [`/${own}`, 'Latency p95', 'Latency'],
    [`/${own}/costs?chart=tokens`, 'Tokens', 'Tokens'],
    [`/${own}/costs?chart=tokens`, 'Tokens by model', null],
  ] as const
  await withPage(async ({ page, visit }) => {
    for (const [path, , chart] of added) {
      await visit(path)
      if (chart === null) await chooseAction(page, 'Add table to dashboard…')
      else {
        await page.getByRole('button', { name: `Options of ${chart}`, exact: true }).click()
        await page.getByRole('menuitem', { name: 'Add to dashboard…' }).click()
      }
      await page.getByRole('link', { name: 'Own' }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Dashboard saved').waitFor()
    }
    expect(await titlesOf(page)).toEqual(added.map(([, title]) => title))
    expect(await chartOf(page, 'Tokens by model').getByRole('row').allTextContents()).toHaveLength(2)
  })
})

test.each(inWholeRuns)('charts are moved by buttons and by the arrow keys, which keep the focus, and removed', async () => {
  const own = `test/${randomUUID()}`
  const path = await storeDashboard(own, { name: 'Order', charts: ['A', 'B', 'C'].map((title) => aChart(title)) })
  await withPage(async ({ page, visit }) => {
    await visit(path)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Move C back' }).click()
    expect(await titlesOf(page)).toEqual(['A', 'C', 'B'])
    await page.getByRole('button', { name: /^Place of A: 1 of 3/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await titlesOf(page)).toEqual(['C', 'B', 'A'])
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Place of A: 3 of 3/)
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('button', { name: 'Remove B' }).click()
    expect(await titlesOf(page)).toEqual(['C', 'A'])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Dashboard saved').waitFor()
    await page.reload()
    await expect.poll(() => titlesOf(page)).toEqual(['C', 'A'])
  })
})

test.each(inWholeRuns)('editing a dashboard that another user has saved in the meantime shows a warning and loses no changes', async () => {
  const own = `test/${randomUUID()}`
  const path = await storeDashboard(own, { name: 'Ours', charts: [aChart('A'), aChart('B')] })
  await withPage(async ({ page, visit }) => {
    await visit(path)
    const other = await page.context().newPage()
    await other.goto(path)
    const remove = async (on: Page, title: string) => {
      await on.getByRole('button', { name: 'Edit', exact: true }).click()
      await on.getByRole('button', { name: `Remove ${title}` }).click()
    }
    await remove(page, 'A')
    await remove(other, 'B')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByText('Dashboard saved').waitFor()
    await other.close()

    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('saved a newer version').waitFor()
    expect(await titlesOf(page)).toEqual(['B'])
    await page.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Dashboard saved').waitFor()
    expect(await titlesOf(page)).toEqual(['B'])
    await chooseAction(page, 'Versions')
    await settle(page)
    expect(await page.textContent('main')).toMatch(/3 versions|v2/)
  })
})

test.each(inWholeRuns)('of two versions that are saved at the same moment both are kept, and named', async () => {
  const own = `test/${randomUUID()}`
  const path = await storeDashboard(own, { name: 'Ours', charts: [aChart('A'), aChart('B')] })
  const obj = { project_id: own, object_id: path.split('/').at(-1) ?? '', val: dashboardValue({ name: 'Theirs', charts: [] }) }
  await withPage(async ({ page, visit }) => {
    await visit(path)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Remove A' }).click()
    await page.route('**/obj/create', async (route) => {
      await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('saved a version at the same moment').waitFor()
    expect(await titlesOf(page)).toEqual(['B'])
    await page.getByRole('link', { name: 'Compare' }).click()
    await expect.poll(() => page.textContent('main')).toContain('Theirs')
  })
})

test.each(inWholeRuns)('a dashboard is deleted after a question; damaged charts, bad filters and unknown forms are said', async () => {
  const own = `test/${randomUUID()}`
  await recordCall(own)
  await storeDashboard(own, { name: 'To delete', charts: [] })
  const damaged = await storeDashboard(own, { name: 'Damaged', charts: [aChart('Bad', { filter: 'a =' }), { id: 'x' }, aChart('Good')] })
  const later = await storeDashboard(own, { name: 'Later', charts: [], form_version: 2 })
  await withPage(async ({ page, visit }) => {
    await visit(damaged)
    await page.getByText('One chart of this dashboard cannot be read').waitFor()
    expect(await chartOf(page, 'Bad').getByRole('alert').textContent()).toContain('a value')
    await chartOf(page, 'Good')
      .getByRole('link', { name: / from / })
      .waitFor()
    await visit(`${later}?range=always`)
    await page.getByText('range=always').waitFor()
    await page.getByText('cannot read this dashboard').waitFor()
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    await visit(`/${own}/dashboards/nothing`)
    await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
    await visit(`/${own}/dashboards`)
    await page.getByRole('button', { name: 'Delete the dashboard To delete' }).click()
    await answerQuestion(page, 'Delete')
    await expect.poll(() => page.getByRole('link', { name: 'To delete' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'To delete' }).waitFor()
    expect(await page.getByRole('link', { name: 'Damaged' }).count()).toBe(1)
  })
})

test.each(inWholeRuns.length > 0 ? colorSchemes : [])(
  'in %s, hostile titles and names of groups stay text, at 1280 and 768',
  async (colorScheme) => {
    const { project } = seeded.hostile
    const hostile = '<img src=x onerror="window.attacked = true"> '.repeat(2)
    const path = await storeDashboard(project, {
      name: hostile,
      charts: [
        aChart(hostile, { by: 'op' }),
        aChart(`${hostile} line`, { id: 'line', by: 'op', form: 'line', measure: 'latency_p95' }),
        aChart('x'.repeat(120), { id: 'long', by: 'op', form: 'table' }),
        aChart('number', { form: 'number' }),
      ],
    })
    await withPage(
      async ({ page, visit }) => {
        await visit(`${path}?range=30d`)
        await page
          .getByRole('list', { name: 'Charts' })
          .getByRole('link', { name: / from / })
          .first()
          .waitFor()
        await keepScreenshot(page, `dashboard-hostile-${colorScheme}`)
        for (const isEdited of [false, true]) {
          if (isEdited) await page.getByRole('button', { name: 'Edit', exact: true }).click()
          for (const width of [768, 1280]) {
            await page.setViewportSize({ width, height: 900 })
            expect(await findLayoutFaults(page)).toEqual([])
          }
          expect(await findViolations(page)).toEqual([])
        }
        await page.getByRole('button', { name: 'Add chart', exact: true }).click()
        expect(await findViolations(page)).toEqual([])
        expect(await page.evaluate(() => Reflect.get(window, 'attacked'))).toBeUndefined()
        expect(await page.locator('main img').count()).toBe(0)
      },
      { colorScheme },
    )
  },
)
