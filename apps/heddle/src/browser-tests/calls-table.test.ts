import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { chooseAction, openColumns } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

/** Records a call that has ended, and returns its id. */
async function recordCall(project_id: string, fields: Record<string, unknown> = {}): Promise<string> {
  const [entity = '', name = ''] = project_id.split('/')
  const id = randomUUID()
  const now = new Date().toISOString()
  const call = { project_id, id, trace_id: randomUUID(), op_name: 'answer', attributes: {}, inputs: {}, output: null, summary: {} }
  await client.calls.complete({ entity, project: name, batch: [{ ...call, started_at: now, ended_at: now, ...fields }] })
  return id
}

/** Sends one span with attributes to a project. */
async function sendSpan(project: string, { name, ...span }: { name: string; [field: string]: unknown }): Promise<void> {
  const now = `${Date.now()}000000`
  const ids = { traceId: randomUUID().replaceAll('-', ''), spanId: randomUUID().replaceAll('-', '').slice(0, 16) }
  const spans = [{ ...ids, name, kind: 1, startTimeUnixNano: now, endTimeUnixNano: now, ...span }]
  const sent = await fetch(`${url}/otel/v1/traces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', project_id: project },
    body: JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] }),
  })
  expect(sent.status).toBe(200)
}

const texts = (...values: string[]) => ({ arrayValue: { values: values.map((stringValue) => ({ stringValue })) } })

test.each(inWholeRuns)(
  'the table shows versions of ops and tags, and a tag selects the calls of an SDK or the spans that have it',
  async () => {
    const own = `test/${randomUUID()}`
    const obj = { project_id: own, object_id: 'answer', val: { _type: 'Op' } }
    const { digest } = await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
    await recordCall(own, { op_name: `weave:///${own}/op/answer:${digest}`, attributes: { tags: ['prod', 'fast'] } })
    await recordCall(own, { op_name: 'plain', attributes: { tags: ['production'] } })
    await sendSpan(own, {
      name: 'labelled',
      attributes: [
        { key: 'heddle.tags', value: texts('prod') },
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      ],
    })
    await withPage(async ({ page, visit }) => {
      await visit(`/${own}/calls`)
      await (await openColumns(page)).getByRole('checkbox', { name: 'op_version' }).check()
      await page.keyboard.press('Escape')
      const tagged = page.getByRole('row').filter({ hasText: 'fast' })
      await tagged.getByRole('button', { name: 'Only calls with the tag prod', exact: true }).waitFor()
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, 'versions-and-tags')
      const names = async () => (await page.getByRole('grid').locator('a[href*="/calls/"]').allTextContents()).sort()
      await expect.poll(names).toEqual(['answer', 'labelled', 'plain'])
      await tagged.getByRole('button', { name: 'Only calls with the tag prod', exact: true }).click()
      await expect.poll(names).toEqual(['answer'])
      await page.getByRole('button', { name: /^Remove the condition attributes\.tags/ }).click()
      await page.getByRole('row').filter({ hasText: 'labelled' }).getByRole('button', { name: 'Only calls with the tag prod' }).click()
      await expect.poll(names).toEqual(['labelled'])
      await page.getByRole('button', { name: /^Remove the condition attributes\.otel_span/ }).click()
      await page.getByRole('link', { name: digest.slice(0, 7) }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/${own}/ops/answer`)
      expect(new URL(page.url()).searchParams.get('version')).toBe(digest)
    })
  },
)

test.each(inWholeRuns)(
  'the rows of all spans say what messages said, and a span without its own texts what the model calls below it said',
  async () => {
    const own = `test/${randomUUID()}`
    const trace_id = randomUUID()
    const summary = { usage: { m: { prompt_tokens: 1, completion_tokens: 1 } } }
    const at = (second: number) => ({ started_at: `2026-01-02T00:00:0${second}Z`, ended_at: `2026-01-02T00:00:0${second}.5Z` })
    const said = (question: string, answer: string) => ({
      inputs: { messages: [{ role: 'user', content: question }] },
      output: { choices: [{ message: { role: 'assistant', content: answer } }] },
    })
    const root = await recordCall(own, { op_name: 'whole', trace_id, ...at(0) })
    const agent = await recordCall(own, { op_name: 'agent', trace_id, parent_id: root, ...at(1) })
    const below = { trace_id, parent_id: agent, summary }
    await recordCall(own, { ...below, op_name: 'ask', ...at(2), ...said('How high?', 'Let me see') })
    await recordCall(own, { ...below, op_name: 'answer', ...at(3), ...said('And now?', 'As a house') })
    await recordCall(own, { op_name: 'alone', trace_id, parent_id: root, ...at(4) })
    await withPage(async ({ page, visit }) => {
      await visit(`/${own}/calls?level=all`)
      const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
      const shown = async (name: string) => (await row(name).getByRole('gridcell').allTextContents()).slice(4, 6)
      await expect.poll(() => shown('ask')).toEqual(['How high?', 'Let me see'])
      await expect.poll(() => shown('agent')).toEqual(['How high?', 'As a house'])
      await expect.poll(() => shown('whole')).toEqual(['How high?', 'As a house'])
      await expect.poll(() => shown('alone')).toEqual(['–', '–'])
      expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
      await keepScreenshot(page, 'all-spans')
      await visit(`/${own}/calls`)
      await expect.poll(() => shown('whole')).toEqual(['How high?', 'As a house'])
    })
  },
)

test.each(inWholeRuns)('selected calls are scored by scorers that the server runs, each with its result or its error', async () => {
  const own = `test/${randomUUID()}`
  const publish = async (object_id: string, className: string) => {
    const obj = { project_id: own, object_id, val: { _type: className, _class_name: className, _bases: ['Scorer', 'Object', 'BaseModel'] } }
    await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
  }
  await publish('exact', 'ExactMatchScorer')
  await publish('of-a-program', 'MyScorer')
  const first = await recordCall(own, { op_name: 'first', inputs: { expected: 'Oslo' }, output: 'Oslo' })
  const second = await recordCall(own, { op_name: 'second', output: 'Oslo' })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls`)
    await page.getByRole('checkbox', { name: 'Select first' }).check()
    await page.getByRole('checkbox', { name: 'Select second' }).check()
    await page.getByRole('button', { name: 'Score', exact: true }).click()
    await page.getByText('Not offered, being code of a program, which the server never runs: of-a-program.').waitFor()
    await page.getByText('At once, at most 100 calls by 5 scorers.').waitFor()
    await page.getByRole('checkbox', { name: 'exact' }).check()
    const score = page.getByRole('button', { name: 'Score 2 calls' })
    const rows = async () => (await page.getByRole('region', { name: 'Scores' }).getByRole('row').allTextContents()).join('\n')
    // Earlier scores are not mistaken for the requested ones.
    for (const _ of ['once', 'again']) {
      await score.click()
      await page.getByText('All scores are there: 1 made, 1 failed.').waitFor()
      expect(await rows()).toContain(`${first}exact{"match":true}the call that scored it`)
      expect(await rows()).toContain(`${second}exactfailed: ScorerError: the row has no column "expected"`)
    }
    const { result } = await client.feedback.query({ project_id: own })
    expect(result.map(({ weave_ref }) => weave_ref)).toEqual(Array.from({ length: 2 }, () => `weave:///${own}/call/${first}`))
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'score-selected-calls')
  })
})

