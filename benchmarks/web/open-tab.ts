import { setTimeout as pause } from 'node:timers/promises'
import { chromiumArguments } from '@heddle/testing'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'

/** A page of the web UI whose work is measured. */
export interface Tab {
  page: Page
  /** What it has done since it was opened, or since the call before. */
  work(): Promise<Work>
  /**
   * Opens an address; milliseconds until the frame after an element that fits the selector was first there, by the clock of the page.
   * @throws Error when there is none after two minutes
   */
  timeUntil(path: string, selector: string): Promise<number>
  /** Bytes that its scripts hold, after a collection of garbage. */
  heapBytes(): Promise<number>
  close(): Promise<void>
}

export interface Work {
  /** Processor time of the thread that draws and runs scripts: other programs of the machine do not count. */
  cpuMs: number
  /** The longest time that the page did not respond; those who wait for a processor count. 0 where all were below 50 ms. */
  longestTaskMs: number
}

const viewport = { width: 1280, height: 800 }
/** A store of a million calls is read at first. */
const timeoutMs = 120_000
/** The work of opening a tab, and of closing the one before, takes so long: it does not count as that of a page. */
const settleMs = 700

export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, headless: true, args: [...chromiumArguments] })

/** Opens an empty tab with a cache of its own, signed in. */
export async function openTab(browser: Browser, { url, apiKey }: { url: string; apiKey: string }): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' })
  context.setDefaultTimeout(timeoutMs)
  const answer = await context.request.post('/session', { headers: { authorization: `Bearer ${apiKey}` } })
  if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}: ${await answer.text()}`)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  // The runner of this program names functions with a helper of its own, which pages do not have.
  await page.addInitScript({ content: 'globalThis.__name = (value) => value' })
  await page.addInitScript(watchTasks)
  let before = 0
  await pause(settleMs)
  return {
    page,
    async work() {
      const now = (await metricsOf(session)).get('TaskDuration') ?? 0
      // A navigation may reset the count.
      const cpuMs = (now >= before ? now - before : now) * 1_000
      before = now
      return { cpuMs, longestTaskMs: await page.evaluate(takeLongestTask) }
    },
    async timeUntil(path, selector) {
      await page.addInitScript(watchFor, { selector, timeoutMs })
      await page.goto(path, { waitUntil: 'commit' })
      // The driver is another process: what it sees later than the page does not count.
      return page.evaluate(() => (window as unknown as Watching).shownAfter)
    },
    async heapBytes() {
      await session.send('HeapProfiler.collectGarbage')
      return (await metricsOf(session)).get('JSHeapUsedSize') ?? 0
    },
    close: () => context.close(),
  }
}

async function metricsOf(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** What a page keeps that waits for an element. */
interface Watching {
  shownAfter: Promise<number>
}

/** Runs in the page, before its own scripts. */
function watchFor({ selector, timeoutMs: limitMs }: { selector: string; timeoutMs: number }) {
  const watching = window as unknown as Watching
  watching.shownAfter = new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now()))
    })
    observer.observe(document, { childList: true, subtree: true })
    setTimeout(() => reject(new Error(`nothing fits ${selector} after ${limitMs} ms`)), limitMs)
  })
  // Waited for later.
  watching.shownAfter.catch(() => undefined)
}

/** Runs in the page. */
function watchTasks() {
  const measured = window as unknown as { longestTaskMs: number }
  measured.longestTaskMs = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longestTaskMs = Math.max(measured.longestTaskMs, duration)
  }).observe({ type: 'longtask', buffered: true })
}

/** Runs in the page. Entries of tasks come a moment after them. */
async function takeLongestTask(): Promise<number> {
  const measured = window as unknown as { longestTaskMs: number }
  await new Promise((resolve) => setTimeout(resolve, 200))
  const longest = measured.longestTaskMs
  measured.longestTaskMs = 0
  return longest
}
