import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { percentiles } from '../report/percentiles.ts'
import type { Client } from './fixtures.ts'
import { metric, type Metric, longestTask, megabytes } from './metric.ts'
import { openTab, type Tab } from './open-tab.ts'

interface Target {
  url: string
  apiKey: string
}

const callsPerSecond = 200
const showEveryMs = 15_000
const heapLimitMb = 20
const shownLimitMs = 3_000
const [entity, project] = ['bench', 'live']
const firstRow = '[role=grid] [role=row][aria-rowindex="2"]'

/** A live table while calls keep arriving: the new ones are requested every 15 s. */
export async function measureLive(browser: Browser, target: Target, client: Client, seconds: number): Promise<Metric[]> {
  await recordSecond(client)
  const tab = await openTab(browser, target)
  const { page } = tab
  const requests: number[] = []
  page.on('response', (response) => void requests.push(response.status()))
  await tab.timeUntil(`/${entity}/${project}/calls?live=on`, firstRow)
  const writing = new AbortController()
  const written = recordEverySecond(client, writing.signal)
  try {
    return await measureShown({ tab, requests, seconds })
  } finally {
    writing.abort()
    await written
    await tab.close()
  }
}

interface LiveTab {
  tab: Tab
  /** Status of each answer that the page got. */
  requests: number[]
  seconds: number
}

async function measureShown({ tab, requests, seconds }: LiveTab): Promise<Metric[]> {
  const { page } = tab
  // The page has seen its first new calls, with the code and caches that this needs.
  await showNew(page)
  await tab.work()
  const before = await tab.heapBytes()
  requests.length = 0
  const shown: number[] = []
  const endMs = performance.now() + seconds * 1_000
  while (performance.now() < endMs) {
    await sleep(Math.min(showEveryMs, seconds * 100))
    shown.push(await showNew(page))
  }
  const work = await tab.work()
  const grownBytes = (await tab.heapBytes()) - before
  const what = `live calls, ${callsPerSecond} a second over ${seconds} s`
  return [
    megabytes(`${what}: heap grows by`, grownBytes, heapLimitMb),
    metric(`${what}: new ones shown, p95`, percentiles(shown).p95, shownLimitMs, { cpuMs: work.cpuMs }),
    longestTask(what, work, 200),
    metric(`${what}: requests refused`, requests.filter((status) => status >= 400).length, 0, { unit: 'requests' }),
    metric(`${what}: requests of a minute`, (requests.length / seconds) * 60, 60, { unit: 'requests' }),
  ]
}

/** Waits until the page announces new calls, requests them, and returns the milliseconds until the table shows them. */
async function showNew(page: Page): Promise<number> {
  const newCalls = page.getByRole('button', { name: / new traces?$/ })
  await newCalls.waitFor()
  const before = await page.locator(firstRow).getAttribute('id')
  const beganMs = performance.now()
  await newCalls.click()
  await page.waitForFunction(([row, id]) => document.querySelector(row)?.id !== id, [firstRow, before ?? ''] as const)
  return performance.now() - beganMs
}

/** Records calls until it is stopped. */
async function recordEverySecond(client: Client, signal: AbortSignal): Promise<void> {
  let calls = 0
  const beganMs = performance.now()
  while (!signal.aborted) {
    calls += await recordSecond(client)
    await sleep(Math.max(0, beganMs + (calls / callsPerSecond) * 1_000 - performance.now()))
  }
}

async function recordSecond(client: Client): Promise<number> {
  const endedMs = Date.now()
  const batch = Array.from({ length: callsPerSecond }, (_, at) => ({
    project_id: `${entity}/${project}`,
    id: randomUUID(),
    trace_id: randomUUID(),
    op_name: `answer_${at % 20}`,
    started_at: new Date(endedMs - callsPerSecond + at).toISOString(),
    ended_at: new Date(endedMs).toISOString(),
    attributes: {},
    inputs: { question: `Question ${at} of a person` },
    output: `Answer ${at} of the model`,
    summary: {},
  }))
  await client.calls.complete({ entity, project, batch })
  return callsPerSecond
}