test.each(inWholeRuns)('a text is found in inputs, outputs, names and errors, by itself and beside a filter', async () => {
  const own = `test/${randomUUID()}`
  await recordCall(own, { op_name: 'asked', inputs: { question: 'Where is “Łódź”?\nSay "hi" to ada@example' } })
  await recordCall(own, { op_name: 'answered', output: 'In łódź, of course' })
  await recordCall(own, { op_name: 'failed', exception: 'no city of the name ŁÓDŹ' })
  await recordCall(own, { op_name: 'visit_łódź' })
  await sendSpan(own, { name: 'Plan: Łódź / 2', attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }] })
  await recordCall(own, { op_name: 'other', inputs: { question: 'Where is Oslo?' } })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls`)
    const names = async () => (await page.getByRole('grid').locator('a[href*="/calls/"]').allTextContents()).sort()
    const search = page.getByRole('combobox', { name: 'Filter' })
    const find = async (wanted: string) => {
      const removals = page.getByRole('button', { name: /^Remove the condition text/ })
      if ((await removals.count()) > 0) await removals.click()
      await search.fill(wanted)
      await page.keyboard.press('Enter')
    }
    await find('Łódź')
    await expect.poll(names).toEqual(['Plan: Łódź / 2', 'answered', 'asked', 'failed', 'visit_łódź'])
    expect(new URL(page.url()).searchParams.get('text')).toBe('Łódź')
    await page.getByText('Looks in inputs, outputs, names and errors of traces, the newest first.').waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'search-text')
    await find('say "HI" to')
    await expect.poll(names).toEqual(['asked'])
    await find('plan: ł')
    await expect.poll(names).toEqual(['Plan: Łódź / 2'])
    await find('łódź')
    await search.fill('exception != null or op_name = "asked"')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['asked', 'failed'])
    await page.reload()
    await expect.poll(names).toEqual(['asked', 'failed'])
    await page.getByRole('button', { name: 'Remove the condition text "łódź"' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('text')).toBe(false)
  })
})

test.each(inWholeRuns)(
  'a search that takes long can be stopped, and one that ends without an answer says what makes it shorter',
  async () => {
    const own = `test/${randomUUID()}`
    await recordCall(own)
    await withPage(async ({ page, visit, observed }) => {
      observed.expect('503')
      observed.expect('net::ERR_ABORTED')
      await visit(`/${own}/calls`)
      let answer: 'never' | 'too late' | 'as usual' = 'never'
      await page.route('**/calls/stream_query', async (route) => {
        if (answer === 'as usual') return route.continue()
        if (answer === 'too late')
          await route.fulfill({ status: 503, json: { detail: 'the query exceeded its time limit (max_execution_time)' } })
      })
      await page.getByRole('combobox', { name: 'Filter' }).fill('answer')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByText('The search was stopped').waitFor()
      answer = 'too late'
      await page.getByRole('button', { name: 'Search again' }).click()
      await page.getByText('A search reads each call that the conditions leave').waitFor()
      answer = 'as usual'
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('link', { name: 'answer' }).waitFor()
    })
  },
)

test.each(inWholeRuns)('feedback names the call or the object that it is about, and says which are gone', async () => {
  const own = `test/${randomUUID()}`
  const obj = { project_id: own, object_id: 'tone', val: { text: 'Be polite' } }
  const { digest } = await client.objects.create({ obj } as unknown as Parameters<typeof client.objects.create>[0])
  const [asked, gone] = [await recordCall(own, { inputs: { question: 'Where is Oslo?' } }), await recordCall(own)]
  const note = (weave_ref: string) =>
    client.feedback.create({ project_id: own, weave_ref, feedback_type: 'wandb.note.1', payload: { note: 'Read it' }, creator: null })
  for (const id of [asked, gone]) await note(`weave:///${own}/call/${id}`)
  await note(`weave:///${own}/object/tone:${digest}`)
  await client.calls.delete({ project_id: own, call_ids: [gone] })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/feedback`)
    const about = async () => (await page.getByRole('row').locator('[role=cell]:last-child').allTextContents()).sort()
    await expect.poll(about).toEqual([`Call ${gone} not there any more`, 'answer Where is Oslo?', `tone ${digest.slice(0, 7)}`])
    await page
      .getByRole('row', { name: /Where is Oslo/ })
      .getByRole('img', { name: 'Function' })
      .waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'feedback-about')
    await page.getByRole('link', { name: 'tone' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/${own}/objects/tone`)
  })
})

