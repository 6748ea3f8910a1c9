import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { settle, withPage } from './testing/open-page.ts'
import { isWholeRun } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const { ordinary } = seeded
const at = (path: string) => `/${ordinary.project}/${path}`

/** Pages, with a text that each shows once the server answers. */
const pages = [
  { name: 'datasets', path: at('datasets'), shows: 'questions' },
  { name: 'calls', path: at('calls?range=30d'), shows: 'rows are here' },
  { name: 'dashboards', path: at('dashboards'), shows: 'Overview' },
  { name: 'a dashboard', path: at(`dashboards/${ordinary.dashboard}`), shows: 'in the last 7 days' },
  { name: 'a trace', path: at(`calls/${ordinary.rootCallIds[0]}`), shows: 'Input and output' },
  { name: 'a dataset', path: at(`datasets/${ordinary.dataset}`), shows: 'How do I pay?' },
  { name: 'queues', path: at('queues'), shows: 'Review of answers' },
  { name: 'a queue', path: at(`queues/${ordinary.queueId}`), shows: 'answer_question' },
  { name: 'annotate', path: at(`queues/${ordinary.queueId}/annotate/${ordinary.itemId}`), shows: 'Complete and next' },
  { name: 'evaluation runs', path: at('evaluations'), shows: 'Choose two to 8 runs' },
  { name: 'an evaluation run', path: at(`evaluations/runs/${ordinary.after}`), shows: 'Means over rows' },
  { name: 'a comparison', path: at(`evaluations/compare?ids=${ordinary.before},${ordinary.after}`), shows: 'Differences are of the rows' },
  { name: 'training', path: at('training/jobs'), shows: 'agent' },
  { name: 'a trained model', path: at(`training/models/${ordinary.modelId}`), shows: 'agent' },
  { name: 'a job to start', path: at('training/start'), shows: 'Model to train' },
  { name: 'ops', path: at('ops'), shows: 'look_up' },
  { name: 'a prompt', path: at(`prompts/${ordinary.prompt}`), shows: 'You are helpful' },
  { name: 'settings', path: at('settings'), shows: 'large' },
  { name: 'status', path: '/status', shows: 'running' },
].filter(({ name }) => isWholeRun || name === 'datasets')

/** What a server may answer for good, and what the page says of it. */
const refusals = [
  { status: 500, says: 'The server failed (500)' },
  { status: 403, says: 'Your key may not do this' },
  { status: 413, says: 'The server refused this as too large' },
  { status: 401, says: 'Your session has ended' },
].filter(({ status }) => isWholeRun || status === 403)

/** Temporary faults: the page retries. */
const passing = [
  { what: 'asks to wait', answer: { status: 429, headers: { 'retry-after': '1' }, json: { detail: 'made by a test' } } },
  { what: 'is not available', answer: { status: 503, headers: { 'retry-after': '1' }, json: { detail: 'made by a test' } } },
  { what: 'cuts the connection', answer: undefined },
].filter(({ what }) => isWholeRun || what !== 'is not available')

/** Requests for data, not those for the page itself and for who is signed in. */
const isForData = (url: URL) => !url.pathname.startsWith('/session') && !url.pathname.startsWith('/assets')

/** Answers what the page asks for with `fault`, for as long as it is there. */
async function failWith(page: Page, fault: () => { status: number; headers?: Record<string, string>; json?: unknown } | 'cut' | undefined) {
  await page.route(isForData, async (route) => {
    const answer = route.request().resourceType() === 'fetch' ? fault() : undefined
    if (answer === 'cut') await route.abort('connectionreset')
    else if (answer) await route.fulfill(answer)
    else await route.continue()
  })
}

const expected = ['401', '403', '413', '429', '500', '503', 'ERR_CONNECTION_RESET']

test.each(pages.flatMap((one) => refusals.map((refusal) => ({ ...one, ...refusal }))))(
  '$name says that the server answered $status, and shows its data when asked again',
  ({ path, shows, status, says }) =>
    withPage(async ({ page, observed }) => {
      for (const text of expected) observed.expect(text)
      let isFaulty = true
      await failWith(page, () => (isFaulty ? { status, json: { detail: 'made by a test' } } : undefined))
      await page.goto(path)
      await page.getByRole('alert').getByText(says).first().waitFor()
      isFaulty = false
      await expect
        .poll(async () => {
          const again = page.getByRole('button', { name: 'Try again' }).first()
          if (await again.isVisible()) await again.click()
          return page.textContent('main')
        })
        .toContain(shows)
    }),
)

test.each(pages.flatMap((one) => passing.map((fault) => ({ ...one, ...fault }))))(
  '$name retries and shows its data when the server $what for a moment',
  ({ path, shows, answer }) =>
    withPage(async ({ page, observed }) => {
      for (const text of expected) observed.expect(text)
      let left = 1
      await failWith(page, () => (left-- > 0 ? (answer ?? 'cut') : undefined))
      await page.goto(path)
      await expect.poll(() => page.textContent('main')).toContain(shows)
      expect(left).toBeLessThan(0)
    }),
)

test.each(pages)('$name says that it waits for a slow server', ({ path, shows }) =>
  withPage(async ({ page }) => {
    const held: (() => void)[] = []
    let isSlow = true
    await page.route(isForData, async (route) => {
      if (isSlow && route.request().resourceType() === 'fetch') await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.goto(path)
    await page.locator('main [aria-busy=true]').first().waitFor()
    isSlow = false
    for (const release of held) release()
    await expect.poll(() => page.textContent('main')).toContain(shows)
    await settle(page)
  }),
)

test('a session that ends asks for a key above the page, which keeps what was typed', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('401')
    await visit(at('settings'))
    await page.getByLabel('Model, as in the usage of calls').fill('a new model')
    await page.getByLabel('US dollars for a million prompt tokens').fill('1')
    await page.getByLabel('US dollars for a million completion tokens').fill('2')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add price' }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByLabel('API key', { exact: true }).fill(inject('webServer').apiKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => page.getByRole('heading', { name: 'Your session has ended' }).count()).toBe(0)
    expect(await page.getByLabel('Model, as in the usage of calls').inputValue()).toBe('a new model')
    await page.getByRole('button', { name: 'Add price' }).click()
    await page.getByRole('button', { name: 'Remove the price of a new model' }).waitFor()
  }))
