import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { beforeAll, expect, inject, test } from 'vitest'
import { openColumns } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url: baseUrl, apiKey } = inject('webServer')
const client = createClient({ baseUrl, apiKey, contract: tracing })
const { entity, project } = { entity: 'acme', project: 'selected' }
const project_id = `${entity}/${project}`

beforeAll(async () => {
  const batch = ['first', 'second', 'third'].map((question, at) => ({
    project_id,
    id: randomUUID(),
    trace_id: randomUUID(),
    op_name: question,
    started_at: new Date(Date.UTC(2026, 10, 16, 10, 0, at)).toISOString(),
    ended_at: new Date(Date.UTC(2026, 10, 16, 10, 1, at)).toISOString(),
    attributes: {},
    inputs: { question },
    output: `answer to ${question}`,
    summary: {},
  }))
  await client.calls.complete({ entity, project, batch })
  const val = { name: 'correct', field_schema: { type: 'boolean' } }
  const obj = { project_id, object_id: 'correct', val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await client.objects.create({ obj } as Parameters<typeof client.objects.create>[0])
  const scorer_refs = [`weave:///${project_id}/object/correct:${digest}`]
  await client.annotationQueues.create({ project_id, name: 'to review', description: '', scorer_refs })
})

test('calls are selected by keyboard, and become rows of a dataset and items of a queue; deleting them is confirmed first', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls?range=30d`)
    const rows = page.getByRole('grid', { name: 'Traces' })
    const checks = rows.getByRole('checkbox', { name: /^Select (?!all)/ })
    await rows.getByRole('link', { name: 'third' }).waitFor()
    await rows.focus()
    for (const key of ['ArrowDown', 'x', 'ArrowDown', 'x']) await page.keyboard.press(key)
    const selected = page.getByRole('toolbar', { name: 'Selected calls' })
    await selected.getByText('2 selected').waitFor()
    const [dialog, question] = [page.getByRole('dialog'), page.getByRole('alertdialog')]

    await selected.getByRole('button', { name: 'Annotate' }).click()
    await dialog.getByRole('button', { name: 'Add 2 calls' }).click()
    await dialog.getByText('2 added: to review').waitFor()
    await page.keyboard.press('Escape')
    await selected.getByRole('button', { name: 'Add to dataset' }).click()
    await dialog.getByLabel('Dataset').waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'selected-calls')
    await dialog.getByLabel('Dataset').fill('picked')
    await page.keyboard.press('Enter')
    await dialog.getByText('2 rows were added to a new dataset').waitFor()

    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await selected.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'JSON Lines' }).click()
    const lines = (await text(await (await download).createReadStream())).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { output: unknown }).output)).toEqual(['answer to third', 'answer to second'])

    await selected.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => question.getByRole('button', { name: 'Cancel' }).evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => question.count()).toBe(0)
    expect(await checks.count()).toBe(3)
    await selected.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete 2 calls' }).click()
    await expect.poll(() => checks.count()).toBe(1)
    expect(await rows.getByRole('link').allTextContents()).toEqual(['first'])
    await selected.waitFor({ state: 'detached' })

    await visit(`/${project_id}/datasets/picked`)
    await expect.poll(() => page.textContent('main')).toMatch(/third.*answer to third.*second.*answer to second/s)
  }))

const callOf = (name: string, at: number) => ({
  id: randomUUID(),
  trace_id: randomUUID(),
  op_name: name,
  started_at: new Date(Date.UTC(2026, 10, 16, 10, 0, at)).toISOString(),
  ended_at: new Date(Date.UTC(2026, 10, 16, 10, 1, at)).toISOString(),
  attributes: {},
  inputs: { question: `question ${at}` },
  output: `answer ${at}`,
  summary: {},
})

test.each(inWholeRuns)(
  'all matching calls are selected, even those that are not loaded, and each action applies to all of them',
  async () => {
    const own = `test/${randomUUID()}`
    const [ownEntity = '', ownProject = ''] = own.split('/')
    const batch = Array.from({ length: 230 }, (_, at) => ({ ...callOf(at < 220 ? 'answer' : 'other', at), project_id: own }))
    await client.calls.complete({ entity: ownEntity, project: ownProject, batch })
    await client.annotationQueues.create({ project_id: own, name: 'to review', description: '', scorer_refs: [] })
    const where = encodeURIComponent(JSON.stringify([{ path: 'op_name', operator: '=', value: 'answer' }]))
    await withPage(async ({ page, visit }) => {
      await visit(`/${own}/calls?where=${where}`)
      const rows = page.getByRole('grid', { name: 'Traces' })
      const selected = page.getByRole('toolbar', { name: 'Selected calls' })
      const [dialog, question] = [page.getByRole('dialog'), page.getByRole('alertdialog')]
      await rows
        .getByRole('checkbox', { name: /^Select (?!all)/ })
        .first()
        .check()
      await selected.getByText('1 selected').waitFor()
      await selected.getByRole('button', { name: 'Select all 220 that match' }).click()
      await selected.getByText('220 selected').waitFor()
      expect(await selected.getByRole('button', { name: 'Score' }).isDisabled()).toBe(true)
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, 'all-that-match')

      await selected.getByRole('button', { name: 'Annotate' }).click()
      await dialog.getByRole('button', { name: 'Add 220 calls' }).click()
      await dialog.getByText('220 added: to review').waitFor()
      await page.keyboard.press('Escape')
      await selected.getByRole('button', { name: 'Add to dataset' }).click()
      await dialog.getByLabel('Dataset').fill('All of them')
      await page.keyboard.press('Enter')
      await dialog.getByText('220 rows were added to a new dataset').waitFor()
      await dialog.getByLabel('Dataset').fill('All of them')
      await page.keyboard.press('Enter')
      await dialog.getByText('220 rows were added in a new version').waitFor()
      await page.keyboard.press('Escape')
      const download = page.waitForEvent('download')
      await selected.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: 'JSON Lines' }).click()
      const lines = (await text(await (await download).createReadStream())).trimEnd().split('\n')
      expect(lines.map((line) => (JSON.parse(line) as { output: unknown }).output)).toEqual(
        Array.from({ length: 220 }, (_, at) => `answer ${219 - at}`),
      )

      await selected.getByRole('button', { name: 'Delete' }).click()
      await question.getByRole('button', { name: 'Delete 220 calls' }).click()
      await page.getByText('No traces match').waitFor()
      await selected.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Clear filters' }).click()
      await expect.poll(() => rows.getByRole('link').allTextContents()).toEqual(Array.from({ length: 10 }, () => 'other'))
    })
    const { objs } = await client.objects.query({ project_id: own, filter: { object_ids: ['all_of_them'], latest_only: true } })
    expect(objs.map(({ version_index }) => version_index)).toEqual([2])
  },
)

test.each(inWholeRuns)('rows are grouped by the field in the address, groups fold, and visible rows keep their details', async () => {
  const own = `test/${randomUUID()}`
  const [ownEntity = '', ownProject = ''] = own.split('/')
  const batch = Array.from({ length: 150 }, (_, at) => ({ ...callOf(at % 3 === 0 ? 'third op' : 'other', at), project_id: own }))
  await client.calls.complete({ entity: ownEntity, project: ownProject, batch })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitemradio', { name: 'Name', exact: true }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('group')).toBe('name')
    const rows = page.getByRole('treegrid', { name: 'Traces' })
    const head = (name: RegExp) => rows.getByRole('row', { name })
    await head(/^Name\s*other\s*67/).waitFor()
    await keepScreenshot(page, 'grouped-calls')
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await rows.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => rows.getByRole('link', { name: 'other' }).count()).toBe(0)
    await page.keyboard.press('End')
    await page.getByText('150 loaded').waitFor()
    await page.keyboard.press('Home')
    await head(/^Name\s*third op\s*50/).waitFor()
    await head(/^Name\s*other\s*100/).waitFor()
    await rows.getByText('question 147').waitFor()
    await rows.getByRole('link', { name: 'third op' }).first().waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    const peek = page.getByRole('dialog', { name: 'third op' })
    await peek.getByText('question 147').first().waitFor()
    await peek.getByRole('button', { name: 'Next' }).click()
    await peek.getByText('question 144').first().waitFor()
    await page.reload()
    // Rows without groups are a grid.
    await rows.waitFor()
  })
})

test.each(inWholeRuns)('a value of a call becomes a condition or a column by keyboard', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls`)
    const rows = page.getByRole('grid', { name: 'Traces' })
    await rows.getByRole('link', { name: 'first' }).waitFor()
    await rows.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('f')
    const fields = page.getByRole('dialog', { name: 'Fields of the call' })
    await fields.getByLabel('Find a field or a value').fill('inputs.')
    await fields.getByRole('button', { name: 'Column: inputs.question' }).waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'fields-of-a-call')
    await fields.getByRole('button', { name: 'Column: inputs.question' }).press('Enter')
    await page.getByRole('columnheader', { name: 'inputs.question' }).waitFor()
    // The rows are read again with the column.
    await rows.getByRole('link', { name: 'first' }).waitFor()
    await rows.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('f')
    await fields.getByRole('button', { name: 'Only these: inputs.question' }).press('Enter')
    await page.getByRole('button', { name: 'Remove the condition inputs.question = "first"' }).waitFor()
    await expect.poll(() => rows.getByRole('checkbox', { name: /^Select (?!all)/ }).count()).toBe(1)
  }),
)

