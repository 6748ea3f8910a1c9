import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { answerQuestion } from './testing/answer-question.ts'
import { chooseOption } from './testing/choose-option.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const { project, rootCallIds, turnIds, threadId } = seeded.ordinary
const [root = ''] = rootCallIds
const [first = '', second = ''] = turnIds
/** Cases that every run of all tests has. */
const few = <T>(cases: readonly T[]) => (isWholeRun ? cases : cases.slice(0, 1))

/** Cases that cost more than they find in every run of all tests: one in `npm run test:browser`, none in `npm test`. */

test.each(
  few([
    [`r/call/${root}`, `calls/${root}`],
    [`weave/calls/${root}`, `calls/${root}`],
    [`weave/objects/${seeded.ordinary.prompt}/versions/latest`, `objects/${seeded.ordinary.prompt}`],
    [`weave/threads/${threadId}`, `threads/${threadId}`],
    ['weave/traces', 'calls'],
  ]),
)('the address %s, which a client prints, opens %s', (printed, path) =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/${printed}`)
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/${project}/${path}`)
    await settle(page)
    expect(await page.textContent('main')).not.toMatch(/not found/i)
  }),
)

async function recordCall(project_id: string, fields: Record<string, unknown> = {}): Promise<string> {
  const [entity = '', name = ''] = project_id.split('/')
  const id = randomUUID()
  const now = new Date().toISOString()
  const times = { started_at: now, ended_at: now }
  const call = { project_id, id, trace_id: randomUUID(), op_name: 'answer', attributes: {}, inputs: {}, output: null, summary: {} }
  await client.calls.complete({ entity, project: name, batch: [{ ...call, ...times, ...fields }] })
  return id
}

test.each(inWholeRuns)('a table that is live says how many calls are new, and shows them when asked', async () => {
  const own = `test/${randomUUID()}`
  await recordCall(own)
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls?live=on`)
    await page.getByText('Live, no new traces').waitFor()
    await recordCall(own, { op_name: 'later' })
    await page.getByRole('button', { name: '1 new' }).click()
    await page.getByRole('link', { name: 'later' }).waitFor()
    await page.getByText('Live, no new traces').waitFor()
  })
})

test.each(inWholeRuns)('a view is saved for all members of the project, asks before it replaces one, and is removed', async () => {
  const own = `test/${randomUUID()}`
  await recordCall(own)
  const val = { name: 'of a client', view_type: 'traces', label: 'of a client', definition: {} }
  const foreign = { project_id: own, object_id: 'foreign', val, builtin_object_class: 'SavedView' }
  await client.objects.create({ obj: foreign } as unknown as Parameters<typeof client.objects.create>[0])
  const save = async (page: Page, path: string) => {
    await page.goto(path)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('View name').fill('My own')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await withPage(async ({ page }) => {
    await save(page, `/${own}/calls?sort=slowest`)
    await page.getByRole('link', { name: 'My own' }).waitFor()
    await page.getByText('One more view was saved by another program').waitFor()
  })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls`)
    await page.getByRole('link', { name: 'My own' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('slowest')
    await save(page, `/${own}/calls?status=error`)
    expect(await answerQuestion(page, 'Cancel')).toMatch(/^Replace the view "My own", which .* saved,/)
    expect(await page.getByLabel('View name').inputValue()).toBe('My own')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await answerQuestion(page, 'Replace')
    await expect.poll(() => page.getByRole('link', { name: 'My own' }).getAttribute('href')).toContain('status=error')
    await page.getByRole('button', { name: 'Manage saved views' }).click()
    await page.getByRole('menuitem', { name: 'Remove the view My own' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'My own' }).count()).toBe(0)
    await page.getByText('View removed').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'My own' }).getAttribute('href')).toContain('status=error')
    await page.getByRole('button', { name: 'Manage saved views' }).click()
    await page.getByRole('menuitem', { name: 'Remove the view My own' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'My own' }).count()).toBe(0)
  })
  const { objs } = await client.objects.query({ project_id: own, filter: { base_object_classes: ['SavedView'], latest_only: true } })
  expect(objs.map(({ object_id }) => object_id)).toEqual(['foreign'])
})

