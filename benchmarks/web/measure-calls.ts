import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { percentiles } from '../report/percentiles.ts'
import { metric, type Metric, longestTask, median, megabytes } from './metric.ts'
import { openTab } from './open-tab.ts'

interface Target {
  url: string
  apiKey: string
}

const maxRowsInPage = 60
const firstRow = '[role=grid] [role=row][aria-rowindex="2"]'

/** From an empty cache to the first row of the calls. */
export async function measureColdLoad(browser: Browser, target: Target, project: string, stored: number, rounds = 5): Promise<Metric[]> {
  const loads: { ms: number; cpuMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const tab = await openTab(browser, target)
    const ms = await tab.timeUntil(`/${project}/calls`, firstRow)
    loads.push({ ms, cpuMs: (await tab.work()).cpuMs })
    await tab.close()
  }
  const what = `cold load of the calls table, ${stored.toLocaleString('en')} calls in the store`
  return [metric(what, median(loads.map(({ ms }) => ms)), 1_500, { cpuMs: median(loads.map(({ cpuMs }) => cpuMs)) })]
}

/** A table that holds many rows: the page gets them at once and without a server, since what is measured is the page. */
export async function measureLongTable(browser: Browser, target: Target, rows: number): Promise<Metric[]> {
  const tab = await openTab(browser, target)
  const { page } = tab
  await page.addInitScript(answerWithCalls, rows)
  const what = `${rows.toLocaleString('en')} rows of calls`
  await page.goto('/bench/table/calls')
  await page.getByText(`${rows.toLocaleString('en')} loaded`).waitFor()
  await sleep(1_000)
  await tab.work()
  const { frames, mostRows } = await page.evaluate(forceScroll)
  const scrolled = await tab.work()
  const flown = await page.evaluate(flyPast)
  const flying = await tab.work()
  const flownFrames = percentiles(flown)
  const flight = `${what}: a frame of 1,200 px`
  const end = await pressAndSee(page, 'End', rows - 1)
  await page.keyboard.press('Home')
  const steps: number[] = []
  for (let row = 1; row <= 50; row++) steps.push(await pressAndSee(page, 'ArrowDown', row))
  const moved = await tab.work()
  const metrics = [
    metric(`${what}: most in the page`, mostRows, maxRowsInPage, { unit: 'rows' }),
    metric(`${what}: worst frame of a forced scroll`, Math.max(...frames), 50, { cpuMs: scrolled.cpuMs }),
    // A busy machine delays frames: what the page itself needs for one is its processor time.
    metric(`${flight}, processor time`, flying.cpuMs / flown.length, 50),
    metric(`${flight}, median`, flownFrames.p50, 50),
    metric(`${flight}, p95`, flownFrames.p95, 50),
    metric(`${flight}, worst`, Math.max(...flown), 50),
    metric(`${what}: End key`, end, 150),
    metric(`${what}: key to the next row, p95`, percentiles(steps).p95, 50, { cpuMs: moved.cpuMs }),
    longestTask(`${what}: keys`, moved, 100),
    megabytes(`${what}: heap`, await tab.heapBytes(), 200),
  ]
  await tab.close()
  return metrics
}

/** Runs in the page: answers its first query of calls with so many, and the next one with none. */
export function answerWithCalls(rows: number): void {
  const startMs = Date.UTC(2026, 0, 2)
  const nothing = { display_name: null, parent_id: null, thread_id: null, turn_id: null, exception: null, wb_user_id: null }
  const unknown = { wb_run_id: null, wb_run_step: null, wb_run_step_end: null, deleted_at: null, expire_at: null }
  const fields = { ...nothing, ...unknown, storage_size_bytes: null, total_storage_size_bytes: null, project_id: 'bench/table' }
  const lineOf = (at: number) => {
    const id = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`
    const times = { started_at: new Date(startMs - at).toISOString(), ended_at: new Date(startMs - at + 500).toISOString() }
    const values = { inputs: { question: `Question ${at} of a person` }, output: `Answer ${at} of the model`, attributes: {} }
    const summary = { usage: { model: { total_tokens: 100 + (at % 50) } } }
    return JSON.stringify({ ...fields, ...times, ...values, id, trace_id: id, op_name: 'answer', summary })
  }
  const answer = (count: number) =>
    new Response(new Blob([Array.from({ length: count }, (_, at) => lineOf(at)).join('\n')]), {
      headers: { 'content-type': 'application/jsonl' },
    })
  // Their totals and scores are empty: rows keep what their calls say.
  const around: Record<string, unknown> = { '/calls/trace_totals': { traces: [] }, '/feedback/query': { result: [] } }
  const send = window.fetch.bind(window)
  let left = rows
  window.fetch = (input, init) => {
    const path = Object.keys(around).find((end) => String(input).endsWith(end))
    if (path !== undefined) return Promise.resolve(Response.json(around[path]))
    if (!String(input).endsWith('/calls/stream_query')) return send(input, init)
    const answered = answer(left)
    left = 0
    return Promise.resolve(answered)
  }
}

/** Runs in the page: scrolls by almost a screen in each frame. */
async function forceScroll(): Promise<{ frames: number[]; mostRows: number }> {
  const framesMeasured = 120
  const box = document.querySelector('[role=grid]')!
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const frames: number[] = []
  let mostRows = 0
  let before = await nextFrame()
  for (let frame = 0; frame < framesMeasured; frame++) {
    box.scrollTop = ((frame + 1) / framesMeasured) * box.scrollHeight
    const now = await nextFrame()
    frames.push(now - before)
    before = now
    mostRows = Math.max(mostRows, box.querySelectorAll('[role=row]').length)
  }
  return { frames, mostRows }
}

/** Runs in the page: scrolls from the start by more than a screen in each frame, and returns how many milliseconds each took. */
export async function flyPast(): Promise<number[]> {
  const framesMeasured = 240
  const stepPx = 1_200
  const box = document.querySelector('[role=grid]')!
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  box.scrollTop = 0
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const frames: number[] = []
  let before = await nextFrame()
  for (let frame = 1; frame <= framesMeasured; frame++) {
    box.scrollTop = frame * stepPx
    const now = await nextFrame()
    frames.push(now - before)
    before = now
  }
  return frames
}

/** Milliseconds from a key to the frame in which the row that it leads to is shown as chosen. */
async function pressAndSee(page: Page, key: string, row: number): Promise<number> {
  // Keys take another way to the page than calls do: the page listens before the key is sent.
  await page.evaluate(listenForChosen, row + 2)
  await page.keyboard.press(key)
  return page.evaluate(() => (window as unknown as Listening).chosenAfter)
}

/** What a page keeps that listens for a key. */
interface Listening {
  chosenAfter: Promise<number>
}

/** Runs in the page. */
function listenForChosen(rowIndex: number): void {
  const box = document.querySelector<HTMLElement>('[role=grid]')!
  box.focus()
  const listening = window as unknown as Listening
  listening.chosenAfter = new Promise((resolve) => {
    box.addEventListener('keydown', ({ timeStamp }) => check(timeStamp), { once: true })
    function check(pressedAt: number) {
      const isSeen = box.querySelector(`[role=row][aria-rowindex="${rowIndex}"][aria-selected=true]`) !== null
      requestAnimationFrame(() => (isSeen ? resolve(performance.now() - pressedAt) : check(pressedAt)))
    }
  })
}
