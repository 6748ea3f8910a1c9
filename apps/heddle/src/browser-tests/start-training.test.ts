import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { beforeAll, expect, inject, test } from 'vitest'
import { recordAttempts, type SampledAnswer, sampleAnswer } from '../testing/record-attempts.ts'
import { recordRowAttempts } from '../testing/record-row-attempts.ts'
import { chooseAction } from './testing/choose-action.ts'
import { chooseOption } from './testing/choose-option.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns } from './testing/whole-runs.ts'

const server = inject('webServer')
const [entity, name] = ['acme', 'attempts']
const project = `${entity}/${name}`
const start = `/${project}/training/start`
let rootIds: string[]
let answer: SampledAnswer
const shared = { baseUrl: server.url, apiKey: server.apiKey }
const traces = createClient({ ...shared, contract: tracing })

beforeAll(async () => {
  const learner = createClient({ ...shared, contract: training })
  await learner.models.create({ entity, project: name, name: 'adder', base_model: 'heddle-nano' })
  answer = await sampleAnswer(server, project)
  rootIds = await recordAttempts(traces, project, [
    { group: 'sum', reward: 1, ...answer },
    { group: 'sum', reward: 0, ...answer },
    { group: 'alone', reward: 1, ...answer },
    { group: 'sum', ...answer },
  ])
})

test('from the calls table to a job that learns from their attempts: a report comes first, and the curves after it', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls?range=30d`)
    await chooseAction(page, 'Train…')
    await page.getByRole('button', { name: 'Check training data' }).click()
    const report = page.getByRole('region', { name: 'Report' })
    await expect.poll(() => report.textContent()).toContain('mean 0.5, from 0 to 1')
    expect(await report.textContent()).toContain('2 in 1 group of 2')
    const leftOut = report.getByRole('region', { name: 'Left out' })
    const rows = (await leftOut.getByRole('row').allTextContents()).slice(1)
    expect(rows.toSorted()).toEqual([expect.stringMatching(/^no reward1Choose/), expect.stringMatching(/^only one attempt1A group/)])
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Start job' }).click()
    await page.waitForURL(`**/${project}/training/jobs/*`)
    await expect.poll(() => page.textContent('main'), { timeout: 60_000 }).toContain('Policy loss')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('adder')
  }))

test.each(inWholeRuns)(
  'from an evaluation run to what a job would learn: the attempts at each row are a group, and the score is their reward',
  () =>
    withPage(async ({ page, visit }) => {
      const graded = `${entity}/graded`
      const run = await recordRowAttempts(traces, graded, answer, [
        { row: 'one', matches: true },
        { row: 'one', matches: false },
        { row: 'two', matches: true },
      ])
      await visit(`/${graded}/evaluations/runs/${run}`)
      await page.getByRole('button', { name: 'More actions' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Train…' }).press('Enter')
      expect(await page.getByRole('combobox', { name: 'Reward', exact: true }).textContent()).toBe('Score of an evaluation')
      expect(await page.getByLabel('Score', { exact: true }).inputValue()).toBe('exact.match')
      await page.getByLabel('Name of the new model').fill('graded')
      await page.keyboard.press('Enter')
      const report = page.getByRole('region', { name: 'Report' })
      await expect.poll(() => report.textContent()).toContain('2 in 1 group of 2')
      expect(await report.textContent()).toContain('mean 0.5, from 0 to 1')
      expect(await report.textContent()).toContain('only one attempt')
    }),
)

test.each(inWholeRuns)('a new model is registered with its first job, and what has nothing to learn from says why', () =>
  withPage(async ({ page, visit }) => {
    await visit(`${start}?group=prompt&reward=score%3Aaccuracy`)
    const check = page.getByRole('button', { name: 'Check training data' })
    await check.click()
    await expect.poll(() => page.textContent('main')).toContain('There is nothing to learn from')
    expect(await page.getByRole('button', { name: 'Start job' }).count()).toBe(0)
    await chooseOption(page, 'Reward', 'As recorded')
    await chooseOption(page, 'Model to train', 'New model')
    await page.getByLabel('Name of the new model').fill('second')
    await check.click()
    await page.getByRole('button', { name: 'Start job' }).click()
    await page.waitForURL(`**/${project}/training/jobs/*`)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('second')
  }),
)

test.each(inWholeRuns)('what is typed wrong is refused with what it may be, and the address keeps the settings', () =>
  withPage(async ({ page, visit }) => {
    const where = encodeURIComponent(JSON.stringify([{ path: 'id', operator: '=', value: rootIds[0] }]))
    await visit(`${start}?where=${where}&group=prompt&rate=fast`)
    await page.getByRole('button', { name: 'Check training data' }).click()
    await expect
      .poll(() => page.getByRole('alert').allTextContents().then(String))
      .toContain('the learning rate must be a number between 0 and 1')
    await page.getByLabel('Learning rate').fill('0.001')
    await page.getByRole('button', { name: /Remove the condition id = / }).click()
    await page.getByRole('button', { name: 'Check training data' }).click()
    await expect.poll(() => page.textContent('main')).toContain('3 in 1 group')
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('where'), JSON.parse(searchParams.get('rate') ?? ''), searchParams.get('group')]).toEqual([
      null,
      '0.001',
      'prompt',
    ])
  }),
)

test.each(inWholeRuns.flatMap(() => [...colorSchemes]))('the page is readable and without faults, in %s colours', (colorScheme) =>
  withPage(
    async ({ page, visit }) => {
      await visit(`${start}?reward=scorer%3Ajudge`)
      await page.getByText('More settings').click()
      await page.getByRole('button', { name: 'Check training data' }).click()
      await page.getByRole('region', { name: 'Report' }).waitFor()
      await page.getByText('More settings').click()
      await keepScreenshot(page, `start-training-${colorScheme}`)
      expect(await findViolations(page)).toEqual([])
      expect(await findLayoutFaults(page)).toEqual([])
      await page.setViewportSize({ width: 768, height: 900 })
      expect(await findLayoutFaults(page)).toEqual([])
    },
    { colorScheme },
  ),
)

test.each(inWholeRuns)('a root that recorded nothing itself says so, and leads to the calls below it', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/${rootIds[0]}`)
    await expect.poll(() => page.textContent('main')).toContain('No input or output')
    await page.getByRole('region', { name: 'Children' }).getByRole('button', { name: 'chat' }).first().click()
    await page.getByRole('region', { name: 'Message 1' }).getByText('3 + 4 =').waitFor()
  }),
)
