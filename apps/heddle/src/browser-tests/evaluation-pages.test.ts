import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { chooseOption } from './testing/choose-option.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { type OpenPage, settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const { ordinary, empty } = seeded
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const { project, before, after, modelId } = ordinary
const compare = `/${project}/evaluations/compare?ids=${before},${after}`

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Rows of the dataset' })
const rowCount = (page: Page) => rowsOf(page).getAttribute('aria-rowcount')
/** How many rows the page says it lists. */
const listed = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()

/** The means and differences of all runs, as the table of the chart of differences. */
async function showMeans(page: Page) {
  await page.getByRole('button', { name: 'Options of Difference from baseline' }).click()
  await page.getByRole('menuitem', { name: 'Show as table' }).click()
  const table = page.getByRole('table', { name: 'Difference from baseline as a table' })
  await table.waitFor()
  return table
}

/** What is spread, as the table of its chart. */
async function showSpread(page: Page, name = 'Distribution') {
  await page.getByRole('button', { name: `Options of ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Show as table' }).click()
  const table = page.getByRole('table', { name: `${name} as a table` })
  await table.waitFor()
  return table
}

/** Chooses from the menu of further actions, which stays open for another choice. */
async function chooseMenuRadio(page: Page, name: string) {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitemradio', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
}

async function openFilter(page: Page) {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filter = page.getByRole('dialog', { name: 'Filter rows' })
  await filter.getByText('Rows where').or(filter.getByLabel('From')).first().waitFor()
  return filter
}

async function check({ page }: OpenPage) {
  expect(await findViolations(page)).toEqual([])
  expect(await findLayoutFaults(page)).toEqual([])
}

/** In every run of all tests; the others in `npm run test:browser` alone. */
const inSlice = ['comparison']

const pages = [
  { name: 'evaluation runs', path: `/${project}/evaluations`, says: 'Select two to 8 runs to compare' },
  { name: 'evaluation run', path: `/${project}/evaluations/runs/${after}`, says: 'Mean, 95% interval' },
  { name: 'comparison', path: compare, says: '30 rows, all shared' },
  { name: 'training', path: `/${project}/training/jobs`, says: 'practised' },
  { name: 'trained model', path: `/${project}/training/models/${modelId}`, says: 'At most 512 tokens' },
  { name: 'no evaluation runs', path: `/${empty.project}/evaluations`, says: 'No evaluation runs yet' },
  { name: 'trained models', path: `/${project}/training/models`, says: 'practised' },
  { name: 'no jobs', path: `/${empty.project}/training/jobs`, says: 'No training jobs yet' },
  { name: 'no models', path: `/${empty.project}/training/models`, says: 'No models yet' },
]

test.each(
  pages
    .filter(({ name }) => isWholeRun || inSlice.includes(name))
    .flatMap((one) => colorSchemes.map((colorScheme) => ({ ...one, colorScheme }))),
)('$name is readable and without faults in $colorScheme', ({ name, path, says, colorScheme }) =>
  withPage(
    async (open) => {
      await open.visit(path)
      await expect.poll(() => open.page.textContent('main#content')).toContain(says)
      await check(open)
      await keepScreenshot(open.page, `${name}-${colorScheme}`)
    },
    { colorScheme },
  ),
)

test('runs are compared from the list, and the worst row is opened, by keyboard alone', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/evaluations`)
    const charts = page.getByRole('region', { name: 'Scores over runs' })
    await charts.getByRole('img', { name: /^exact\.match from the oldest to the newest run: 96\.7%, 66\.7%/ }).waitFor()
    for (const name of ['before', 'after']) {
      await page.getByRole('checkbox', { name: `Select ${name}, ` }).focus()
      await page.keyboard.press('Space')
    }
    await page.getByRole('link', { name: /Compare 2 runs/ }).focus()
    await page.keyboard.press('Enter')
    await settle(page)
    await page.goBack()
    expect(await page.getByRole('checkbox', { name: /^Select (?!all)/, checked: true }).count()).toBe(2)
    await page.getByRole('link', { name: /Compare 2 runs/ }).press('Enter')
    await settle(page)
    // Whatever was chosen first, the older one is the baseline.
    expect(new URL(page.url()).searchParams.get('ids')).toBe(`${before},${after}`)
    await chooseOption(page, 'Sort', 'Lowest in latest run')
    await expect.poll(() => new URL(page.url()).searchParams.get('order')).toBe('worst')
    await rowsOf(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('region', { name: 'Row', exact: true }).textContent()).toContain('1 trial')
    expect(new URL(page.url()).searchParams.get('row')).not.toBeNull()
    const heading = page.getByRole('heading', { name: /^Row \w+/ })
    await expect.poll(() => heading.evaluate((element) => element.getBoundingClientRect().bottom <= window.innerHeight)).toBe(true)
    const worst = new URL(page.url()).searchParams.get('row')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.getByRole('button', { name: 'Next row' }).press('Enter')
    await page.getByText(/^2 of \d+$/).waitFor()
    expect(new URL(page.url()).searchParams.get('row')).not.toBe(worst)
    await page.getByRole('button', { name: 'Previous row' }).press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('row')).toBe(worst)
    await page.getByRole('radio', { name: 'Differences' }).press('Space')
    await expect.poll(() => page.getByRole('region', { name: 'Differences' }).textContent()).toContain('+ wrong')
    expect(new URL(page.url()).searchParams.get('outputs')).toBe('differences')
    await keepScreenshot(page, 'comparison-row')
  }))