test.each(inWholeRuns)('calls are chosen by what their traces come to, which the address keeps', async () => {
  const own = `test/${randomUUID()}`
  const trace_id = randomUUID()
  const rootId = await recordCall(own, {
    op_name: 'large',
    trace_id,
    summary: { usage: { 'model-a': { prompt_tokens: 90, completion_tokens: 10 } } },
  })
  await recordCall(own, { op_name: 'below', trace_id, parent_id: rootId, exception: 'no' })
  await recordCall(own, { op_name: 'small' })
  await withPage(async ({ page, visit }) => {
    await visit(`/${own}/calls`)
    const names = async () => (await page.getByRole('grid').locator('a[href*="/calls/"]').allTextContents()).sort()
    await expect.poll(names).toEqual(['large', 'small'])
    await chooseAction(page, 'Filter by totals…')
    const show = page.getByRole('button', { name: 'Show traces' })
    await page.getByLabel('failed calls').fill('1.5')
    await page.getByText('Write a number from 0 for failed calls; counts are whole.').waitFor()
    expect(await show.isDisabled()).toBe(true)
    await page.getByLabel('failed calls').fill('1')
    await page.getByLabel('tokens', { exact: true }).fill('100')
    await show.click()
    await expect.poll(names).toEqual(['large'])
    await page.getByText('1 trace', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Calls over time' }).getByText('1 trace, 1 with errors', { exact: true }).waitFor()
    await page.getByText('Totals of traces of the last 7 days, as in the chart.').waitFor()
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await keepScreenshot(page, 'traces-by-totals')
    await page.reload()
    await page.getByRole('button', { name: 'Remove the condition at least 1 failed call, 100 tokens' }).waitFor()
    await expect.poll(names).toEqual(['large'])
    await page.getByRole('link', { name: 'large' }).click()
    await page.getByText('1 of 1').waitFor()
    await visit(`/${own}/calls?traces=${encodeURIComponent('{"tokens":101}')}`)
    await page.getByText('No traces match').waitFor()
    await page.getByRole('button', { name: /^Remove the condition at least/ }).click()
    await expect.poll(names).toEqual(['large', 'small'])
  })
})

test.each(inWholeRuns)(
  'selected spans are exported as a request that this server takes, and other calls are said to be left out',
  async () => {
    const [own, other] = [`test/${randomUUID()}`, `test/${randomUUID()}`]
    await sendSpan(own, {
      name: 'Plan a trip',
      kind: 3,
      status: { code: 2, message: 'no trains' },
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '7' } },
        { key: 'heddle.tags', value: texts('prod', 'łódź') },
      ],
      events: [{ timeUnixNano: '1772409601000000000', name: 'asked', attributes: [{ key: 'ok', value: { boolValue: true } }] }],
    })
    await recordCall(own, { op_name: 'no span' })
    await withPage(async ({ page, visit }) => {
      await visit(`/${own}/calls`)
      await page.getByRole('checkbox', { name: 'Select Plan a trip' }).check()
      await page.getByRole('checkbox', { name: 'Select no span' }).check()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: 'OTLP JSON' }).click()
      const body = await text(await (await download).createReadStream())
      await page.getByText('1 of them was not a span and is left out.').waitFor()
      const sent = await fetch(`${url}/otel/v1/traces`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', project_id: other },
        body,
      })
      expect([sent.status, await sent.json()]).toEqual([200, {}])
      const [before, after] = [await spansOf(own), await spansOf(other)]
      expect(after).toEqual(before)
      expect(after).toHaveLength(1)
    })
  },
)

async function spansOf(project_id: string): Promise<unknown[]> {
  const spans: unknown[] = []
  for await (const { attributes } of client.calls.streamQuery({ project_id })) spans.push(attributes['otel_span'])
  return spans.filter((span) => span !== undefined)
}