test.each(inWholeRuns)('views that a browser keeps are listed apart, and are shared on request', async () => {
  const own = `test/${randomUUID()}`
  await withPage(async ({ page, visit }) => {
    const key = `heddle.calls-views.1.${own}`
    const kept = JSON.stringify([{ name: 'From before', search: { sort: 'slowest' } }])
    await page.addInitScript(
      ([name, value]) => window.localStorage.getItem(name!) ?? window.localStorage.setItem(name!, value!),
      [key, kept],
    )
    await visit(`/${own}/calls`)
    const inBrowser = page.getByRole('group', { name: 'Only in this browser' })
    const manage = page.getByRole('button', { name: 'Manage saved views' })
    await manage.click()
    await inBrowser.getByRole('menuitem', { name: 'Share the view From before' }).click()
    // The menu closes at once; the browser keeps the view until it is shared.
    await expect.poll(() => page.evaluate((name) => window.localStorage.getItem(name), key)).toBe('[]')
    await visit(`/${own}/calls`)
    await manage.click()
    await page.getByRole('menuitem', { name: 'Remove the view From before', exact: true }).waitFor()
    await expect.poll(() => inBrowser.count()).toBe(0)
  })
})

test.each(inWholeRuns)('a read-only key opens the views of the project, and saving one shows why it is refused', async () => {
  const own = `test/${randomUUID()}`
  const name = 'readable'
  const val = { name, view_type: 'heddle.calls', label: name, definition: {}, search: { sort: 'slowest' } }
  const obj = { project_id: own, object_id: name, val, builtin_object_class: 'SavedView' }
  await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
  const { secret } = await client.projectKeys.create({ project_id: own, name: 'reader', role: 'reader' })
  await withPage(
    async ({ page, visit, observed }) => {
      observed.expect('403')
      await page.context().request.post('/session', { headers: { authorization: `Bearer ${secret}`, connection: 'close' } })
      await visit(`/${own}/calls`)
      await page.getByRole('link', { name }).waitFor()
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByLabel('View name').fill('another')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      expect(await page.getByRole('alert').textContent()).toMatch(/^The view was not saved\. Your key may not do this: /)
    },
    { isSignedIn: false },
  )
})

test.each(inWholeRuns)('a run whose program has ended without a word is marked as without news', async () => {
  const own = `test/${randomUUID()}`
  const started_at = new Date(Date.now() - 40 * 60_000).toISOString()
  const start = { project_id: own, op_name: 'Evaluation.evaluate', started_at, attributes: {}, inputs: {} }
  await client.calls.start({ start } as unknown as Parameters<typeof client.calls.start>[0])
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/evaluations`)
    await page.getByRole('img', { name: /running: .*, without news for 4\d min/ }).waitFor()
  })
})

test.each(inWholeRuns)('the slowest calls come first, and those with feedback are not unreviewed', async () => {
  const own = `test/${randomUUID()}`
  const started_at = new Date(Date.now() - 60_000).toISOString()
  const slow = await recordCall(own, { op_name: 'slow', started_at })
  await recordCall(own, { op_name: 'quick' })
  await client.feedback.create({
    project_id: own,
    weave_ref: `weave:///${own}/call/${slow}`,
    feedback_type: 'wandb.note.1',
    payload: { note: 'x' },
  })
  await withPage(async ({ page, visit }) => {
    const rows = page.getByRole('grid', { name: 'Traces' }).getByRole('row')
    await visit(`/${own}/calls?sort=slowest`)
    expect(await rows.nth(1).textContent()).toContain('slow')
    await visit(`/${own}/calls?review=none`)
    expect(await rows.count()).toBe(2)
    expect(await rows.nth(1).textContent()).toContain('quick')
  })
})

/** A project with it is not new: a chart of a week has parts of six hours, and what is recorded within seconds is in one of them. */
const nineDaysAgo = new Date(Date.now() - 9 * 86_400_000).toISOString()