test.each(inWholeRuns)(
  'the list of runs names the dataset version of a run, and one that ended without a prediction says so, with all of its exception',
  async () => {
    const [entity, name] = ['test', randomUUID()]
    const project_id = `${entity}/${name}`
    const dataset = `weave:///${project_id}/object/cities:${'c'.repeat(43)}`
    const obj = { project_id, object_id: 'capitals', val: { _class_name: 'Evaluation', name: 'capitals', dataset } }
    const { digest } = await client.objects.create({ obj })
    const root = {
      project_id,
      id: randomUUID(),
      trace_id: randomUUID(),
      op_name: 'Evaluation.evaluate',
      started_at: '2026-01-02T03:04:05Z',
      ended_at: '2026-01-02T03:05:05Z',
      attributes: {},
      inputs: { self: `weave:///${project_id}/object/capitals:${digest}` },
      exception: `${'Out of memory. '.repeat(200)}The last words`,
      summary: {},
    }
    const scored = { ...root, id: randomUUID(), trace_id: randomUUID(), exception: null }
    const trial = {
      ...scored,
      id: randomUUID(),
      parent_id: scored.id,
      op_name: 'Evaluation.predict_and_score',
      inputs: { ...root.inputs, example: { city: 'Oslo' } },
      output: { output: 'Norway', scores: { exact: true } },
    }
    await client.calls.complete({ entity, project: name, batch: [root, scored, trial] })
    await withPage(async (open) => {
      const { page, visit } = open
      await visit(`/${project_id}/evaluations`)
      const versions = page.getByRole('grid', { name: 'Evaluation runs' }).getByRole('link', { name: 'cities:cccccccc' })
      await expect.poll(() => versions.count()).toBe(2)
      await check(open)
      await visit(`/${project_id}/evaluations/runs/${root.id}`)
      await page.getByText('The run ended before a row of the dataset had a prediction.').waitFor()
      expect(await page.getByRole('region', { name: 'Exception' }).textContent()).toContain('The last words')
      await check(open)
    })
  },
)

