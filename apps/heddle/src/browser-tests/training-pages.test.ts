import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { chooseAction } from './testing/choose-action.ts'
import { chooseOption } from './testing/choose-option.ts'
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
  { name: 'training job', path: job, says: 'Policy loss', isInSlice: true },
  { name: 'training data', path: `${job}?tab=data&group=0`, says: '1 group without spread', isInSlice: false },
  { name: 'gradient step', path: `${job}?step=1`, says: 'mean log-probability', isInSlice: false },
  { name: 'gradient steps', path: `${job}?tab=steps`, says: 'Policy loss', isInSlice: false },
  { name: 'events of a job', path: `${job}?tab=events`, says: 'Training ended', isInSlice: false },
  { name: 'config of a job', path: `${job}?tab=config`, says: 'Base model', isInSlice: false },
  { name: 'group of a job', path: `${job}/groups/0?tokens=on`, says: 'mean log-probability', isInSlice: false },
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
    says: 'No trajectories match',
    isInSlice: false,
  },
  {
    name: 'trained model with a step',
    path: `/${project}/training/models/${trainedModelId}`,
    says: 'Add checkpoint',
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

test.each(
  inWholeRuns.flatMap(() => [
    [null, 'The engine’s own'],
    ['OpenBLAS 0.3.34', 'OpenBLAS 0.3.34'],
  ]),
)('the config of a job whose library is %j names it as %j', (library, said) =>
  withPage(async ({ page, visit }) => {
    await page.route('**/training-jobs/*/events?*', async (route) => {
      const response = await route.fetch()
      const events = (await response.json()) as { data: { type: string; data: object }[] }
      const data = events.data.map((event) => (event.type === 'training_started' ? { ...event, data: { ...event.data, library } } : event))
      await route.fulfill({ response, json: { ...events, data } })
    })
    await visit(`${job}?tab=config`)
    await expect.poll(() => page.textContent('main')).toContain(`Numeric library${said}`)
  }),
)

test('from a curve to a trajectory, its trace and back, by keyboard alone', () =>
  withPage(async ({ page, visit }) => {
    await visit(job)
    await expect.poll(() => page.textContent('main')).toContain('Policy loss')
    await page.getByRole('tab', { name: 'Curves' }).focus()
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.getByRole('button', { name: /^Reward 1: 1 traj/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('bin')).toBe('3')
    const groups = page.getByRole('grid', { name: 'Groups' })
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
    await page.getByRole('region', { name: 'Trajectory 1', exact: true }).getByRole('button', { name: 'Log, 2 lines' }).press('Enter')
    await page.getByText('asked the tool').waitFor()
  }))

test.each(inWholeRuns)('curves are drawn as the address says, and a part of them is enlarged by keyboard', () =>
  withPage(async ({ page, visit }) => {
    await visit(`${job}?scale=log&smooth=0.5`)
    const curve = page.getByRole('figure', { name: /^Gradient norm/ })
    await curve.waitFor()
    await page.getByLabel('Smoothing').press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('smooth')).toBe('0.51')
    await page.getByRole('button', { name: 'Axes' }).press('Enter')
    await expect.poll(() => page.getByLabel('Log scale').isChecked()).toBe(true)
    await page.getByLabel('Steps from').fill('1000')
    await curve.getByText('No data in this range').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reset zoom' }).press('Enter')
    await expect.poll(() => curve.textContent()).not.toContain('No data')
    await page.getByRole('tab', { name: 'Events' }).click()
    await chooseOption(page, 'Show', 'Changes of state')
    const events = page.getByRole('table', { name: 'Events of the job' })
    await expect.poll(() => events.textContent()).toContain('Training ended')
    expect(await events.textContent()).not.toContain('Gradient step')
  }),
)

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
    await page.getByRole('button', { name: 'Add run' }).click()
    await page.getByRole('menuitem', { name: /^job 0000c0de/ }).click()
    await page.getByRole('list', { name: 'Runs' }).getByText('job 0000c0de').waitFor()
    const reward = page.getByRole('figure', { name: /^Reward/ })
    const drawing = reward.getByRole('img')
    await drawing.click()
    await expect.poll(() => Number(new URL(page.url()).searchParams.get('step'))).toBeGreaterThan(15)
    await expect.poll(() => reward.textContent()).toMatch(/at step [12]\d/)
    await page.getByRole('dialog', { name: /^Step [12]\d$/ }).waitFor()
    await keepScreenshot(page, 'curves-of-two-jobs')
    expect(await findViolations(page)).toEqual([])
    const box = (await drawing.boundingBox())!
    await page.mouse.move(box.x + box.width / 4, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 30)
    await page.mouse.up()
    await expect.poll(() => reward.textContent()).toMatch(/(?:[89]|1[0-6]) of 40 steps/)
    await page.getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => reward.textContent()).not.toContain('of 40 steps')
    await reward.getByRole('button', { name: 'Options of Reward' }).click()
    await page.getByRole('menuitem', { name: 'Show as table' }).click()
    const table = page.getByRole('table', { name: 'Reward as a table' })
    await table.getByRole('cell', { name: '39', exact: true }).waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('41')
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
  }),
)