test.each(inWholeRuns)('scores of one type are drawn over time, and a bar of a chart leads to the feedback of its time', async () => {
  const own = `test/${randomUUID()}`
  const callId = await recordCall(own, { op_name: 'answer', started_at: nineDaysAgo })
  for (const [feedback_type, output] of [
    ['quality', { right: true, score: 0.75, topic: 'refund' }],
    ['quality', { right: false, score: 0.25, topic: 'refund' }],
    ['tone', { score: 9 }],
  ] as const)
    await client.feedback.create({ project_id: own, weave_ref: `weave:///${own}/call/${callId}`, feedback_type, payload: { output } })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/feedback`)
    await page.getByRole('link', { name: /^3 from / }).waitFor()
    expect(await page.getByRole('figure', { name: 'Feedback' }).getByRole('listitem').allTextContents()).toEqual(['quality', 'tone'])
    await page.getByRole('link', { name: 'quality' }).first().click()
    await page.getByRole('figure', { name: 'output.right' }).getByText('rate last 50%, n = 2').waitFor()
    await page.getByRole('figure', { name: 'output.score' }).getByText('mean last 0.5, values from 0.25 to 0.75, n = 2').waitFor()
    await page.getByRole('img', { name: 'Feedback by output.topic. refund: 2' }).waitFor()
    await page.getByRole('link', { name: /^2 from / }).click()
    await page.getByText('2 in all').waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/^"?20/)
    await page.getByRole('link', { name: 'At any time' }).click()
    await page.getByText('2 in all').waitFor()
  })
})

test.each(inWholeRuns)('the cost of a model is shown in full without scrolling aside, and leads to its calls', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/costs?range=24h`)
    const table = page.getByRole('table', { name: 'Costs by model' })
    await table.waitFor()
    const tooWide = () =>
      table.evaluate((element) =>
        [element, ...element.querySelectorAll('th, td')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      )
    expect(await tooWide()).toEqual([])
    await keepScreenshot(page, 'costs-by-model')
    await page.getByRole('link', { name: 'small.v1' }).click()
    await page.getByText('2 spans', { exact: true }).waitFor()
  }),
)

test.each(inWholeRuns)('bars over time are drawn, with the newest in view', () =>
  withPage(
    async ({ page, visit }) => {
      await visit(`/${project}/costs?range=30d`)
      const chart = page.getByRole('figure', { name: 'Cost' })
      const newest = chart.getByRole('link', { name: / from / }).last()
      await newest.waitFor()
      const heights = await chart
        .getByRole('img')
        .locator('rect')
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height))
      expect(Math.max(...heights)).toBeGreaterThan(0)
      const [place, drawn] = [await newest.boundingBox(), await chart.getByRole('img').boundingBox()]
      expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThan((drawn?.x ?? 0) + (drawn?.width ?? 0) + 2)
    },
    { width: 768 },
  ),
)

test.each(inWholeRuns)('the strip of traces is drawn whole, and its newest part leads to its rows', () =>
  withPage(
    async ({ page, visit }) => {
      await visit(`/${project}/calls?level=all&range=30d`)
      const strip = page.getByRole('region', { name: 'Calls over time' })
      const newest = await strip.getByRole('link', { name: /from/ }).last().boundingBox()
      const drawn = await strip.getByRole('img').boundingBox()
      expect(newest?.width).toBeGreaterThanOrEqual(24)
      expect((newest?.x ?? 0) + (newest?.width ?? 0)).toBeLessThan((drawn?.x ?? 0) + (drawn?.width ?? 0) + 2)
      const heights = await strip.locator('rect').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height))
      expect(Math.max(...heights)).toBeGreaterThan(0)
    },
    { width: 768 },
  ),
)