test.each(inWholeRuns)('the list of runs says how far one under way is, and reads older ones when they are requested', async () => {
  const [entity, name] = ['test', randomUUID()]
  const project_id = `${entity}/${name}`
  const { digest: table } = await client.tables.create({ table: { project_id, rows: [{ city: 'Oslo' }, { city: 'Rome' }] } })
  const create = (object_id: string, val: object) => client.objects.create({ obj: { project_id, object_id, val } })
  const dataset = await create('cities', { _class_name: 'Dataset', name: 'cities', rows: `weave:///${project_id}/table/${table}` })
  const of = `weave:///${project_id}/object/cities:${dataset.digest}`
  const evaluation = await create('capitals', { _class_name: 'Evaluation', name: 'capitals', trials: 3, dataset: of })
  const self = `weave:///${project_id}/object/capitals:${evaluation.digest}`
  const begun = (display_name: string, startedAtMs: number) => ({
    project_id,
    id: randomUUID(),
    trace_id: randomUUID(),
    op_name: 'Evaluation.evaluate',
    display_name,
    started_at: new Date(startedAtMs).toISOString(),
    attributes: {},
    inputs: { self },
  })
  const ended = Array.from({ length: 60 }, (_, at) => {
    const run = begun(`run ${at}`, Date.UTC(2026, 0, 2) + at * 60_000)
    return { ...run, ended_at: run.started_at, output: { model_latency: { mean: 0.25 } }, summary: {} }
  })
  const root = begun('under way', Date.now())
  await client.calls.start({ start: root })
  const trial = { ...root, id: randomUUID(), parent_id: root.id, op_name: 'Evaluation.predict_and_score', ended_at: root.started_at }
  const scored = {
    ...trial,
    inputs: { self, example: { city: 'Oslo' } },
    output: { output: 'x', scores: { exact: true } },
    summary: {},
  }
  await client.calls.complete({ entity, project: name, batch: [...ended, scored] })
  await withPage(async (open) => {
    const { page, visit } = open
    await visit(`/${project_id}/evaluations?chosen=${ended[0]!.id}`)
    const runs = page.getByRole('grid', { name: 'Evaluation runs' })
    // Two rows, three times each.
    await runs
      .getByRole('row', { name: /under way/ })
      .getByRole('img', { name: 'running: 1 of 6 rows done' })
      .waitFor()
    await runs.getByRole('progressbar', { name: 'Progress of under way' }).waitFor()
    await runs.getByRole('row', { name: /run 59 .*250 ms/ }).waitFor()
    // One that is chosen stays listed, however old it is.
    await page.getByRole('status').getByText('1 selected', { exact: true }).waitFor()
    await listed(page, '50 of 61 runs')
    await check(open)
    await page.getByRole('button', { name: 'Load 50 more' }).press('Enter')
    await listed(page, '61 runs')
    expect(await runs.getAttribute('aria-rowcount')).toBe('62')
    await page.getByRole('searchbox', { name: 'Search runs' }).fill('run 0')
    await listed(page, '1 of 61 loaded runs')
    await runs.getByRole('checkbox', { name: 'Select run 0, ', checked: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search runs' }).fill('')
    await runs.getByRole('link', { name: 'exact 100%' }).press('Enter')
    await page.getByRole('heading', { name: 'under way' }).waitFor()
    expect(new URL(page.url()).searchParams.get('measure')).toBe('exact')
  })
})

test.each(inWholeRuns)('a point of the scores over runs leads to its run, and so does the table of the chart', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/evaluations`)
    const chart = page.getByRole('figure', { name: /^exact\.match from the oldest to the newest run/ })
    const show = async (name: string) => {
      await chart.getByRole('button', { name: /^Options of / }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await show('Show as table')
    await chart.getByRole('table').getByRole('link', { name: 'after' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await show('Show as chart')
    await chart.locator('a').last().click()
    await page.getByRole('heading', { name: 'after' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/${project}/evaluations/runs/${after}`)
  }),
)