test.each(inWholeRuns)('usual columns are hidden, added ones moved, and the address keeps both', () =>
  withPage(async ({ page, visit }) => {
    const columns = encodeURIComponent('["output","inputs.question"]')
    await visit(`/${project_id}/calls?columns=${columns}`)
    const titles = () => page.getByRole('columnheader').allTextContents()
    await expect.poll(titles).toEqual(['', 'Status', 'Started', 'Name', 'Input', 'Output', 'Latency', ...last('output', 'inputs.question')])
    const menu = await openColumns(page)
    await menu.getByRole('checkbox', { name: 'Status', exact: true }).uncheck()
    await menu.getByRole('checkbox', { name: 'Input', exact: true }).uncheck()
    await menu.getByRole('button', { name: 'Move inputs.question up' }).click()
    const moved = ['', 'Started', 'Name', 'Output', 'Latency', ...last('inputs.question', 'output')]
    await expect.poll(titles).toEqual(moved)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'columns-of-calls')
    await page.reload()
    await expect.poll(titles).toEqual(moved)
    const again = await openColumns(page)
    await again.getByRole('checkbox', { name: 'inputs.question' }).uncheck()
    await again.getByRole('textbox', { name: 'Find a column' }).fill('inputs.quest')
    await again.getByRole('checkbox', { name: 'inputs.question' }).press('Space')
    await expect.poll(titles).toEqual(['', 'Started', 'Name', 'Output', 'Latency', ...last('output', 'inputs.question')])
  }),
)

const last = (...further: string[]) => ['Tokens', 'Cost', ...further]
