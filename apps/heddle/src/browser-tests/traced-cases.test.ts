import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { type ExpectedTrace, type SentTrace, sendCase, tokensOf, tracedCases } from '../testing/traced-cases/index.ts'
import { withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

const statusTexts = { success: 'Succeeded', running: 'Running', descendant_error: 'Failed below' }

const textOf = async (part: Locator) => (await part.textContent()) ?? ''

/** Costs are shown with two significant digits, and other numbers are next to them. */
const costText = (cost: number) => new RegExp(`\\$${Number(cost.toPrecision(2))}0*(?!\\d)`.replace('.', '\\.'))

/** Tokens and cost, where the page shows them of a whole trace. */
async function expectUsage(shown: Locator, { cost, ...trace }: ExpectedTrace): Promise<void> {
  const tokens = tokensOf({ cost, ...trace })
  if (tokens > 0) await expect.poll(() => textOf(shown)).toContain(tokens.toLocaleString('en'))
  if (cost === null) expect(await textOf(shown)).not.toContain('$')
  else await expect.poll(() => textOf(shown)).toMatch(costText(cost))
}

/** A mark after a name takes no letter of it. */
async function expectWhole(name: Locator): Promise<void> {
  const [shown, needed] = await name.evaluate((element) => [element.clientWidth, element.scrollWidth])
  expect([await textOf(name), shown]).toEqual([await textOf(name), needed])
}

async function expectInList(page: Page, { rootId, expected }: SentTrace): Promise<void> {
  const row = page
    .getByRole('grid', { name: 'Traces' })
    .getByRole('row')
    .filter({ has: page.locator(`a[href*="${rootId}"]`) })
  const name = row.getByText(expected.root, { exact: true })
  await name.waitFor()
  if (expected.isParentMissing) await expectWhole(name)
  await expectUsage(row, expected)
  expect(await row.getByText('missing parent').count()).toBe(expected.isParentMissing ? 1 : 0)
}

async function expectTrace(page: Page, { expected }: SentTrace): Promise<void> {
  const root = page.getByRole('tree', { name: 'Spans of the trace' }).getByRole('treeitem').first()
  const name = root.getByText(expected.root, { exact: true })
  await name.waitFor()
  if (expected.isParentMissing) await expectWhole(name)
  const totals = page.getByRole('region', { name: 'Trace totals' })
  await expectUsage(totals, expected)
  await expectUsage(root, expected)
  expect(await root.getByText('missing parent').count()).toBe(expected.isParentMissing ? 1 : 0)
  await page.locator('header').getByText(statusTexts[expected.status], { exact: true }).waitFor()
  if (expected.thread === undefined) expect(await totals.getByText('thread').count()).toBe(0)
  else await totals.getByRole('link', { name: expected.thread, exact: true }).waitFor()
}

/** The texts of the messages, in order. */
async function expectSaid(conversation: Locator, { said = [] }: ExpectedTrace): Promise<void> {
  await conversation.waitFor()
  await expect.poll(() => conversation.getByText('Loading').count()).toBe(0)
  const text = await textOf(conversation)
  const places = said.map((message) => text.indexOf(message.text))
  expect([text, places]).toEqual([text, places.toSorted((one, other) => one - other)])
  expect([text, places.includes(-1)]).toEqual([text, false])
  expect(await conversation.getByText('image/png').count()).toBe(said.filter(({ hasImage }) => hasImage).length)
}

/** That a call which asked a model can be asked again. */
async function expectInPlayground(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Open in playground' }).click()
  await page.waitForURL(`**${path}*`)
}

const inSlice = ['a gateway keeps the parent of all other spans away']

test.each(isWholeRun ? tracedCases : tracedCases.filter(({ name }) => inSlice.includes(name)))(
  'the pages show root, state, thread, tokens, cost and messages where $name',
  (traced) =>
    withPage(async ({ page, visit }) => {
      const project = `test/${randomUUID()}`
      const traces = await sendCase(client, project, traced)
      await visit(`/${project}/calls`)
      for (const trace of traces) await expectInList(page, trace)
      await keepScreenshot(page, `case-${tracedCases.indexOf(traced)}-list`)
      for (const [at, trace] of traces.entries()) {
        const { rootId, expected } = trace
        await visit(`/${project}/calls/${rootId}`)
        await expectTrace(page, trace)
        await keepScreenshot(page, `case-${tracedCases.indexOf(traced)}-trace-${at}`)
        if (expected.said !== undefined) {
          await visit(`/${project}/calls/${rootId}?view=messages`)
          await expectSaid(page.getByRole('region', { name: 'Messages of the trace' }), expected)
          if (expected.said.some(({ role }) => role === 'assistant'))
            await expectInPlayground(page, `/${project}/playground?call=${rootId}`)
        }
        if (expected.thread !== undefined) {
          await visit(`/${project}/threads/${expected.thread}`)
          const turn = page.getByRole('region', { name: 'Turn 1', exact: true })
          await turn.getByText(expected.root).first().waitFor()
          await expectUsage(turn, expected)
          await expectSaid(turn, expected)
          await keepScreenshot(page, `case-${tracedCases.indexOf(traced)}-thread-${at}`)
        }
      }
    }),
  300_000,
)