test.each(inWholeRuns)(
  'classes of a score have bars with share, number and coverage, and a bar chooses the rows of its class',
  async () => {
    const own = `test/${randomUUID()}`
    const run = (name: string, labels: readonly string[]) => {
      const trials = labels.map((label, row) => ({
        example: { row },
        output: 'x',
        scores: label === '' ? { exact: true } : { label, exact: row > 0 },
      }))
      return recordEvaluation(client, { project: own, name, model: name, trials })
    }
    const ids = [await run('first', ['good', 'bad', 'good', 'fair']), await run('second', ['good', 'good', '', 'bad'])]
    await withPage(async (open) => {
      const { page, visit } = open
      await visit(`/${own}/evaluations/compare?ids=${ids.join(',')}`)
      await chooseOption(page, 'View', 'By class')
      const classes = page.getByRole('figure', { name: 'Classes' })
      const choose = async (score: string) => {
        await classes.getByRole('combobox', { name: 'Score' }).click()
        await page.getByRole('option', { name: score, exact: true }).click()
      }
      await choose('label')
      const bars = await showSpread(page, 'Classes')
      expect(await bars.textContent()).toContain('n 3, 75% of the trials')
      await bars.getByRole('button', { name: 'second, fair: 0%, 0 trials' }).waitFor()
      await bars.getByRole('button', { name: 'second, good: 66.7%, 2 trials' }).press('Enter')
      await expect.poll(() => rowCount(page)).toBe('3')
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ score: 'label', is: 'good', isIn: '2' })
      await check(open)
      await keepScreenshot(page, 'comparison-classes')
      await choose('exact')
      await expect.poll(() => rowCount(page)).toBe('5')
      await bars.getByRole('button', { name: 'first, true: 75%, 3 trials' }).waitFor()
      // A page of one run has them too, and the address says which.
      await visit(`/${own}/evaluations/runs/${ids[0]}?score=label&is=bad&isIn=1`)
      await expect.poll(() => rowCount(page)).toBe('2')
      await page.getByRole('button', { name: 'Remove label is bad' }).press('Enter')
      await expect.poll(() => rowCount(page)).toBe('5')
    })
  },
)

test.each(inWholeRuns)(
  'outputs that are JSON, or texts of it, are compared part by part, and line by line when that is requested',
  async () => {
    const own = `test/${randomUUID()}`
    const run = (name: string, output: unknown) =>
      recordEvaluation(client, { project: own, name, model: name, trials: [{ example: { row: 1 }, output, scores: { exact: true } }] })
    const before = { answer: 'Oslo', sources: ['a', 'b', 'c'], usage: { tokens: 3 } }
    const after = { usage: { tokens: 4 }, sources: ['b', 'c'], answer: 'Oslo', note: 'new' }
    const ids = [await run('first', before), await run('second', after), await run('third', JSON.stringify(after))]
    await withPage(async (open) => {
      const { page, visit } = open
      await visit(`/${own}/evaluations/compare?ids=${ids.join(',')}`)
      await rowsOf(page).getByRole('link').first().press('Enter')
      await page.getByRole('radio', { name: 'Differences' }).press('Space')
      const differences = page.getByRole('region', { name: 'Differences' })
      await expect.poll(() => differences.count()).toBe(2)
      for (const text of await differences.allTextContents())
        expect(text).toBe('note added+ "new"sources[0] removed- "a"usage.tokens changed- 3+ 4')
      expect(await page.getByText('3 parts differ.').count()).toBe(2)
      await check(open)
      await keepScreenshot(page, 'comparison-json')
      await page.getByRole('radio', { name: 'Lines' }).press('Space')
      await expect.poll(() => differences.first().textContent()).toContain('"answer": "Oslo"')
      expect(new URL(page.url()).searchParams.get('outputs')).toBe('lines')
    })
  },
)

test.each(inWholeRuns)('the figures of a comparison are of all rows, or of those that every run has', async () => {
  const own = `test/${randomUUID()}`
  const run = (name: string, passed: readonly boolean[]) => {
    const trials = passed.map((exact, row) => ({ example: { row }, output: 'x', scores: { exact } }))
    return recordEvaluation(client, { project: own, name, model: name, trials })
  }
  const ids = [await run('first', [true, false, false, false]), await run('second', [true, true])]
  await withPage(async (open) => {
    const { page, visit } = open
    await visit(`/${own}/evaluations/compare?ids=${ids.join(',')}`)
    await page.getByText('4 rows, 2 shared.').waitFor()
    const exact = (await showMeans(page)).getByRole('row', { name: /^exact/ })
    await expect.poll(() => exact.textContent()).toContain('25% (')
    await chooseMenuRadio(page, 'Shared rows')
    await page.getByText('4 rows. Figures use the 2 shared.').waitFor()
    await expect.poll(() => exact.locator('[aria-busy=true]').count()).toBe(0)
    expect(await exact.textContent()).toMatch(/^exact50% \(9\.5% to 90\.5%\)2 rows/)
    expect(await rowCount(page)).toBe('3')
    expect(new URL(page.url()).searchParams.get('means')).toBe('shared')
    await check(open)
  })
})

