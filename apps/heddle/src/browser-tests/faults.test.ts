import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { settle, withPage } from './testing/open-page.ts'
import { inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const { ordinary } = seeded
const at = (path: string) => `/${ordinary.project}/${path}`

/** Pages, with a text that each shows once the server answers. */
const pages = [
  { name: 'datasets', path: at('datasets'), shows: 'questions' },
  { name: 'calls', path: at('calls?range=30d'), shows: 'answer_question' },
  { name: 'dashboards', path: at('dashboards'), shows: 'Overview' },
  { name: 'a dashboard', path: at(`dashboards/${ordinary.dashboard}`), shows: 'in the last 7 days' },
  { name: 'a trace', path: at(`calls/${ordinary.rootCallIds[0]}`), shows: 'Input & output' },
  { name: 'a dataset', path: at(`datasets/${ordinary.dataset}`), shows: 'How do I pay?' },
  { name: 'queues', path: at('queues'), shows: 'Review of answers' },
  { name: 'a queue', path: at(`queues/${ordinary.queueId}`), shows: 'answer_question' },
  { name: 'annotate', path: at(`queues/${ordinary.queueId}/annotate/${ordinary.itemId}`), shows: 'Complete and next' },
  { name: 'evaluation runs', path: at('evaluations'), shows: 'Select two to 8 runs to compare' },
  { name: 'an evaluation run', path: at(`evaluations/runs/${ordinary.after}`), shows: 'Mean, 95% interval' },
  { name: 'a comparison', path: at(`evaluations/compare?ids=${ordinary.before},${ordinary.after}`), shows: 'all shared' },
  { name: 'training', path: at('training/jobs'), shows: 'practised' },
  { name: 'trained models', path: at('training/models'), shows: 'agent' },
  { name: 'a trained model', path: at(`training/models/${ordinary.modelId}`), shows: 'agent' },
  { name: 'a job to start', path: at('training/start'), shows: 'Model to train' },
  { name: 'ops', path: at('ops'), shows: 'look_up' },
  { name: 'a prompt', path: at(`prompts/${ordinary.prompt}`), shows: 'You are helpful' },
  { name: 'settings', path: at('settings?part=prices'), shows: 'large' },
  { name: 'status', path: '/status', shows: 'running' },
].filter(({ name }) => isWholeRun || name === 'datasets')

/** Permanent errors of a server, and the page's message for each. */
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

/** Answers the page's requests with `fault` while it is set. */
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

test.each(inWholeRuns)('a session that ends asks for a key above the page, which keeps what was typed', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('401')
    await visit(at('settings?part=prices'))
    await page.getByRole('textbox', { name: 'Model' }).fill('a new model')
    await page.getByLabel('Prompt tokens, USD a million').fill('1')
    await page.getByLabel('Completion tokens, USD a million').fill('2')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add price' }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByLabel('API key', { exact: true }).fill(inject('webServer').apiKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => page.getByRole('heading', { name: 'Your session has ended' }).count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Model' }).inputValue()).toBe('a new model')
    await page.getByRole('button', { name: 'Add price' }).click()
    await page.getByRole('button', { name: 'Actions for the price of a new model' }).waitFor()
  }),
)

test.each(inWholeRuns)(
  'a page retries at the time of Retry-After, and errors about access and missing pages link to a page that helps',
  () =>
    withPage(
      async ({ page, observed }) => {
        for (const text of [...expected, '404']) observed.expect(text)
        let fault: { status: number; headers?: Record<string, string>; json: unknown } | undefined
        await failWith(page, () => fault)
        await page.clock.install()
        // Longer than the client waits by itself.
        fault = { status: 503, headers: { 'retry-after': '90' }, json: { reason: 'made by a test' } }
        await page.goto(at('datasets'))
        const problem = page.getByRole('alert').filter({ hasText: 'Trying again in' })
        await problem.getByText(/Trying again in \d+ s/).waitFor()
        expect(await problem.getByRole('link', { name: 'Service status' }).getAttribute('href')).toBe('/status')
        fault = undefined
        await page.clock.fastForward(91_000)
        await page.getByRole('link', { name: 'questions' }).first().waitFor()

        fault = { status: 403, json: { reason: 'Forbidden' } }
        await page.goto(at('datasets'))
        const refused = page.getByRole('alert').filter({ hasText: `It lacks access to the project ${ordinary.project}` })
        expect(await refused.getByRole('link', { name: 'Go to projects' }).getAttribute('href')).toBe('/')

        fault = { status: 404, headers: { 'x-request-id': 'made-by-a-test-1' }, json: { reason: 'made by a test' } }
        await page.goto(at('datasets'))
        const missing = page.getByRole('alert').filter({ hasText: 'It may have been deleted' })
        expect(await missing.getByRole('link', { name: 'Go to overview' }).getAttribute('href')).toBe(`/${ordinary.project}`)
        await missing.getByText('made-by-a-test-1', { exact: true }).waitFor()
        await missing.getByRole('button', { name: 'Copy request ID' }).click()
        await missing
          .getByText('Copied')
          .or(missing.getByRole('textbox', { name: 'Copy request ID, to copy by hand' }))
          .waitFor()

        fault = undefined
        await page.goto(at('nothing/is/here/at/all'))
        await page.getByText(at('nothing/is/here/at/all')).waitFor()
      },
      { setsClock: true },
    ),
)

test.each(inWholeRuns)('a page shows that it is offline, and continues when the connection returns', () =>
  withPage(
    async ({ page, visit, observed }) => {
      observed.expect('ERR_INTERNET_DISCONNECTED')
      await page.clock.install()
      await visit(at('datasets'))
      await page.context().setOffline(true)
      await page.getByRole('status').filter({ hasText: 'You are offline' }).getByText('What you see is from').waitFor()
      await page.getByRole('link', { name: 'questions' }).first().waitFor()
      // What is shown is old by now, and is read again.
      await page.clock.fastForward(20_000)
      const isReadAgain = page.waitForResponse((response) => response.request().resourceType() === 'fetch' && response.ok())
      // It goes after some seconds.
      const isSaid = page.getByText('Connected again').waitFor()
      await page.context().setOffline(false)
      await Promise.all([isReadAgain, isSaid, page.getByText('You are offline').waitFor({ state: 'detached' })])
    },
    { setsClock: true },
  ),
)