test.each(inWholeRuns)('the histogram says how many calls it leaves out, and leads to them', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls?level=all&range=1h`)
    await page.getByRole('link', { name: /started earlier/ }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('where')).toContain('started_at')
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1)
  }),
)

test.each(inWholeRuns)('the histogram follows the filter of the table, and its bars lead to as many calls as they count', async () => {
  const own = `test/${randomUUID()}`
  const old = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await recordCall(own, { op_name: 'asked', started_at: old, ended_at: old })
  await recordCall(own, { op_name: 'asked' })
  await recordCall(own, { op_name: 'asked', exception: 'Error: no answer' })
  await recordCall(own, { op_name: 'other' })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls?range=24h`)
    const histogram = page.getByRole('region', { name: 'Calls over time' })
    await histogram.getByText('3 traces, 1 with errors').waitFor()
    await page.getByRole('combobox', { name: 'Filter' }).fill('op_name = "asked"')
    await page.keyboard.press('Enter')
    await histogram.getByText('2 traces, 1 with errors', { exact: true }).waitFor()
    await histogram.getByRole('link', { name: '1 started earlier' }).waitFor()
    await histogram.getByRole('link', { name: /from/ }).last().click()
    const rows = page.getByRole('grid', { name: 'Traces' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    await histogram.getByText('2 traces, 1 with errors', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Filter' }).fill('no answer')
    await page.keyboard.press('Enter')
    await histogram.getByText('1 trace, 1 with errors', { exact: true }).waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    await keepScreenshot(page, 'histogram-of-filter')
  })
})

test.each(inWholeRuns)('a pair of two traces shows where its calls differ', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/compare?ids=${first},${second}`)
    await page.getByRole('table').getByRole('button', { name: 'chat_turn' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'Output', exact: true }).textContent()).toContain('Tomorrow before noon.')
    expect(new URL(page.url()).searchParams.get('pair')).toBe(`${first},${second}`)
  }),
)

test.each(inWholeRuns)('a tab is titled by its page and project, and follows the way to another page', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls`)
    expect(await page.title()).toBe(`Traces · ${project} · Heddle`)
    await page.getByRole('link', { name: 'Threads' }).click()
    await expect.poll(() => page.title()).toBe(`Threads · ${project} · Heddle`)
    expect(await page.locator('title').count()).toBe(1)
  }),
)

test.each(inWholeRuns)('the table is restricted to the time of the histogram when asked', async () => {
  const own = `test/${randomUUID()}`
  const old = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await recordCall(own, { op_name: 'old', started_at: old, ended_at: old })
  await recordCall(own, { op_name: 'new' })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls?range=24h`)
    const rows = page.getByRole('grid', { name: 'Traces' }).getByRole('row')
    expect(await rows.count()).toBe(3)
    await page.getByRole('button', { name: 'All time' }).click()
    await page.getByRole('button', { name: 'Last 24 hours' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.nth(1).textContent()).toContain('new')
  })
})

test.each(inWholeRuns)('all feedback of a call can be read, a hundred at a time', async () => {
  const own = `test/${randomUUID()}`
  const id = await recordCall(own)
  const said = { project_id: own, weave_ref: `weave:///${own}/call/${id}`, feedback_type: 'wandb.note.1' }
  const notes = Array.from({ length: 130 }, (_, at) => ({ ...said, payload: { note: `note ${at}` } }))
  const reactions = Array.from({ length: 110 }, () => ({ ...said, feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } }))
  await client.feedback.createBatch({ batch: [...notes, ...reactions] })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls/${id}?tab=feedback`)
    await page.getByText('Newest 100 of 130 notes').waitFor()
    await page.getByText('Newest 100 of 110').waitFor()
    await page.getByRole('button', { name: 'Load earlier notes' }).click()
    await page.getByRole('button', { name: 'Load more' }).click()
    const listed = page.getByRole('region', { name: 'Notes' }).getByRole('listitem')
    await expect.poll(() => listed.count()).toBe(130)
    expect([await listed.first().textContent(), await listed.last().textContent()]).toEqual([
      expect.stringMatching(/note 0$/),
      expect.stringMatching(/note 129$/),
    ])
    await expect.poll(() => page.getByRole('region', { name: 'Feedback' }).filter({ hasText: 'wandb.reaction.1' }).count()).toBe(110)
    await expect.poll(() => page.getByRole('button', { name: 'Load more' }).count()).toBe(0)
  })
})

test.each(inWholeRuns)('calls that a trace leaves out are counted, and lead to the table', async () => {
  const own = `test/${randomUUID()}`
  const [entity = '', name = ''] = own.split('/')
  const trace_id = randomUUID()
  const root = await recordCall(own, { trace_id, started_at: new Date(Date.now() - 60_000).toISOString() })
  for (let sent = 0; sent < 30_002; sent += 3_334) {
    const batch = Array.from({ length: 3_334 }, () => {
      const at = new Date().toISOString()
      const call = { project_id: own, id: randomUUID(), trace_id, parent_id: root, op_name: 'step', started_at: at, ended_at: at }
      return { ...call, attributes: {}, inputs: {}, output: null, summary: {} }
    })
    await client.calls.complete({ entity, project: name, batch })
  }
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls/${root}`)
    await page.getByText('The first 30,000 calls by time are shown; 7 more are left out.').waitFor()
    await page.getByRole('link', { name: 'All spans of the trace' }).click()
    await page.getByText('More than 10,000 spans').waitFor()
  })
})

