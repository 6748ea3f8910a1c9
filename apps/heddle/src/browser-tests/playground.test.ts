import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, onTestFinished, test } from 'vitest'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey, seeded } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const { project } = seeded.ordinary
const [entity = '', name = ''] = project.split('/')
/** Cases that cost more than they find in every run of all tests. */

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
    await page.getByRole('link', { name: 'Open in playground' }).click()
    const message = page.getByLabel('Message 1, text')
    await expect.poll(() => message.inputValue()).toBe(`Hello from ${id}`)
    await page.getByText('The call used far/away').waitFor()
    await message.fill('Changed by hand')
    await page.getByRole('button', { name: 'Add a variant' }).click()
    await page.getByLabel('Model of variant 2').selectOption('heddle-nano')
    await expect.poll(() => new URL(page.url()).searchParams.get('models')).toMatch(/[^,],heddle-nano$/)
    await page.reload()
    await expect.poll(() => message.inputValue()).toBe('Changed by hand')
    await message.press('Control+Enter')
    const traces = page.getByRole('link', { name: 'Trace of this run' })
    await expect.poll(() => traces.count()).toBe(2)
    await traces.last().click()
    await page.getByRole('link', { name: 'Open in playground' }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Message 1, user' }).textContent()).toBe('Changed by hand')
  })
})

test.each(inWholeRuns)('a conversation is saved as a prompt, and as a row of a new dataset and of its next version', () =>
  withPage(async ({ page, visit }) => {
    const own = `kept-${randomUUID().slice(0, 8)}`
    await visit(`/${project}/playground`)
    await page.getByLabel('Message 1, text').fill('Keep this')
    await page.getByLabel('Name of the prompt').fill(own)
    await page.getByRole('button', { name: 'Save as a prompt' }).click()
    await page.getByText('Saved: ').waitFor()
    await page.getByLabel('Name of the dataset').fill(`${own}-rows`)
    await page.getByRole('button', { name: 'Save as a row of a dataset' }).click()
    await page.getByText('Saved in a new dataset').waitFor()
    await page.getByRole('button', { name: 'Save as a row of a dataset' }).click()
    await page.getByText('Saved in a new version').waitFor()
    await page.getByRole('link', { name: `${own}-rows` }).click()
    await page.getByText('2 rows', { exact: false }).first().waitFor()
    await visit(`/${project}/prompts/${own}`)
    await expect.poll(() => page.textContent('main')).toContain('Keep this')
  }),
)

test.each(inWholeRuns)('a run is stopped when asked, and one that is refused says why; both are traces', () =>
  withPage(async ({ page, visit, observed }) => {
    observed.expect('404')
    // Would else be sampled before anybody could stop it.
    await page.route('**/v1/chat/completions', (route) => {
      if (route.request().postData()?.includes('nobody/has/this')) return route.continue()
    })
    await visit(`/${project}/playground?models=heddle-nano,nobody/has/this`)
    await page.getByLabel('Message 1, text').fill('Tell me a long story')
    await page.getByRole('button', { name: 'Run 2 variants' }).click()
    await page.getByRole('region', { name: 'Variant 2' }).getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('stopped before the answer was whole').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Trace of this run' }).count()).toBe(2)
  }),
)

/** Stands in for the server's streamed completions: says one word, and waits. */
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
    await page.getByLabel('Message 1, text').fill('Tell me a long story')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Once upon').waitFor()
    await page.getByText('Answering …').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('stopped before the answer was whole').waitFor()
    await isLeft
    expect(await page.getByText('Once upon').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Trace of this run' }).count()).toBe(1)
  })
})

test.each(inWholeRuns)('what cannot be sent is named before anything is sent', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${project}/playground`)
    await page.getByLabel('Tools, a JSON list').fill('{}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Tools must be a JSON list').waitFor()
    expect(await page.getByRole('link', { name: 'Trace of this run' }).count()).toBe(0)
  }),
)
