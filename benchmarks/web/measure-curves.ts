import type { TrainingJob } from '@heddle/core-api/types'
import type { Browser } from 'playwright-core'
import { metric, type Metric, longestTask } from './metric.ts'
import { openTab } from './open-tab.ts'

interface Target {
  url: string
  apiKey: string
}

const jobId = '0195aaaa-0000-7000-8000-00000000c0de'
const modelId = '0195aaaa-0000-7000-8000-00000000beef'
const curveNames = [
  'reward',
  'loss/train',
  'loss/entropy',
  'loss/kl_div',
  'grad_norm',
  'learning_rate',
  'tokens_per_second',
  'reward_std_dev',
]

/** Eight curves of a job with many steps. They come without a server: what is measured is the page. */
export async function measureCurves(browser: Browser, target: Target, steps: number): Promise<Metric[]> {
  const tab = await openTab(browser, target)
  const { page } = tab
  await page.addInitScript(answerWithSteps, { steps, names: curveNames, jobId, modelId })
  await page.goto(`/bench/curves/training/jobs/${jobId}`, { waitUntil: 'commit' })
  await page
    .locator('figure svg[role=img]')
    .nth(curveNames.length - 1)
    .waitFor()
  const drawn = await tab.work()
  const beganMs = await page.evaluate(() => performance.now())
  await page.locator('figure svg[role=img]').first().click()
  await page.getByRole('dialog', { name: /^Step \d/ }).waitFor()
  const chosenMs = (await page.evaluate(() => performance.now())) - beganMs
  const chosen = await tab.work()
  const what = `curves, ${curveNames.length} of ${steps.toLocaleString('en')} points`
  const metrics = [
    metric(`${what}: drawn, processor time`, drawn.cpuMs, 1_000),
    longestTask(`${what}: loading`, drawn, 200),
    metric(`${what}: a step chosen`, chosenMs, 100, { cpuMs: chosen.cpuMs }),
  ]
  await tab.close()
  return metrics
}

interface Answered {
  steps: number
  names: readonly string[]
  jobId: string
  modelId: string
}

/** Runs in the page: answers its requests about training with a job of so many steps. */
function answerWithSteps({ steps, names, jobId, modelId }: Answered): void {
  const created_at = '2026-01-02T03:04:05Z'
  const times = { created_at, training_start: created_at, training_end: created_at }
  const ended = { status: 'succeeded', error_message: null, message: null, parent_step: 0, step: steps, trainable_tokens: null } as const
  const job: TrainingJob = { id: jobId, model_id: modelId, kind: 'rl', created_by: 'ada', config: {}, ...ended, ...times }
  const model = { id: modelId, entity: 'bench', project: 'curves', name: 'agent', base_model: 'small', run_id: modelId, created_at }
  const eventOf = (step: number) => {
    const values = names.map((name, at) => [name, Math.sin(step / 500 + at) + ((step * 7_919 + at) % 100) / 100])
    return { id: String(step), type: 'gradient_step', created_at, data: Object.fromEntries(values) as Record<string, number> }
  }
  const eventsOf = ({ searchParams }: URL) => {
    const first = Number(searchParams.get('after') ?? 0)
    const last = Math.min(steps, first + Number(searchParams.get('limit') ?? 20))
    const data = Array.from({ length: last - first }, (_, at) => eventOf(first + at + 1))
    return { object: 'list', data, first_id: String(first + 1), last_id: String(last), has_more: last < steps }
  }
  const answerTo = (url: URL): unknown => {
    if (url.pathname.endsWith('/events')) return eventsOf(url)
    if (url.pathname.endsWith(`/training-jobs/${jobId}`)) return job
    if (url.pathname.endsWith(`/models/${modelId}`)) return model
    return { object: 'list', data: [], first_id: '', last_id: '', has_more: false }
  }
  const send = window.fetch.bind(window)
  window.fetch = (input, init) => {
    const url = new URL(String(input), window.location.href)
    if (!url.pathname.startsWith('/v1/preview/')) return send(input, init)
    return Promise.resolve(Response.json(answerTo(url)))
  }
}
