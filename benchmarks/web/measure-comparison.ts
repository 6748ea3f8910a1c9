import { Agent } from 'node:http'
import type { Browser } from 'playwright-core'
import { fillEvaluations, rootId } from '../eval-results/fill-evaluations.ts'
import { type Client, publishTexts } from './fixtures.ts'
import { metric, type Metric, longestTask } from './metric.ts'
import { openTab } from './open-tab.ts'

interface Target {
  url: string
  apiKey: string
}

const evaluations = 4
const scorers = 6
const project = 'bench/evals'

/** Runs in the page. The first row alone may be the same in both orders. */
function namesOfRows(): string {
  return Array.from(document.querySelectorAll('[aria-label="Rows of the dataset"] a'), ({ textContent }) => textContent).join()
}

/** Rows of four runs beside each other, and another order of them. */
export async function measureComparison(browser: Browser, target: Target, rowCount: number): Promise<Metric[]> {
  const agent = new Agent({ keepAlive: true })
  await fillEvaluations(agent, { ...target, project }, { evaluations, rows: rowCount, scorers, children: false }).finally(() =>
    agent.destroy(),
  )
  const tab = await openTab(browser, target)
  const { page } = tab
  const ids = Array.from({ length: evaluations }, (_, at) => rootId(at)).join(',')
  const shownMs = await tab.timeUntil(`/${project}/evaluations/compare?ids=${ids}`, '[aria-label="Rows of the dataset"] a')
  const shown = await tab.work()
  // All rows are there, and their means and intervals are computed.
  await page.waitForFunction(() => document.querySelector('[aria-label=Comparison] [aria-busy=true]') === null)
  const computed = await tab.work()
  const before = await page.evaluate(namesOfRows)
  await page.getByRole('combobox', { name: 'Sort', exact: true }).click()
  const lowest = page.getByRole('option', { name: 'Lowest in latest run' })
  await lowest.waitFor()
  const beganMs = await page.evaluate(() => performance.now())
  await lowest.click()
  while ((await page.evaluate(namesOfRows)) === before) await page.evaluate(() => new Promise(requestAnimationFrame))
  const sortedMs = (await page.evaluate(() => performance.now())) - beganMs
  const sorted = await tab.work()
  const what = `comparison, ${rowCount.toLocaleString('en')} rows × ${evaluations} runs × ${scorers} scorers`
  const metrics = [
    metric(`${what}: first rows`, shownMs, 2_000, { cpuMs: shown.cpuMs }),
    longestTask(`${what}: intervals`, computed, 200),
    metric(`${what}: sort`, sortedMs, 300, { cpuMs: sorted.cpuMs }),
  ]
  await tab.close()
  return metrics
}

/** The lines in which two long texts differ. */
export async function measureDiff(browser: Browser, target: Target, client: Client, bytes: number): Promise<Metric[]> {
  const [, after = ''] = await publishTexts(client, 'bench/texts', 'long-text', bytes)
  const tab = await openTab(browser, target)
  const { page } = tab
  await page.goto(`/bench/texts/objects/long-text?version=${after}`)
  const changes = page.getByRole('radio', { name: 'Changes' })
  await changes.waitFor()
  await tab.work()
  const beganMs = await page.evaluate(() => performance.now())
  await changes.click()
  await page.getByRole('region', { name: 'Differences' }).or(page.getByText('Too many differences')).first().waitFor()
  const comparedMs = (await page.evaluate(() => performance.now())) - beganMs
  const work = await tab.work()
  const what = `differences of two texts of ${bytes / 1e6} MB`
  const metrics = [metric(what, comparedMs, 3_000, { cpuMs: work.cpuMs }), longestTask(what, work, 100)]
  await tab.close()
  return metrics
}
