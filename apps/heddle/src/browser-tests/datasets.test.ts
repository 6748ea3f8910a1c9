import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

async function publishDataset() {
  const [entity, project] = ['test', randomUUID()]
  const rows = ['Refund my order', 'Where is my parcel?', 'No refund yet'].map((question, order) => ({ question, order }))
  const { object_id, digest } = await client.datasets.create({ entity, project, name: 'questions', rows })
  return { entity, project, id: `${entity}/${project}`, dataset: `weave:///${entity}/${project}/object/${object_id}:${digest}` }
}

test('rows of a dataset are found by a text in their values, also those that are not saved yet', async () => {
  const { id } = await publishDataset()
  await withPage(async ({ page, visit }) => {
    await visit(`/${id}/datasets/questions`)
    const grid = page.getByRole('grid', { name: 'Rows' })
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('refund')
    await page.getByText('2 found', { exact: true }).waitFor()
    expect(await grid.getByRole('gridcell', { name: /refund/i }).allTextContents()).toEqual(['Refund my order', 'No refund yet'])
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await grid.getByText('No refund yet').click()
    await page.getByRole('dialog', { name: 'Row 2' }).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Row as JSON').fill('{"question": "Thank you", "order": 2}')
    await page.getByRole('button', { name: 'Change row' }).click()
    await page.getByText('1 found', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('thank')
    await grid.getByText('Thank you').waitFor()
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('invoice')
    await page.getByText('No rows match').waitFor()
  })
})

test.each(inWholeRuns)('a dataset is evaluated from its page, by an evaluation of one of its versions', async () => {
  const { entity, project, id, dataset } = await publishDataset()
  const publish = async (object_id: string, name: string, base: string) => {
    const val = { _type: name, _class_name: name, _bases: [base, 'Object', 'BaseModel'], name: object_id, llm_model_id: 'heddle/none' }
    const { digest } = await client.objects.create({ obj: { project_id: id, object_id, val } })
    return `weave:///${id}/object/${object_id}:${digest}`
  }
  const scorers = [await publish('exact', 'ExactMatchScorer', 'Scorer')]
  await withPage(async ({ page, visit }) => {
    await visit(`/${id}/datasets/questions`)
    await page.getByRole('button', { name: 'Evaluate' }).click()
    const dialog = page.getByRole('dialog', { name: 'New run' })
    await dialog.getByText('No evaluation of questions for the server').waitFor()
    await page.keyboard.press('Escape')
    const other = await client.datasets.create({ entity, project, name: 'questions-2', rows: [{ a: 1 }] })
    await client.evaluations.create({
      entity,
      project,
      name: 'of-others',
      dataset: `weave:///${id}/object/${other.object_id}:${other.digest}`,
      scorers,
    })
    await client.evaluations.create({ entity, project, name: 'answers', dataset, scorers })
    await publish('agent', 'LLMStructuredCompletionModel', 'Model')
    await page.reload()
    await page.getByRole('button', { name: 'Evaluate' }).click()
    const evaluation = dialog.getByRole('combobox', { name: 'Evaluation' })
    expect(await evaluation.textContent()).toBe('answers')
    await evaluation.click()
    expect(await page.getByRole('option').allTextContents()).toEqual(['answers'])
    await page.keyboard.press('Escape')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Run evaluation' }).click()
    await page.waitForURL('**/evaluations/runs/*')
  })
})
