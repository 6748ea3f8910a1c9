import type { Browser } from 'playwright-core'
import { longestTask, median, metric, type Metric } from './metric.ts'
import { openTab } from './open-tab.ts'

interface Target {
  url: string
  apiKey: string
}

const axisCount = 12
const dragSteps = 100

/** Training jobs as lines over parallel axes, and a range that is drawn on one of them. They come without a server: what is measured is the page. */
export async function measureAxes(browser: Browser, target: Target, jobs: number): Promise<Metric[]> {
  const tab = await openTab(browser, target)
  const { page } = tab
  await page.addInitScript(answerWithJobs, { jobs, axisCount })
  const axes = Array.from({ length: axisCount }, (_, at) => `config.setting_${at}`)
  const search = new URLSearchParams({ view: 'axes', axes: JSON.stringify(axes) })
  const shownMs = await tab.timeUntil(`/bench/axes/training/jobs?${search}`, '[data-axes-plot] path')
  const answeredMs = await page.evaluate(() => (window as unknown as Answering).answeredAt)
  await page.getByText(`${jobs} of ${jobs} jobs kept`).first().waitFor()
  const drawn = await tab.work()
  const second = page.locator('[data-axis]').nth(1)
  const [top, bottom] = await Promise.all(
    [/highest kept$/, /lowest kept$/].map((name) => second.getByRole('slider', { name }).boundingBox()),
  )
  if (!top || !bottom) throw new Error('the page has no axis to draw a range on')
  const x = top.x + top.width / 2
  const track = { y: top.y + top.height, height: bottom.y - top.y - top.height }
  await page.mouse.move(x, track.y + track.height * 0.1)
  await page.mouse.down()
  const frames = page.evaluate(recordFrames)
  for (let step = 1; step <= dragSteps; step++) await page.mouse.move(x, track.y + track.height * (0.1 + (0.8 * step) / dragSteps))
  await page.mouse.up()
  const lasted = await frames
  const dragged = await tab.work()
  const what = `parallel coordinates, ${jobs.toLocaleString('en')} lines × ${axisCount} axes`
  const metrics = [
    metric(`${what}: drawn after the data`, shownMs - answeredMs, 1_000, { cpuMs: drawn.cpuMs }),
    // A busy machine delays frames: what the page itself needs for one is its processor time.
    metric(`${what}: a frame of a drag, processor time`, dragged.cpuMs / lasted.length, 50),
    metric(`${what}: a frame of a drag, median`, median(lasted), 50),
    longestTask(`${what}: drag`, dragged, 100),
  ]
  await tab.close()
  return metrics
}

/** What a page keeps that answers its own requests. */
interface Answering {
  /** When the last jobs were sent, by its clock. */
  answeredAt: number
}

/** Runs in the page: milliseconds of its frames until the pointer is released. */
async function recordFrames(): Promise<number[]> {
  const frames: number[] = []
  let isOver = false
  addEventListener('pointerup', () => (isOver = true), { once: true, capture: true })
  let before = await new Promise(requestAnimationFrame)
  while (!isOver) {
    const now = await new Promise<number>(requestAnimationFrame)
    frames.push(now - before)
    before = now
  }
  return frames
}

/** Runs in the page: answers its requests about training with so many jobs of a model. */
function answerWithJobs({ jobs, axisCount: settings }: { jobs: number; axisCount: number }): void {
  const created_at = '2026-01-02T03:04:05Z'
  const times = { created_at, training_start: created_at, training_end: created_at }
  const model = { id: 'model', entity: 'bench', project: 'axes', name: 'agent', base_model: 'small', run_id: 'model', created_at }
  const others = { model_id: 'model', kind: 'rl', status: 'succeeded', parent_step: 0, step: null, error_message: null, message: null }
  // Every third axis is logarithmic.
  const valueOf = (job: number, at: number) => {
    const share = ((job * 7_919 + at * 104_729) % 1_000) / 1_000
    return at % 3 === 0 ? 10 ** (-6 * share) : share
  }
  const jobOf = (job: number) => ({
    ...times,
    ...others,
    id: String(job),
    config: Object.fromEntries(Array.from({ length: settings }, (_, at) => [`setting_${at}`, valueOf(job, at)])),
  })
  const jobsOf = ({ searchParams }: URL) => {
    const first = Number(searchParams.get('after') ?? -1) + 1
    const last = Math.min(jobs, first + Number(searchParams.get('limit') ?? 20))
    const data = Array.from({ length: last - first }, (_, at) => jobOf(first + at))
    const answering = window as unknown as { answeredAt: number }
    answering.answeredAt = performance.now()
    return { object: 'list', data, first_id: String(first), last_id: String(last - 1), has_more: last < jobs }
  }
  const send = window.fetch.bind(window)
  window.fetch = (input, init) => {
    const url = new URL(String(input), window.location.href)
    if (!url.pathname.startsWith('/v1/preview/')) return send(input, init)
    if (url.pathname.endsWith('/training-jobs')) return Promise.resolve(Response.json(jobsOf(url)))
    const data = url.pathname.endsWith('/models') ? [model] : []
    return Promise.resolve(Response.json({ object: 'list', data, first_id: '', last_id: '', has_more: false }))
  }
}
