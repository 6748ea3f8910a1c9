import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { createClient } from '@heddle/core-api/client'
import { tracing } from '@heddle/core-api'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { runFirstProgram } from './testing/run-first-program.ts'
import { keepScreenshot } from './testing/screenshots.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const span = {
  traceId: '9e84579c64755dc978f5e100a48c70aa',
  spanId: '732640c025f706b5',
  name: 'hello',
  kind: 1,
  startTimeUnixNano: '1795491729787000000',
  endTimeUnixNano: '1795491729788000000',
}

test('a newcomer names a project, makes a key beside the commands that use it, and sees the first trace arrive', () =>
  withPage(async ({ page, visit }) => {
    const project = `test/${randomUUID()}`
    await visit('/')
    await page.getByRole('button', { name: 'New project' }).click()
    const name = page.getByLabel('Project', { exact: true })
    await name.fill('support-bot')
    await name.press('Enter')
    expect(await page.getByRole('alert').textContent()).toBe(
      'The name needs one slash with text on both sides, as in my-team/my-agent, got "support-bot".',
    )
    await name.fill(project)
    await name.press('Enter')
    await page.getByText('Waiting for the first trace').waitFor()
    const commands = page.getByRole('region', { name: 'the commands', exact: true })
    expect(await commands.textContent()).toContain('HEDDLE_API_KEY=KEY ')
    await page.getByRole('button', { name: 'Create a key for these commands' }).click()
    await expect.poll(() => commands.textContent()).not.toContain('=KEY ')
    const [, key = ''] = /HEDDLE_API_KEY=(\S+) HEDDLE_PROJECT=(\S+)/.exec((await commands.textContent()) ?? '') ?? []
    for (const way of ['Python', 'OpenTelemetry']) {
      await page.getByRole('tab', { name: way }).click()
      expect(await commands.textContent()).toContain(`"wandb-api-key=${key},project-id=${project}"`)
    }
    await page.getByRole('tab', { name: 'Node' }).click()
    expect(await findViolations(page)).toEqual([])
    await keepScreenshot(page, 'first-trace')

    await page.getByText('No program yet?').click()
    const program = await page.getByRole('region', { name: 'the program', exact: true }).textContent()
    const ran = await runFirstProgram({ program: program ?? '', commands: (await commands.textContent()) ?? '' })
    expect(ran).toEqual({ stdout: '', stderr: '', end: 0 })
    await page.getByText('The first trace has arrived').waitFor()
    await page.getByRole('link', { name: 'Look at it' }).click()
    await page.getByRole('link', { name: 'answer a question' }).click()
    await page.getByRole('heading', { name: 'answer a question', level: 1 }).waitFor()
  }))

test.each(inWholeRuns)('the command with curl of a new project sends the trace that the page waits for', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/test/${randomUUID()}`)
    await page.getByRole('button', { name: 'Create a key for these commands' }).click()
    await page.getByRole('tab', { name: 'curl' }).click()
    const commands = page.getByRole('region', { name: 'the commands', exact: true })
    await expect.poll(() => commands.textContent()).not.toContain('api:KEY')
    expect(await findViolations(page)).toEqual([])
    const [, target = '', user = '', projectId = '', body = ''] =
      /^curl (\S+) -u '(.+?)' -H 'project-id: (.+?)' -H 'content-type: application\/json' -d '(.+)'$/.exec(
        (await commands.textContent()) ?? '',
      ) ?? []
    const authorization = `Basic ${Buffer.from(user).toString('base64')}`
    const headers = { authorization, 'project-id': projectId, 'content-type': 'application/json' }
    const sent = await fetch(target, { method: 'POST', headers, body })
    expect([sent.status, await sent.text()]).toEqual([200, expect.any(String)])
    await page.getByText('The first trace has arrived').waitFor()
  }),
)

test.each(inWholeRuns)('where no project is listed, one that comes later appears', () =>
  withPage(async ({ page, visit }) => {
    const project = `test/${randomUUID()}`
    await visit(`/?contains=${encodeURIComponent(project)}`)
    await expect.poll(() => page.textContent('main')).toContain('No project matches')
    const sent = await fetch(`${url}/otel/v1/traces`, {
      method: 'POST',
      headers: { 'wandb-api-key': apiKey, project_id: project, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    })
    expect(sent.status).toBe(200)
    await page.getByRole('link', { name: project }).waitFor()
  }),
)

const manyCalls = 100

test.each(inWholeRuns)('the address of a call deep in a trace shows it in sight', async () => {
  const project_id = `test/${randomUUID()}`
  const [entity = '', project = ''] = project_id.split('/')
  const trace_id = randomUUID()
  const at = (second: number) => new Date(Date.now() - 600_000 + second * 1000).toISOString()
  const empty = { attributes: {}, inputs: {}, output: null, summary: {} }
  const call = (id: string, second: number, parent_id?: string) => {
    const times = { started_at: at(second), ended_at: at(second + 1) }
    return { ...empty, ...times, project_id, id, trace_id, parent_id, op_name: `call-${second}` }
  }
  const root = randomUUID()
  const below = Array.from({ length: manyCalls }, (_, place) => call(randomUUID(), place + 1, root))
  const client = createClient({ baseUrl: url, apiKey: inject('webServer').apiKey, contract: tracing })
  await client.calls.complete({ entity, project, batch: [call(root, 0), ...below] })
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls/${below.at(-1)!.id}`)
    const row = page.getByRole('tree', { name: 'Spans of the trace' }).getByText(`call-${manyCalls}`)
    await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().bottom < window.innerHeight)).toBe(true)
  })
})