test.each(inWholeRuns)('the list of jobs tells the reward of each, and a checkpoint leads to its job and to what was tried with it', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/training/jobs`)
    const row = page.getByRole('grid', { name: 'Training jobs' }).getByRole('row', { name: jobId.slice(-8) })
    await expect.poll(() => row.textContent()).toMatch(/^Succeededpractised.*0 → 10\.5/)
    await row.getByRole('link', { name: 'practised' }).click()
    await page.getByRole('region', { name: 'Job totals' }).getByRole('link', { name: 'Step 1' }).click()
    const checkpoints = page.getByRole('region', { name: 'Checkpoints' })
    await checkpoints.getByRole('button', { name: 'Actions for step 0' }).click()
    await page.getByRole('menuitem', { name: 'Trajectories' }).click()
    await expect.poll(() => page.textContent('main')).toContain('Weather in Oslo')
    expect(new URL(page.url()).searchParams.get('step')).toBe('0')
    await page.goBack()
    await page.getByRole('button', { name: 'All metrics' }).click()
    await checkpoints.getByRole('columnheader', { name: 'Trained tokens' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await checkpoints.getByRole('link', { name: `job ${jobId.slice(-8)}` }).click()
    await page.waitForURL(`**/training/jobs/${jobId}`)
    await expect.poll(() => page.textContent('main')).toMatch(/Started.*Gradient steps\dTokens\d+/)
  }),
)

test.each(inWholeRuns)('a job says its policy version and duration, and what its tokens cost where its base model has a price', () =>
  withPage(async ({ page, visit }) => {
    const { base_model: model } = await trainingClient.models.read({ model_id: trainedModelId })
    await visit(job)
    const text = () => page.textContent('main')
    await expect.poll(text).toMatch(/Policy versionStep 0CheckpointStep 1.*Trained for[\d.]+ m?s/)
    await expect.poll(text).toContain('No priceSet price')
    expect(await page.getByText('No price', { exact: true }).getAttribute('data-tip')).toContain(`no price of ${model} from before the job`)
    const price = { prompt_token_cost: 0.5, completion_token_cost: 0, effective_date: '2020-01-01T00:00:00Z' }
    const { ids } = await tracingClient.costs.create({ project_id: project, costs: { [model]: price } })
    await visit(job)
    await expect.poll(text).toMatch(/Cost\$[\d,.]+/)
    expect(await findViolations(page)).toEqual([])
    const cost = /Cost(\$[\d,.]+)/.exec((await text()) ?? '')?.[1]
    await visit(`/${project}/training/jobs`)
    await page
      .getByRole('row', { name: jobId.slice(-8) })
      .getByText(cost!, { exact: true })
      .waitFor()
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: ids[0]![0] }] } } as const
    await tracingClient.costs.purge({ project_id: project, query })
  }),
)

test.each(inWholeRuns)('a checkpoint says its size, and while it is marked as kept nobody can choose to delete it', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/training/models/${trainedModelId}`)
    const rows = page.getByRole('region', { name: 'Checkpoints' }).getByRole('row')
    const row = rows.last()
    const canDelete = async () => {
      await chooseAction(page, 'Delete checkpoints…')
      const box = page.getByRole('dialog').getByLabel('Step 0')
      await box.waitFor()
      const isEnabled = await box.isEnabled()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      return isEnabled
    }
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'Actions for step 0' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await choose('Keep')
    await row.getByRole('img', { name: /^Kept by \w+/ }).waitFor()
    expect(await rows.nth(1).textContent()).toMatch(/[1-9][\d.]* (?:bytes|[KM]iB)/)
    expect(await row.textContent()).toMatch(/^0base.*–/)
    expect(await canDelete()).toBe(false)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await choose('No longer keep')
    await row.getByRole('img', { name: /^Kept by/ }).waitFor({ state: 'detached' })
    expect(await canDelete()).toBe(true)
  }),
)
