import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { askedOf, type ExpectedTrace, recordings, sendRecording, totalsOf } from '@heddle/tracing/testing'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

const names = recordings.map(({ name }) => name)
const recordingOf = (name: string) => recordings.find((one) => one.name === name)!
const withThread = names.filter((name) => recordingOf(name).expected.traces.some(({ thread }) => thread !== undefined))

interface ShownTrace {
  id: string
  rootId: string
  tokens: number | null
  cost: number | null
  expected: ExpectedTrace
}

async function record(name: string): Promise<{ project_id: string; traces: ShownTrace[] }> {
  const project_id = `test/${randomUUID()}`
  const recording = recordingOf(name)
  await sendRecording(recording, { apiKey, project: project_id, fetch: (path, init) => fetch(url + path, init) })
  const ids = new Set<string>()
  const sort_by = [{ field: 'started_at', direction: 'asc' as const }]
  for await (const { trace_id } of client.calls.streamQuery({ project_id, sort_by, columns: ['trace_id'] })) ids.add(trace_id)
  const { traces: totals } = await client.calls.traceTotals({ project_id, start: null, trace_ids: [...ids] })
  const traces = [...ids].map((id, at) => {
    const { root_call_id, tokens, cost } = totals.find(({ trace_id }) => trace_id === id)!
    return { id, rootId: root_call_id ?? '', tokens, cost, expected: recording.expected.traces[at]! }
  })
  return { project_id, traces }
}

/** Tokens and cost in a text of the page: of `1,234 tok · $0.0012` and `1,234 tokens · $0.0012`. */
function expectUsage(text: string, { tokens, cost, expected }: ShownTrace): void {
  const shown = Number(/([\d,]+) tok/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
  expect([shown, totalsOf(expected).map(([input, output]) => input + output)]).toEqual([tokens ?? 0, expect.arrayContaining([tokens ?? 0])])
  if (cost === null || cost === 0) return
  const [, less, digits = ''] = /(<?)\$([\d.,]+)/.exec(text) ?? []
  const dollars = Number(digits.replaceAll(',', ''))
  if (less === '<') return expect(cost).toBeLessThan(dollars)
  // Costs are shown with two significant digits.
  expect(Math.abs(dollars - cost) / cost).toBeLessThan(0.06)
}

/** That the page shows each text of the messages, the system's and the results of tools with them. */
async function expectSaid(page: Page, { model_calls }: ExpectedTrace): Promise<void> {
  const said = model_calls.flatMap(({ in: given = [], out: answered = [] }) => [...given, ...answered].flatMap(({ has }) => has))
  // Objects are shown as trees, without their braces.
  const wanted = said.filter((each) => each !== '{')
  const conversation = page.getByRole('region', { name: 'Messages of the trace' })
  await conversation.waitFor()
  await expect.poll(() => conversation.getByText('Loading').count()).toBe(0)
  const text = await conversation.evaluate((element) => element.textContent)
  expect(wanted.filter((each) => !text.includes(each))).toEqual([])
}

test.each(isWholeRun ? names : ['js-genkit'])(
  'the pages show names, tokens, costs and messages of what %s recorded',
  (name) =>
    withPage(async ({ page, visit }) => {
      const { project_id, traces } = await record(name)
      const [first] = traces
      await visit(`/${project_id}/calls/${first!.rootId}`)
      const tree = page.getByRole('tree', { name: 'Spans of the trace' })
      await tree.getByText(first!.expected.root).first().waitFor()
      await expect.poll(() => tree.getByRole('treeitem').first().textContent()).toMatch(/tok|ms$|s$/)
      await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
      expectUsage((await tree.getByRole('treeitem').first().textContent()) ?? '', first!)
      await keepScreenshot(page, `recorded-${name}`)
      for (const trace of traces.filter(({ expected }) => expected.model_calls.length > 0)) {
        await visit(`/${project_id}/calls/${trace.rootId}?view=messages`)
        await expectSaid(page, trace.expected)
      }
    }),
  300_000,
)

test.each(isWholeRun ? withThread : [])(
  'the page of a thread shows the turns that %s recorded, each with its tokens, cost and what was said',
  (name) =>
    withPage(async ({ page, visit }) => {
      const { project_id, traces } = await record(name)
      const threads = new Set(traces.flatMap(({ expected }) => expected.thread ?? []))
      for (const thread of threads) {
        const own = traces.filter(({ expected }) => expected.thread === thread)
        await visit(`/${project_id}/threads/${thread}`)
        await page.getByRole('heading', { name: thread, level: 1 }).waitFor()
        for (const trace of own) {
          const turn = page.getByRole('region', { name: /^Turn \d+$/ }).filter({ has: page.locator(`a[href*="${trace.rootId}"]`) })
          await turn.waitFor()
          const text = (await turn.textContent()) ?? ''
          expect(text).toContain(trace.expected.root)
          expectUsage(text.replaceAll(' tokens', ' tok'), trace)
          expect(askedOf(trace.expected).filter((each) => !text.includes(each))).toEqual([])
        }
        await keepScreenshot(page, `recorded-thread-${name}-${thread}`)
      }
    }),
  300_000,
)
