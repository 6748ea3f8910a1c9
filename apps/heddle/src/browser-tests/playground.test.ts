import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { chooseAction } from './testing/choose-action.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const { project } = seeded.ordinary
const [entity = '', name = ''] = project.split('/')

/** A message of a variant. */
const messageOf = (page: Page, variant: string, at = 1) =>
  page.getByRole('region', { name: `Variant ${variant}` }).getByLabel(`Message ${at}, text`)

async function recordModelCall(): Promise<string> {
  const id = randomUUID()
  const now = new Date().toISOString()
  const times = { started_at: now, ended_at: now }
  const inputs = { model: 'far/away', messages: [{ role: 'user', content: `Hello from ${id}` }], max_tokens: 4, temperature: 0 }
  const call = { project_id: project, id, trace_id: id, op_name: 'chat', attributes: {}, inputs, output: null, summary: {}, ...times }
  await client.calls.complete({ entity, project: name, batch: [call] })
  return id
}

test('a call of a model is opened, changed, and run by two variants, each of which is a trace', async () => {
  const id = await recordModelCall()
  await withPage(async ({ page, visit }) => {
    await visit(`/${project}/calls/${id}`)
    await chooseAction(page, 'Open in playground')
    const message = messageOf(page, 'A')
    await expect.poll(() => message.inputValue()).toBe(`Hello from ${id}`)
    await page.getByText('The call used far/away').waitFor()
    await message.fill('Changed by hand')
    await page.getByRole('button', { name: 'Add variant' }).click()
    await page.getByRole('combobox', { name: 'Model of variant B' }).click()
    await page.getByRole('option', { name: /^heddle-nano/ }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('models')).toMatch(/[^,],heddle-nano$/)
    await page.reload()
    await expect.poll(() => message.inputValue()).toBe('Changed by hand')
    await message.press('Control+Enter')
    const traces = page.getByRole('link', { name: 'Open trace' })
    await expect.poll(() => traces.count()).toBe(2)
    await traces.last().click()
    await page.getByRole('button', { name: 'Add to dataset' }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Message 1, user' }).textContent()).toBe('Changed by hand')
  })
})

test.each(inWholeRuns)('a conversation is saved as a prompt, and as a row of a new dataset and of its next version', () =>
  withPage(async ({ page, visit }) => {
    const own = `kept-${randomUUID().slice(0, 8)}`
    await visit(`/${project}/playground`)
    await messageOf(page, 'A').fill('Keep this')
    await page.getByRole('button', { name: 'Save prompt' }).click()
    await page.getByLabel('Name', { exact: true }).fill(own)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: ').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Actions of variant A' }).click()
    await page.getByRole('menuitem', { name: 'Save as row…' }).click()
    await page.getByLabel('Dataset', { exact: true }).fill(`${own}-rows`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved in a new dataset').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved in a new version').waitFor()
    await page.getByRole('link', { name: `${own}-rows` }).click()
    await page.getByText('2 rows', { exact: false }).first().waitFor()
    await visit(`/${project}/prompts/${own}`)
    await expect.poll(() => page.textContent('main')).toContain('Keep this')
  }),
)

