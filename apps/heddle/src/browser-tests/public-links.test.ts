import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { chooseRowAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { answerQuestion } from './testing/answer-question.ts'
import { chooseOption } from './testing/choose-option.ts'
import { settle, withPage } from './testing/open-page.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { colorSchemes, inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

interface SharedProject {
  project_id: string
  trace_id: string
  root: string
  child: string
}

/** A project with a trace of an agent that asked a model, and another trace. */
async function aProject(): Promise<SharedProject> {
  const [project_id, trace_id, root, child] = [`test/${randomUUID()}`, randomUUID(), randomUUID(), randomUUID()]
  const [entity = '', project = ''] = project_id.split('/')
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 10, 12, 0, seconds)).toISOString()
  const one = { project_id, trace_id, attributes: {}, summary: {}, exception: null }
  const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }]
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Snow, and two degrees below zero.' } }]
  const usage = { 'gpt-4o': { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, requests: 1 } }
  const batch = [
    { ...one, id: root, op_name: 'answer_question', started_at: at(0), ended_at: at(3), inputs: { city: 'Oslo' }, output: 'Snow' },
    {
      ...one,
      id: child,
      parent_id: root,
      op_name: 'ask_model',
      started_at: at(1),
      ended_at: at(2),
      inputs: { model: 'gpt-4o', messages },
      output: { choices },
      summary: { usage },
    },
    {
      ...one,
      id: randomUUID(),
      trace_id: randomUUID(),
      op_name: 'another_trace',
      started_at: at(0),
      ended_at: at(1),
      inputs: {},
      output: null,
    },
  ]
  await client.calls.complete({ entity, project, batch })
  return { project_id, trace_id, root, child }
}

/** A new link to the trace, as its path on the server. */
async function aLink({ project_id, trace_id }: SharedProject): Promise<string> {
  const { token } = await client.sharedTraces.create({ project_id, trace_id, expires_in_days: 7 })
  return `/shared#${token}`
}

const asStranger = { isSignedIn: false }
const nothing = 'This link has expired or was revoked'