/** Texts of the cells of a grid that are not shown whole, and of the grid itself where it must be scrolled aside. */
const cutCells = (page: Page, role: 'grid' | 'table', name: string) =>
  page
    .getByRole(role, { name })
    .evaluate((grid) =>
      [grid, ...grid.querySelectorAll('[role=cell] > span')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )

test.each(inWholeRuns)(
  'an empty table leads to the page that says how to send calls, and a full one shows all usual columns at 1280',
  async () => {
    const own = `test/${randomUUID()}`
    await withPage(async ({ page, visit }) => {
      await visit(`/${own}/calls`)
      await page.getByRole('link', { name: 'The overview of the project' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/${own}`)
      await recordCall(own)
      await visit(`/${own}/calls`)
      expect(await cutCells(page, 'grid', 'Traces')).toEqual([])
    })
  },
)

test.each(inWholeRuns)('a conversation is given a reaction, a note and a score on its page, and is found by them in the list', async () => {
  const own = `test/${randomUUID()}`
  const [judged, silent] = ['user:1/chat 7', 'silent']
  for (const thread_id of [judged, silent]) {
    const id = randomUUID()
    await recordCall(own, { id, turn_id: id, thread_id, inputs: { question: 'Why?' }, output: 'Because.' })
  }
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('400')
    await visit(`/${own}/threads/${encodeURIComponent(judged)}`)
    const feedback = page.getByRole('region', { name: 'Feedback on this thread' })
    await page.getByText('No notes yet').waitFor()
    await page.getByRole('button', { name: 'Good' }).click()
    await expect.poll(() => feedback.textContent()).toContain('👍')
    await page.getByRole('textbox', { name: 'Note' }).fill('Polite throughout')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('Polite throughout').first().waitFor()
    await page.getByText('Give a score').click()
    await page.getByLabel('Name of the score').fill('helpful')
    await page.getByLabel('or a number').fill('0.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => feedback.textContent()).toContain('helpful 0.5')
    await page.getByRole('button', { name: 'Pass' }).click()
    await page.getByText('Not saved. Feedback payload does not match annotation spec').waitFor()
    await settle(page)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'thread-feedback')
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Threads' }).click()
    const rows = page.getByRole('list', { name: 'Threads' }).getByRole('listitem')
    await expect.poll(async () => (await rows.allTextContents()).join('\n')).toContain('helpful 0.5 · Note · 👍')
    await keepScreenshot(page, 'threads-feedback')
    for (const [kind, count] of [
      ['score', 1],
      ['good', 1],
      ['note', 1],
      ['given', 1],
      ['bad', 0],
    ] as const) {
      await chooseOption(page, 'Feedback', `${kind[0]!.toUpperCase()}${kind.slice(1)}`)
      if (count === 0) await page.getByText('No threads match').waitFor()
      else await expect.poll(async () => (await rows.allTextContents()).join('\n')).not.toContain(silent)
      expect(new URL(page.url()).searchParams.get('feedback')).toBe(kind)
    }
    await chooseOption(page, 'Feedback', 'None')
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining(silent)])
    await keepScreenshot(page, 'threads-without-feedback')
    await visit(`/${own}/feedback`)
    await page.getByRole('link', { name: judged }).first().click()
    await feedback.waitFor()
  })
  const { result } = await client.feedback.query({ project_id: own })
  expect(new Set(result.map(({ weave_ref }) => weave_ref))).toEqual(new Set([`weave:///${own}/agent_conversation/user%3A1%2Fchat%207`]))
})

test.each(inWholeRuns)('a starred call is among those of the view Starred until its star is removed', async () => {
  const own = `test/${randomUUID()}`
  const id = await recordCall(own, { op_name: 'remarkable' })
  await recordCall(own, { op_name: 'usual' })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls/${id}?tab=feedback`)
    await page.getByRole('button', { name: 'Star' }).click()
    await page.getByRole('button', { name: 'Remove' }).waitFor()
    await settle(page)
    await keepScreenshot(page, 'call-starred')
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Traces' }).click()
    await page.getByRole('link', { name: 'Starred' }).click()
    await page.getByText('1 span', { exact: true }).waitFor()
    await settle(page)
    await keepScreenshot(page, 'calls-starred')
    await page.getByRole('link', { name: 'remarkable' }).click()
    await visit(`/${own}/calls/${id}?tab=feedback`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No reactions or scores yet').waitFor()
  })
  expect(await client.feedback.query({ project_id: own })).toMatchObject({ total_count: 0 })
})

test.each(inWholeRuns)('the list of threads does not scroll aside at 1280 and 768', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/threads`)
    const list = page.getByRole('list', { name: 'Threads' })
    for (const width of [1280, 768]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    }
  }),
)

test.each(inWholeRuns)('model calls of two models are a pair, whose name is shown whole', async () => {
  const own = `test/${randomUUID()}`
  const record = async (model: string) => {
    const trace_id = randomUUID()
    const parent_id = await recordCall(own, { trace_id, op_name: 'agent' })
    const usage = { m: { prompt_tokens: 100, completion_tokens: 13, requests: 1 } }
    await recordCall(own, { trace_id, parent_id, op_name: `chat ${model}`, summary: { usage } })
    return parent_id
  }
  const price = { prompt_token_cost: 0.0000002, completion_token_cost: 0.0000007 }
  await client.costs.create({ project_id: own, costs: { m: price } })
  const ids = [await record('small'), await record('large')]
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls/compare?ids=${ids.join(',')}`)
    await page.getByText('2 rows · 0 only in A · 0 only in B · 1 changed').waitFor()
    const name = page.getByRole('button', { name: 'chat small → chat large' })
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(await cutCells(page, 'table', 'Calls of both traces')).toEqual([])
    await keepScreenshot(page, 'traces-of-two-models')
  })
})

test.each(inWholeRuns)('what judges said of a call stands on its row of the trace', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/${turnIds[1]}`)
    await page.getByRole('tree', { name: 'Spans of the trace' }).getByText('👍').waitFor()
  }),
)

test.each(inWholeRuns)('rows of calls and of their trace say what each call did, and which failed', async () => {
  const own = `test/${randomUUID()}`
  const trace_id = randomUUID()
  const rootId = await recordCall(own, { op_name: 'plan', trace_id, attributes: { operation_name: 'invoke_agent' } })
  const below = { trace_id, parent_id: rootId }
  await recordCall(own, { ...below, op_name: 'look up', attributes: { kind: 'TOOL' }, exception: 'no such city' })
  await recordCall(own, { ...below, op_name: 'ask', summary: { usage: { 'model-a': { prompt_tokens: 3, completion_tokens: 1 } } } })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls?level=all`)
    for (const name of ['Agent plan', 'Tool look up', 'Model ask']) {
      await page.getByRole('gridcell', { name, exact: true }).waitFor()
    }
    await visit(`/${own}/calls/${rootId}`)
    const rows = page.getByRole('tree', { name: 'Spans of the trace' }).getByRole('treeitem')
    for (const [at, name] of [/^Agent plan/, /^Tool look up Failed/, /^Model ask/].entries())
      await rows.nth(at).and(page.getByRole('treeitem', { name })).waitFor()
  })
})