test.each(inWholeRuns)('variables of a prompt are marked where it is read and written, and its name is that of its next version', () =>
  withPage(async ({ page, visit }) => {
    const own = `kept-${randomUUID().slice(0, 8)}`
    const messages = [{ role: 'user', content: 'Order {order}, as {{"id": 1}}' }]
    const val = { _type: 'MessagesPrompt', _class_name: 'MessagesPrompt', _bases: ['Prompt', 'Object', 'BaseModel'], messages }
    await client.objects.create({ obj: { project_id: project, object_id: own, val } })
    await visit(`/${project}/prompts/${own}`)
    await expect.poll(() => page.getByRole('region', { name: 'User' }).locator('p span').allTextContents()).toEqual(['{order}'])
    await page.getByRole('link', { name: 'Open in playground' }).click()
    await expect.poll(() => messageOf(page, 'A').inputValue()).toBe('Order {{order}}, as {"id": 1}')
    await messageOf(page, 'A').fill('Order {{order}} in {{language}}')
    const marks = page.getByRole('group', { name: 'Message 1' }).locator('[aria-hidden] > span')
    await expect.poll(() => marks.allTextContents()).toEqual(['{{order}}', '{{language}}'])
    await page.getByRole('button', { name: 'Save prompt' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(own)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: ').waitFor()
    await visit(`/${project}/prompts/${own}`)
    await expect.poll(() => page.textContent('main')).toContain('Order {order} in {language}')
  }),
)

test.each(inWholeRuns)('a run is stopped when asked, and one that is refused says why; both are traces', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('404')
    // It would otherwise be sampled before it could be stopped.
    await page.route('**/v1/chat/completions', (route) => {
      if (route.request().postData()?.includes('unknown/model')) return route.continue()
    })
    await visit(`/${project}/playground?models=heddle-nano,unknown/model`)
    await messageOf(page, 'A').fill('Tell me a long story')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('region', { name: 'Variant B' }).getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('stopped before the answer was whole').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Open trace' }).count()).toBe(2)
  }),
)

/** Replaces the server's streamed completions: says one word, and waits. */
async function startHalfAnswer() {
  let left = () => {}
  const isLeft = new Promise<void>((resolve) => (left = resolve))
  const server = createServer((_request, response) => {
    response.once('close', left)
    const lines = [{ _meta: { weave_call_id: 'c' } }, { choices: [{ index: 0, delta: { content: 'Once upon' } }] }]
    response.writeHead(200, { 'content-type': 'application/jsonl' }).write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, isLeft }
}

test.each(inWholeRuns)("the answer of a provider's model is shown while it arrives, and stays when it is stopped", async () => {
  const { url: half, isLeft } = await startHalfAnswer()
  await withPage(async ({ page, visit }) => {
    await page.route('**/completions/providers', (route) => route.fulfill({ json: { providers: [{ name: 'far', is_default: false }] } }))
    await page.route('**/completions/create_stream', (route) => route.continue({ url: half }))
    await visit(`/${project}/playground?models=far/model`)
    await messageOf(page, 'A').fill('Tell me a long story')
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByText('Once upon').waitFor()
    await page.getByText('Writing…').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('stopped before the answer was whole').waitFor()
    await isLeft
    expect(await page.getByText('Once upon').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Open trace' }).count()).toBe(1)
  })
})

test.each(inWholeRuns)('what cannot be sent is named before anything is sent', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/playground`)
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByLabel('Tools, a JSON list').fill('{}')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByText('Tools must be a JSON list').waitFor()
    expect(await page.getByRole('link', { name: 'Open trace' }).count()).toBe(0)
  }),
)

test.each(inWholeRuns)('a variant with other messages is marked, and variables are in what is sent', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/playground?models=heddle-nano,heddle-nano`)
    await messageOf(page, 'A').fill('Order {{order}}')
    expect(await messageOf(page, 'B').inputValue()).toBe('Order {{order}}')
    await messageOf(page, 'B').fill('Where is {{order}}?')
    await page.getByRole('region', { name: 'Variant B' }).getByText('Changed').waitFor()
    await page.getByLabel('order', { exact: true }).fill('48213')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/chat/completions')) sent.push(request.postData() ?? '')
    })
    await page.getByRole('button', { name: /^Run all/ }).click()
    await expect.poll(() => page.getByRole('link', { name: 'Open trace' }).count()).toBe(2)
    expect(sent.toSorted().map((body) => (JSON.parse(body) as { messages: unknown }).messages)).toEqual([
      [{ role: 'user', content: 'Order 48213' }],
      [{ role: 'user', content: 'Where is 48213?' }],
    ])
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Actions of variant B' }).click()
    await page.getByRole('menuitem', { name: 'Use messages of A' }).click()
    await expect.poll(() => messageOf(page, 'B').inputValue()).toBe('Order {{order}}')
  }),
)