test('a trace is shared by a link that is shown once, opens for who has no key, and shows nothing once it is revoked', async () => {
  const shared = await aProject()
  const { project_id, trace_id, root } = shared
  let link = ''
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls/${root}`)
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share trace' })
    await dialog.getByText('No public links').waitFor()
    await dialog.getByText('Anyone with the link can see the inputs, outputs').waitFor()
    await chooseOption(page, 'Expires in', '7 days')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    link = (await dialog.locator('[data-secret]').textContent()) ?? ''
    expect(link).toMatch(new RegExp(`^${url}/shared#ht_[\\w-]{43}$`))
    await dialog.getByRole('button', { name: 'Copy', exact: true }).waitFor()
    await dialog.getByRole('region', { name: 'Public links of the trace' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.textContent('body')).not.toContain(link)
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Share')
  })
  const days = await client.sharedTraces.list({ project_id })
  expect(days.shared_traces.map(({ expires_at, created_at }) => (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000)).toEqual([
    7,
  ])
  await withPage(async ({ page, visit }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await visit(link.slice(url.length))
    await page.getByText('Read-only').waitFor()
    await page.getByText(/^Until /).waitFor()
    expect(await page.getByRole('treeitem', { name: /ask_model/ }).count()).toBe(1)
    expect(await page.textContent('main')).not.toContain('another_trace')
    await page.getByRole('treeitem', { name: /ask_model/ }).click()
    await page.getByRole('heading', { name: 'ask_model', level: 2 }).waitFor()
    await page.getByText('Snow, and two degrees below zero.').waitFor()
    const token = link.split('#')[1] ?? '-'
    expect(asked.filter((address) => address.includes(token) || address.includes('/session') || address.includes('/calls/'))).toEqual([])
    expect(await page.getByRole('link').allTextContents()).toEqual(['Skip to content'])
    for (const name of ['Share', 'Add to dataset', 'More actions']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    for (const name of ['Scores', 'Cost', 'Links']) expect(await page.getByRole('tab', { name }).count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  }, asStranger)
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls/${root}`)
    await page.getByRole('button', { name: 'Share' }).click()
    await chooseRowAction(page, /^Actions for the link that/, 'Revoke…')
    await answerQuestion(page, 'Revoke')
    await page.getByText('No public links').waitFor()
  })
  expect((await client.sharedTraces.list({ project_id, trace_id })).shared_traces).toEqual([])
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('404')
    await visit(link.slice(url.length))
    await page.getByText(nothing).waitFor()
    expect(await page.getByText('ask_model').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  }, asStranger)
})

test.each(inWholeRuns)('its address keeps the token through calls, views, the skip link and a reload', async () => {
  const shared = await aProject()
  const link = await aLink(shared)
  await withPage(async ({ page, visit }) => {
    const hash = () => new URL(page.url()).hash
    await visit(link)
    await page.getByRole('treeitem', { name: /ask_model/ }).click()
    await page.getByRole('radio', { name: 'Messages' }).check()
    await page.getByText('1 model call', { exact: true }).waitFor()
    await page.getByText('What is the weather in Oslo?').first().waitFor()
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    expect([hash(), new URL(page.url()).searchParams.get('selected')]).toEqual([link.slice(link.indexOf('#')), shared.child])
    await page.reload()
    await page.getByRole('heading', { name: 'ask_model', level: 2 }).first().waitFor()
    await page.getByText('1 model call', { exact: true }).waitFor()
    await page.getByRole('radio', { name: 'Timeline' }).check()
    const tree = page.getByRole('tree', { name: 'Spans of the trace' })
    expect(await tree.textContent()).toContain('30 tok')
    expect(await tree.textContent()).not.toContain('no price')
    await tree.focus()
    await page.keyboard.press('Home')
    await page.getByRole('heading', { name: 'answer_question', level: 2 }).waitFor()
    expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex')
  }, asStranger)
})

test.each(inWholeRuns)('one page follows the link that is put into its address', async () => {
  const [one, other] = [await aLink(await aProject()), await aLink(await aProject())]
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('404')
    await visit(one)
    await page.getByRole('heading', { name: 'answer_question', level: 2 }).waitFor()
    await visit('/shared#incomplete')
    await page.getByText(nothing).waitFor()
    await visit(other)
    await page.getByRole('heading', { name: 'answer_question', level: 2 }).waitFor()
    await visit('/shared')
    await page.getByText(nothing).waitFor()
  }, asStranger)
})

test.each(inWholeRuns)('a page that is left open says that its link was revoked', async () => {
  const shared = await aProject()
  const link = await aLink(shared)
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('404')
    await visit(link)
    const { project_id } = shared
    const [made] = (await client.sharedTraces.list({ project_id })).shared_traces
    await client.sharedTraces.delete({ project_id, id: made?.id ?? '' })
    await page.getByRole('treeitem', { name: /ask_model/ }).click()
    await page.getByText('this link shows nothing').waitFor()
  }, asStranger)
})

test.each(inWholeRuns)('a server with public links disabled and a key without write access show different errors', async () => {
  const shared = await aProject()
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('403')
    let answer: object = { reason: 'public links are switched off', setting: 'HEDDLE_PUBLIC_LINKS' }
    await page.route('**/project/shared_traces/create', (route) => route.fulfill({ status: 403, json: answer }))
    await visit(`/${shared.project_id}/calls/${shared.root}`)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('The server does not allow this: public links are switched off').waitFor()
    answer = { reason: 'Forbidden' }
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByText('Your key may not do this: Forbidden').waitFor()
  })
})

test.each(inWholeRuns)('the settings of the project list all its links, to revoke', async () => {
  const shared = await aProject()
  await aLink(shared)
  await aLink(shared)
  await withPage(async ({ page, visit }) => {
    await visit(`/${shared.project_id}/settings?part=links`)
    const links = page.getByRole('region', { name: 'Public links', exact: true })
    const rows = () => links.getByRole('row').count()
    await expect.poll(rows).toBe(3)
    await chooseRowAction(page, /^Actions for the link that/, 'Revoke…')
    await answerQuestion(page, 'Cancel')
    expect(await rows()).toBe(3)
    await chooseRowAction(page, /^Actions for the link that/, 'Revoke…')
    await answerQuestion(page, 'Revoke')
    await expect.poll(rows).toBe(2)
    await links.getByRole('link', { name: shared.trace_id.slice(-8) }).click()
    await page.getByText('ask_model').first().waitFor()
  })
})

test.each(isWholeRun ? colorSchemes : [])('dialog, shared trace and unusable link have no faults: %s', async (colorScheme) => {
  const shared = await aProject()
  const link = await aLink(shared)
  const look = async (page: Page, name: string) => {
    for (const width of [1280, 768]) {
      await page.setViewportSize({ width, height: 900 })
      await settle(page)
      expect(await findViolations(page)).toEqual([])
      expect(await findLayoutFaults(page)).toEqual([])
      await keepScreenshot(page, `public-links-${name}-${width}-${colorScheme}`)
    }
  }
  await withPage(
    async ({ page, visit }) => {
      await visit(`/${shared.project_id}/calls/${shared.root}`)
      await look(page, 'trace')
      await page.getByRole('button', { name: 'Share' }).click()
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.locator('[data-secret]').waitFor()
      await look(page, 'dialog')
      await visit(`/${shared.project_id}/settings?part=links`)
      await page.getByRole('heading', { name: 'Public links' }).first().scrollIntoViewIfNeeded()
      await look(page, 'settings')
    },
    { colorScheme },
  )
  await withPage(
    async ({ page, visit, observed }) => {
      observed.expect('404')
      await visit(`${link.replace('#', `?selected=${shared.child}#`)}`)
      await page.getByText('Snow, and two degrees below zero.').waitFor()
      await look(page, 'page')
      await visit('/shared#unknown')
      await page.getByText(nothing).waitFor()
      await look(page, 'unusable')
    },
    { ...asStranger, colorScheme },
  )
})