test.each(inWholeRuns)('rows of a comparison are found by conditions on several runs, and by ranges of several measures', async () => {
  const own = `test/${randomUUID()}`
  const run = (name: string, passed: readonly boolean[]) => {
    const trials = passed.map((exact, row) => ({ example: { row }, output: 'x', scores: { exact, length: row } }))
    return recordEvaluation(client, { project: own, name, model: name, trials })
  }
  const ids = [await run('first', [true, false, true, false]), await run('second', [true, true, false, false])]
  await withPage(async (open) => {
    const { page, visit } = open
    await visit(`/${own}/evaluations/compare?ids=${ids.join(',')}`)
    const filter = await openFilter(page)
    await filter.getByRole('button', { name: 'Condition on another run' }).press('Enter')
    await filter.getByLabel('And where').fill('scores.exact = true')
    await filter.getByLabel('Rows where').fill('scores.exact = false')
    await filter.getByRole('button', { name: 'Apply' }).press('Enter')
    await page.getByText('with conditions on several runs, each needs its run').waitFor()
    await chooseOption(page, 'In run', '1. first')
    await page.getByText('1 row matches').waitFor()
    expect(JSON.parse(new URL(page.url()).searchParams.get('filters') ?? '')).toEqual([{ in: ids[1], filter: 'scores.exact = true' }])
    await check(open)
    await filter.getByRole('button', { name: 'Clear' }).press('Enter')
    await page.getByText('4 rows, ').waitFor()
    await page.keyboard.press('Escape')
    await (await showSpread(page)).getByRole('button', { name: 'first, 0%: 2 rows', exact: true }).press('Enter')
    await expect.poll(() => rowCount(page)).toBe('3')
    await openFilter(page)
    await filter.getByRole('button', { name: 'Keep range' }).press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Score' }).first().click()
    await page.getByRole('option', { name: 'length', exact: true }).click()
    await openFilter(page)
    await filter.getByLabel('From').fill('2')
    await expect.poll(() => rowCount(page)).toBe('2')
    await check(open)
    await keepScreenshot(page, 'comparison-ranges')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove exact 0% in 1. first' }).press('Enter')
    await expect.poll(() => rowCount(page)).toBe('3')
  })
})

test.each(inWholeRuns)('a column of the dataset splits the rows of a run and of a comparison, and figures are of one part', async () => {
  const own = `test/${randomUUID()}`
  const run = (name: string, passed: readonly boolean[]) => {
    const trials = passed.map((exact, row) => ({ example: { row, split: row < 3 ? 'train' : 'test' }, output: 'x', scores: { exact } }))
    return recordEvaluation(client, { project: own, name, model: name, trials })
  }
  const ids = [await run('first', [true, true, true, false]), await run('second', [true, true, true, true])]
  await withPage(async (open) => {
    const { page, visit } = open
    await visit(`/${own}/evaluations/compare?ids=${ids.join(',')}`)
    await chooseMenuRadio(page, 'split')
    await chooseMenuRadio(page, 'test (1)')
    const exact = (await showMeans(page)).getByRole('row', { name: /^exact/ })
    await expect.poll(() => exact.textContent()).toMatch(/^exact0%.*100%/)
    await page.getByText('1 row, shared').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ split: 'split', part: 'test' })
    await check(open)
    await visit(`/${own}/evaluations/runs/${ids[0]}?split=split&part=train`)
    const mean = page.getByRole('region', { name: 'Mean, 95% interval' }).getByRole('row', { name: /^exact/ })
    await expect.poll(() => mean.textContent()).toMatch(/^exact100%/)
    await chooseMenuRadio(page, 'All parts')
    await expect.poll(() => mean.textContent()).toMatch(/^exact75%/)
    await check(open)
  })
})

