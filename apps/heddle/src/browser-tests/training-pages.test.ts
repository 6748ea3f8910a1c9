import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { project, jobId, trainedModelId, rootCallIds } = inject('webServer').seeded.ordinary
const { url: baseUrl, apiKey } = inject('webServer')
const trainingClient = createClient({ baseUrl, apiKey, contract: training })
const tracingClient = createClient({ baseUrl, apiKey, contract: tracing })
const job = `/${project}/training/jobs/${jobId}`

const pages = [
  { name: 'training job', path: job, says: '1 group has equal rewards and teaches nothing', isInSlice: true },
  { name: 'group of a job', path: `${job}/groups/0?tokens=on`, says: 'mean log-probability', isInSlice: true },
  { name: 'one trajectory', path: `${job}/groups/0?trajectory=2`, says: 'Additional history 1', isInSlice: false },
  { name: 'group that is missing', path: `${job}/groups/7`, says: 'has no trajectory group 7', isInSlice: false, fails: '404' },
  {
    name: 'logged trajectories',
    path: `/${project}/training/models/${trainedModelId}/trajectories`,
    says: 'Weather in Oslo',
    isInSlice: false,
  },
  {
    name: 'logged trajectories, none of the filter',
    path: `/${project}/training/models/${trainedModelId}/trajectories?step=7`,
    says: 'No trajectories here',
    isInSlice: false,
  },
  {
    name: 'trained model with a step',
    path: `/${project}/training/models/${trainedModelId}`,
    says: 'Logged trajectories',
    isInSlice: false,
  },
]

test.each(pages.filter(({ isInSlice }) => isWholeRun || isInSlice))(
  '$name is readable and without faults',
  async ({ name, path, says, fails }) => {
    for (const colorScheme of colorSchemes) {
      await withPage(
        async ({ page, visit, observed }) => {
          if (fails !== undefined) observed.expect(fails)
          await visit(path)
          await expect.poll(() => page.textContent('main')).toContain(says)
          await keepScreenshot(page, `${name}-${colorScheme}`.replaceAll(/\W+/g, '-'))
          expect(await findViolations(page)).toEqual([])
          expect(await findLayoutFaults(page)).toEqual([])
          await page.setViewportSize({ width: 768, height: 900 })
          expect(await findLayoutFaults(page)).toEqual([])
        },
        { colorScheme },
      )
    }
  },
)

