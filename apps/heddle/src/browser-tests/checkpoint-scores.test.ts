import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { beforeAll, expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url: baseUrl, apiKey } = inject('webServer')
const { entity, project } = { entity: 'acme', project: 'measured' }
const project_id = `${entity}/${project}`
let modelPage: string

beforeAll(async () => {
  const learner = createClient({ baseUrl, apiKey, contract: training })
  const { id } = await learner.models.create({ entity, project, name: 'adder', base_model: 'heddle-nano' })
  modelPage = `/${project_id}/training/models/${id}`
  const client = createClient({ baseUrl, apiKey, contract: tracing })
  const rows = [{ id: 1, question: '1 + 1 =', expected: '2' }]
  const dataset = await client.datasets.create({ entity, project, name: 'sums', rows })
  const val = { _type: 'ExactMatchScorer', _class_name: 'ExactMatchScorer', _bases: ['Scorer', 'Object', 'BaseModel'], name: 'exact' }
  const scorer = await client.objects.create({ obj: { project_id, object_id: 'exact', val } })
  const ref = (name: string, digest: string) => `weave:///${project_id}/object/${name}:${digest}`
  const parts = { dataset: ref(dataset.object_id, dataset.digest), scorers: [ref('exact', scorer.digest)], trials: 1 }
  await client.evaluations.create({ entity, project, name: 'adding', ...parts })
  const own = await client.scorers.create({ entity, project, name: 'own', op_source_code: 'code' })
  await client.evaluations.create({ entity, project, name: 'by-code', ...parts, scorers: [own.scorer] })
})

test.each(inWholeRuns)('a checkpoint is evaluated from the page of its model, which then lists its scores', () =>
  withPage(async ({ page, visit }) => {
    await visit(modelPage)
    await page.getByText('No checkpoint was evaluated yet').waitFor()
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Evaluate a checkpoint' })
    const message = dialog.getByLabel('Message for each row')
    await expect.poll(() => message.inputValue()).toBe('{question}')
    await page.getByText('Columns: {id}, {question}, {expected}').waitFor()
    expect(await dialog.getByRole('combobox', { name: 'Evaluation', exact: true }).textContent()).toBe('adding')
    await page.getByText('Not offered: by-code. The server runs scorers of the classes').waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await message.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/evaluations/runs/*')
    await expect.poll(() => page.textContent('main')).toMatch(/Completed.*adder-step0.*exact\.match/s)
    await page.goBack()
    const runs = page.getByRole('region', { name: 'Checkpoint scores' })
    await expect.poll(() => runs.getByRole('row').last().textContent()).toMatch(/^0.*Completedexact\.match /)
    await keepScreenshot(page, 'evaluated-checkpoint')
  }),
)