test.each(isWholeRun ? ['evaluations', 'training/jobs', 'training/models'] : [])(
  'where there is nothing yet, %s names the demo, and the page does not scroll',
  (path) =>
    withPage(async ({ page, visit }) => {
      await visit(`/${empty.project}/${path}`)
      await page.getByText('heddle demo', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
    }),
)

test.each(inWholeRuns)('a score by hand becomes a measure of the run, and a second one replaces it', async () => {
  // A run of its own: other tests compare what those of the seed show.
  const own = `test/${randomUUID()}`
  const trials = [{ example: { question: 'Why?' }, output: 'So.', scores: { exact: true } }]
  const run = await recordEvaluation(client, { project: own, name: 'judged', model: 'small', trials })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/evaluations/runs/${run}`)
    const mean = page
      .getByRole('region', { name: 'Mean, 95% interval' })
      .getByRole('row', { name: /^by_hand/ })
      .getByRole('cell')
      .nth(1)
    const give = async (verdict: string) => {
      await rowsOf(page).getByRole('link').first().click()
      await page.getByRole('button', { name: 'Score', exact: true }).click()
      await page.getByRole('dialog', { name: 'Score by hand' }).getByRole('button', { name: verdict }).click()
      await page.getByText('Saved as a score of the run').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Close' }).click()
    }
    await give('Pass')
    await expect.poll(() => mean.textContent()).toBe('100%')
    await give('Fail')
    await expect.poll(() => mean.textContent()).toBe('0%')
    const filter = await openFilter(page)
    await filter.getByLabel('To').fill('0.5')
    await page.getByText('No rows match').waitFor()
    await filter.getByRole('button', { name: 'All values' }).click()
    await page.keyboard.press('Escape')
    await (await showSpread(page)).getByRole('button', { name: 'judged, 100%: 1 row' }).waitFor()
  })
})

test.each(inWholeRuns)('an address of a comparison opens as it was left, with intervals', () =>
  withPage(async ({ page, visit }) => {
    await visit(`${compare}&baseline=${after}&rows=disagreement&order=row`)
    await page.getByRole('radio', { name: /^Changed/, checked: true }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Sort' }).textContent()).toContain('Dataset order')
    expect(await rowsOf(page).locator('[aria-sort=descending], [aria-sort=ascending]').count()).toBe(0)
    await page.getByRole('region', { name: 'Run 1. after' }).getByText('Baseline', { exact: true }).waitFor()
    const measures = await showMeans(page)
    await expect.poll(() => measures.locator('[aria-busy=true]').count()).toBe(0)
    await measures.getByRole('row', { name: /^exact\.match .*% \(.*% to .*%\)/ }).waitFor()
    await (await showSpread(page)).getByRole('button', { name: 'after, 0%: 10 rows' }).press('Enter')
    await expect.poll(() => rowCount(page)).toBe('11')
    expect(new URL(page.url()).searchParams.get('of')).toBe('1')
    await chooseOption(page, 'View', 'Against…')
    await page.getByRole('img', { name: /^length from 0 to .* by exact.match from 0% to 100%/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'comparison-distributions')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: /^CSV/ }).click()
    expect((await saved).suggestedFilename()).toBe('Comparison-of-after-and-before.csv')
  }),
)

test.each(inWholeRuns)(
  'a comparison has a column for every measure of each run, says what its means are of, and orders rows by the head of a column',
  () =>
    withPage(async ({ page, visit }) => {
      await visit(compare)
      const heads = rowsOf(page).getByRole('columnheader')
      const group = ['exact.match', 'length', 'Latency', 'Tokens']
      const first = 'Input and expected answer'
      expect(await heads.allTextContents()).toEqual([first, '1. before', ...group.slice(0, 2), '2. after', ...group.slice(0, 2)])
      await chooseMenuRadio(page, 'All scores')
      expect(await heads.allTextContents()).toEqual([first, '1. before', ...group, '2. after', ...group])
      const measures = await showMeans(page)
      expect(await measures.getByRole('row', { name: /^exact\.match/ }).textContent()).toMatch(/\d+ rows, [\d.]+% of the trials/)
      const score = page.getByRole('combobox', { name: 'Score' })
      await heads.filter({ hasText: 'length' }).first().getByRole('button').press('Enter')
      await expect.poll(() => score.textContent()).toContain('length')
      expect(await heads.filter({ hasText: 'length' }).first().getAttribute('aria-sort')).toBe('descending')
      await measures.getByRole('button', { name: 'exact.match' }).press('Enter')
      await expect.poll(() => score.textContent()).toContain('exact.match')
      await chooseMenuRadio(page, 'Only this score')
      expect(await heads.allTextContents()).toEqual([first, '1. before', 'exact.match', '2. after', 'exact.match'])
      await page.getByRole('radio', { name: /^Changed/ }).check()
      expect(await findViolations(page)).toEqual([])
    }),
)

test.each(inWholeRuns)('a comparison reads the rows of an expression alone, and its runs change places', () =>
  withPage(async ({ page, visit }) => {
    await visit(`${compare}&filter=${encodeURIComponent('scores.exact.match ~')}`)
    await page.getByText('The filter cannot be read: ').waitFor()
    await (await openFilter(page)).getByLabel('Rows where').fill('scores.exact.match = false')
    await page.keyboard.press('Enter')
    await page.getByText('11 rows match').waitFor()
    await chooseOption(page, 'In run', '1. before')
    await page.getByText('1 row matches').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Move after' }).press('ArrowLeft')
    await expect.poll(() => new URL(page.url()).searchParams.get('ids')).toBe(`${after},${before}`)
    await page
      .getByRole('columnheader', { name: /^1\. after/ })
      .first()
      .waitFor()
    expect(await findViolations(page)).toEqual([])
  }),
)

test.each(inWholeRuns)('the first rows of a comparison are shown while the others are read, and intervals follow them', () =>
  withPage(async ({ page }) => {
    const total = 400
    let answer: { rows: object[] } | undefined
    let isHeld = true
    const held: (() => void)[] = []
    await page.route('**/eval_results/query', async (route) => {
      const { offset = 0, limit = 0, ...asked } = route.request().postDataJSON() as { offset?: number; limit?: number }
      answer ??= (await (await route.fetch({ postData: { ...asked, offset, limit: 1 } })).json()) as { rows: object[] }
      if (offset > 0 && isHeld) await new Promise<void>((resolve) => held.push(resolve))
      const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, at) => ({
        ...answer?.rows[0],
        row_digest: `row-${offset + at}`,
      }))
      await route.fulfill({ json: { ...answer, rows, total_rows: total } })
    })
    await page.goto(compare)
    await page.getByText('200 of 400 rows are shown and counted.').waitFor()
    expect(await rowCount(page)).toBe('201')
    const measures = await showMeans(page)
    expect(await measures.locator('[aria-busy=true]').count()).toBeGreaterThan(0)
    expect(await measures.textContent()).toContain('(…)')
    isHeld = false
    for (const release of held) release()
    await expect.poll(() => rowCount(page)).toBe(String(total + 1))
    await expect.poll(() => measures.locator('[aria-busy=true]').count()).toBe(0)
    expect(await measures.textContent()).not.toContain('(…)')
  }),
)

test.each(inWholeRuns)('rows beyond those of the first reading are read when they are requested', () =>
  withPage(async ({ page, visit }) => {
    const total = 5_600
    let answer: { rows: object[] } | undefined
    await page.route('**/eval_results/query', async (route) => {
      const asked = route.request().postDataJSON() as { include_rows?: boolean; offset?: number; limit?: number }
      if (asked.include_rows === false) return route.continue()
      answer ??= (await (await route.fetch({ postData: { ...asked, limit: 1 } })).json()) as { rows: object[] }
      const { offset = 0, limit = 0 } = asked
      const count = Math.min(limit, total - offset)
      const rows = Array.from({ length: count }, (_, at) => ({ ...answer?.rows[0], row_digest: `row-${offset + at}` }))
      await route.fulfill({ json: { ...answer, rows, total_rows: total } })
    })
    await visit(`/${project}/evaluations/runs/${after}`)
    await page.getByText('5,000 of 5,600 rows are shown and counted.').waitFor()
    await page.getByRole('button', { name: 'Read the other 600' }).click()
    await expect.poll(() => page.getByText('Shown and counted').count()).toBe(0)
    expect(await rowCount(page)).toBe(String(total + 1))
  }),
)
