import type { Browser } from 'playwright-core'
import { type Client, recordTrace } from './fixtures.ts'
import { metric, type Metric, longestTask, megabytes } from './metric.ts'
import { openTab } from './open-tab.ts'

interface Target {
  url: string
  apiKey: string
}

export interface TraceLimits {
  calls: number
  shownMs: number
  longestTaskMs: number
  heapMb: number
}

const searchLimitMs = 300

/** From the address of a trace to its tree, and a search in it. */
export async function measureTrace(browser: Browser, target: Target, client: Client, limits: TraceLimits): Promise<Metric[]> {
  const root = await recordTrace(client, 'bench/traces', limits.calls)
  const tab = await openTab(browser, target)
  const { page } = tab
  const what = `trace of ${limits.calls.toLocaleString('en')} calls`
  const shownMs = await tab.timeUntil(`/bench/traces/calls/${root}`, '[role=treeitem]')
  const shown = await tab.work()
  const input = page.getByLabel('Find a span')
  await input.focus()
  const beganMs = await page.evaluate(() => performance.now())
  await page.keyboard.insertText('step 7')
  await page.getByText(/\d found$/).waitFor()
  const foundMs = (await page.evaluate(() => performance.now())) - beganMs
  const searched = await tab.work()
  const metrics = [
    metric(`${what}: tree shown`, shownMs, limits.shownMs, { cpuMs: shown.cpuMs }),
    longestTask(`${what}: loading`, shown, limits.longestTaskMs),
    metric(`${what}: search`, foundMs, searchLimitMs, { cpuMs: searched.cpuMs }),
    longestTask(`${what}: search`, searched, limits.longestTaskMs),
    megabytes(`${what}: heap`, await tab.heapBytes(), limits.heapMb),
  ]
  await tab.close()
  return metrics
}

/** An output of megabytes: its first part, and the page beside it. */
export async function measureLargeValue(browser: Browser, target: Target, client: Client, bytes: number): Promise<Metric[]> {
  const line = 'a long answer of a model that does not stop, line after line\n'
  const root = await recordTrace(client, 'bench/values', 1, line.repeat(Math.ceil(bytes / line.length)))
  const tab = await openTab(browser, target)
  const shownMs = await tab.timeUntil(`/bench/values/calls/${root}?tab=values`, '[role=region][aria-label=Output]')
  const work = await tab.work()
  const what = `output of ${bytes / 1e6} MB`
  const metrics = [metric(`${what}: first part`, shownMs, 500, { cpuMs: work.cpuMs }), longestTask(what, work, 100)]
  await tab.close()
  return metrics
}
