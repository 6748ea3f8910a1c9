import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { beforeAll, expect, inject, test } from 'vitest'
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
    const rows = page.getByRole('grid', { name: 'Calls' })
    await rows.getByRole('link', { name: 'third' }).waitFor()
    await rows.focus()
    for (const key of ['ArrowDown', 'x', 'ArrowDown', 'x']) await page.keyboard.press(key)
    const selected = page.getByRole('region', { name: 'Selected calls' })
    await selected.getByText('2 calls are selected').waitFor()

    await selected.getByRole('button', { name: 'Add to an annotation queue' }).click()
    await selected.getByRole('button', { name: 'Add the calls' }).click()
    await selected.getByText('2 added: to review').waitFor()
    await selected.getByRole('button', { name: 'Add to a dataset' }).click()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'selected-calls')
    await selected.getByLabel('Dataset;').fill('picked')
    await page.keyboard.press('Enter')
    await selected.getByText('2 rows were added to a new dataset').waitFor()

    const download = page.waitForEvent('download')
    await selected.getByRole('button', { name: 'Export JSON Lines' }).click()
    const lines = (await text(await (await download).createReadStream())).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { output: unknown }).output)).toEqual(['answer to third', 'answer to second'])

    await selected.getByRole('button', { name: 'Delete' }).click()
    await page.keyboard.press('Enter')
    await expect.poll(() => selected.getByRole('alertdialog').count()).toBe(0)
    expect(await rows.getByRole('checkbox').count()).toBe(3)
    await selected.getByRole('button', { name: 'Delete' }).click()
    await selected.getByRole('button', { name: 'Delete them' }).click()
    await expect.poll(() => rows.getByRole('checkbox').count()).toBe(1)
    expect(await rows.getByRole('link').allTextContents()).toEqual(['first'])
    await selected.waitFor({ state: 'detached' })

    await visit(`/${project_id}/datasets/picked`)
    await expect.poll(() => page.textContent('main')).toMatch(/third.*answer to third.*second.*answer to second/s)
  }))

test('a value of a call becomes a condition or a column by keyboard', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls`)
    const rows = page.getByRole('grid', { name: 'Calls' })
    await rows.getByRole('link', { name: 'first' }).waitFor()
    await rows.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('f')
    const fields = page.getByRole('dialog', { name: 'Fields of the call' })
    await fields.getByLabel('Part of a field').fill('inputs.')
    await fields.getByRole('button', { name: 'Column: inputs.question' }).waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'fields-of-a-call')
    await fields.getByRole('button', { name: 'Column: inputs.question' }).press('Enter')
    await page.getByRole('columnheader', { name: 'inputs.question' }).waitFor()
    // The rows are read anew with the column.
    await rows.getByRole('link', { name: 'first' }).waitFor()
    await rows.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('f')
    await fields.getByRole('button', { name: 'Only these: inputs.question' }).press('Enter')
    await page.getByRole('button', { name: 'Remove the condition inputs.question = "first"' }).waitFor()
    await expect.poll(() => rows.getByRole('checkbox').count()).toBe(1)
  }))

test.each(inWholeRuns)('usual columns are hidden, added ones moved, and the address keeps both', () =>
  withPage(async ({ page, visit }) => {
    const columns = encodeURIComponent('["output","inputs.question"]')
    await visit(`/${project_id}/calls?columns=${columns}`)
    const titles = () => page.getByRole('columnheader').allTextContents()
    await expect
      .poll(titles)
      .toEqual(['Select', 'Status', 'Name', 'Input', 'Output', 'Started', 'Latency', ...last('output', 'inputs.question')])
    await page.getByText('Usual columns').click()
    await page.getByRole('checkbox', { name: 'Status' }).uncheck()
    await page.getByRole('checkbox', { name: 'Input' }).uncheck()
    await page.getByRole('button', { name: 'Move the column inputs.question to the left' }).click()
    const moved = ['Select', 'Name', 'Output', 'Started', 'Latency', ...last('inputs.question', 'output')]
    await expect.poll(titles).toEqual(moved)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'columns-of-calls')
    await page.reload()
    await expect.poll(titles).toEqual(moved)
    const add = page.getByRole('button', { name: 'Add', exact: true })
    await page.getByLabel('Add a column').fill('inputs.quest')
    expect(await add.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove the column inputs.question' }).click()
    await page.getByLabel('Add a column').fill('inputs.question')
    await expect.poll(() => add.isEnabled()).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(titles).toEqual(['Select', 'Name', 'Output', 'Started', 'Latency', ...last('output', 'inputs.question')])
  }),
)

const last = (...further: string[]) => ['Tokens', 'Cost', ...further, 'Peek']