test('from a curve to a trajectory, its trace and back, by keyboard alone', () =>
  withPage(async ({ page, visit }) => {
    await visit(job)
    await expect.poll(() => page.textContent('main')).toContain('policy_loss')
    await page.getByRole('button', { name: /^Reward 1: 1 traj/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('bin')).toBe('3')
    const groups = page.getByRole('table', { name: 'Groups' })
    await expect.poll(() => groups.getByRole('row').count()).toBe(2)
    await groups.getByRole('link', { name: 'Weather in Oslo' }).focus()
    await page.keyboard.press('Enter')
    const trajectory = page.getByRole('region', { name: 'Trajectory 1', exact: true })
    await trajectory.getByText('result of get_weather').waitFor()
    await trajectory.getByRole('link', { name: 'Trace of this rollout' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/calls/${rootCallIds[0]}`)
    await page.getByRole('link', { name: 'practised, reward 1' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Trajectory 1', exact: true }).getByText('asked the tool').waitFor({ state: 'attached' })
  }))

test('curves are drawn as the address says, and a part of them is enlarged by keyboard', () =>
  withPage(async ({ page, visit }) => {
    await visit(`${job}?scale=log&smooth=0.5`)
    const curve = page.locator('figure.curve', { hasText: 'grad_norm' })
    await curve.waitFor()
    await expect.poll(() => page.getByLabel('Logarithmic').isChecked()).toBe(true)
    await page.getByLabel('Smoothing 0.50').press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('smooth')).toBe('0.51')
    await page.getByLabel('Shown from').fill('1000')
    await curve.getByText('has no value above 0 in this part').waitFor()
    await page.getByRole('button', { name: 'Show all' }).press('Enter')
    await expect.poll(() => curve.textContent()).not.toContain('has no value')
    await page.getByLabel('Show', { exact: true }).selectOption('changes')
    await expect.poll(() => page.getByRole('list', { name: 'Events of the job' }).textContent()).toContain('training_ended')
    expect(await page.getByRole('list', { name: 'Events of the job' }).textContent()).not.toContain('gradient_step')
  }))

test.each(inWholeRuns)('curves of two jobs are drawn over each other, chosen from by a click, and enlarged by a drag', () =>
  withPage(async ({ page, visit }) => {
    const steps = 40
    const other = '0195aaaa-0000-7000-8000-00000000c0de'
    await page.route('**/training-jobs?*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { id: string }[] }
      await route.fulfill({ json: { ...answer, data: [...answer.data, { ...answer.data[0], id: other }] } })
    })
    await page.route('**/training-jobs/*/events?*', async (route) => {
      const shift = route.request().url().includes(other) ? 1 : 0
      const data = Array.from({ length: steps }, (_, at) => ({
        id: `${at}`,
        type: 'gradient_step',
        created_at: new Date(Date.UTC(2026, 0, 2, 3, at)).toISOString(),
        data: { reward: Math.sin(at / 5) + shift, grad_norm: 10 ** (at / 10) },
      }))
      await route.fulfill({ json: { object: 'list', data, first_id: '0', last_id: `${steps - 1}`, has_more: false } })
    })
    await visit(job)
    await page.getByLabel('Lay over it').selectOption(other)
    await expect.poll(() => page.getByRole('list', { name: 'Jobs that are drawn' }).getByRole('listitem').count()).toBe(2)
    const reward = page.locator('figure.curve', { hasText: 'reward' })
    const drawing = reward.getByRole('img')
    await drawing.click()
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('step'))).toBeGreaterThan(15)
    await expect.poll(() => reward.textContent()).toMatch(/step 2\d: /)
    await keepScreenshot(page, 'curves-of-two-jobs')
    expect(await findViolations(page)).toEqual([])
    const box = (await drawing.boundingBox())!
    await page.mouse.move(box.x + box.width / 4, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 30)
    await page.mouse.up()
    await expect.poll(() => reward.textContent()).toMatch(/in (?:9|10|11) steps/)
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => reward.textContent()).toContain('in 40 steps')
    await reward.getByText('As a table').click()
    const table = page.getByRole('table', { name: 'reward as a table' })
    await table.getByRole('cell', { name: '39', exact: true }).waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('41')
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
  }),
)

test.each(inWholeRuns)('the list of jobs tells the reward of each, and a checkpoint leads to its job and to what was tried with it', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/training/jobs`)
    const row = page.getByRole('region', { name: 'Jobs' }).getByRole('row', { name: jobId.slice(-8) })
    await expect.poll(() => row.textContent()).toMatch(/succeededstep 10\.5/)
    await row.getByRole('link', { name: 'practised' }).click()
    const checkpoints = page.getByRole('region', { name: 'Checkpoints' })
    await checkpoints.getByRole('link', { name: 'trajectories of step 0' }).click()
    await expect.poll(() => page.textContent('main')).toContain('Weather in Oslo')
    expect(new URL(page.url()).searchParams.get('step')).toBe('0')
    await page.goBack()
    await page.getByRole('button', { name: 'Show all' }).click()
    await checkpoints.getByRole('columnheader', { name: 'num_trainable_tokens' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await checkpoints.getByRole('link', { name: `job ${jobId.slice(-8)}` }).click()
    await page.waitForURL(`**/training/jobs/${jobId}`)
    await expect.poll(() => page.textContent('main')).toMatch(/Started .*Learned from \d+ tokens in \d gradient steps?/)
  }),
)

test.each(inWholeRuns)('a job says its policy version and duration, and what its tokens cost where its base model has a price', () =>
  withPage(async ({ page, visit }) => {
    const { base_model: model } = await trainingClient.models.read({ model_id: trainedModelId })
    await visit(job)
    const text = () => page.textContent('main')
    await expect.poll(text).toMatch(/policy version: step 0.*made step 1.*trained for [\d.]+ m?s/)
    await expect.poll(text).toContain(`No cost: the project has no price of ${model} from before the job.`)
    const price = { prompt_token_cost: 0.5, completion_token_cost: 0, effective_date: '2020-01-01T00:00:00Z' }
    const { ids } = await tracingClient.costs.create({ project_id: project, costs: { [model]: price } })
    await visit(job)
    await expect.poll(text).toMatch(/They cost \$[\d,.]+ at the price of prompt tokens of /)
    expect(await findViolations(page)).toEqual([])
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: ids[0]![0] }] } } as const
    await tracingClient.costs.purge({ project_id: project, query })
  }),
)

test.each(inWholeRuns)('a checkpoint says its size, and while it is marked as kept nobody can choose to delete it', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/training/models/${trainedModelId}`)
    const row = page.getByRole('region', { name: 'Checkpoints' }).getByRole('row').filter({ hasText: 'trajectories' }).last()
    const canDelete = page.getByLabel('Delete step 0')
    const keep = page.getByLabel('Keep step 0')
    await keep.click()
    await expect.poll(() => row.textContent()).toMatch(/^0 +by \w+, .*0 bytes/)
    expect(await canDelete.isDisabled()).toBe(true)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keep.click()
    await expect.poll(() => canDelete.isEnabled()).toBe(true)
  }),
)
