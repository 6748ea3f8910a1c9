import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect, inject, test } from 'vitest'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { chooseAction } from './testing/choose-action.ts'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })

const startedAt = '2026-11-10T12:00:00.000Z'

async function recordCall(project_id: string, call: { op_name: string; inputs: Record<string, unknown> }): Promise<void> {
  const start = { project_id, started_at: startedAt, attributes: {}, ...call }
  const { id } = await client.calls.start({ start } as Parameters<typeof client.calls.start>[0])
  await client.calls.end({ end: { project_id, id, ended_at: startedAt, output: 'ok', summary: {} } } as Parameters<
    typeof client.calls.end
  >[0])
}

test.each(inWholeRuns)('the counts of a version lead to the calls that ran it, and to those that took it as input', async () => {
  const project_id = `test/${randomUUID()}`
  const [entity, project] = project_id.split('/') as [string, string]
  const { digest } = await client.objects.create({ obj: { project_id, object_id: 'judge', val: { text: 'Is it polite?' } } })
  const op = await client.ops.create({ entity, project, name: 'judge.score', source_code: 'def score(): ...' })
  const [ofOp, ofObject] = [`weave:///${project_id}/op/judge.score:${op.digest}`, `weave:///${project_id}/object/judge:${digest}`]
  await recordCall(project_id, { op_name: ofOp, inputs: { self: ofObject } })
  await recordCall(project_id, { op_name: 'another', inputs: { self: 'nothing' } })
  await withPage(async ({ page, visit }) => {
    for (const [path, text] of [
      ['ops/judge.score', '1 call ran this version'],
      ['objects/judge', '1 call took this version as input'],
    ] as const) {
      await visit(`/${project_id}/${path}`)
      await page.getByRole('link', { name: text }).click()
      await page.waitForURL(`**/${project_id}/calls?*`)
      await page.getByText('1 loaded', { exact: true }).waitFor()
    }
  })
})

const classOf = (name: string, base: string) => ({ _type: name, _class_name: name, _bases: [base, 'Object', 'BaseModel'] })

const publishPrompt = (project_id: string, content: string) =>
  client.objects.create({ obj: { project_id, object_id: 'greeting', val: { ...classOf('StringPrompt', 'Prompt'), content } } })

test.each(inWholeRuns)('a version of a prompt is promoted to production, and the promotion undone', async () => {
  const project_id = `test/${randomUUID()}`
  const publish = (content: string) => publishPrompt(project_id, content)
  const first = await publish('Greet.')
  const second = await publish('Greet briefly.')
  await client.objects.setAliases({ project_id, object_id: 'greeting', digest: first.digest, aliases: ['production'] })
  const inProduction = async () => (await client.objects.read({ project_id, object_id: 'greeting', digest: 'production' })).obj.digest
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/prompts/greeting`)
    await page.getByRole('button', { name: 'Promote to production' }).click()
    await page.getByText('greeting v1', { exact: true }).waitFor()
    const newest = page.getByRole('complementary', { name: 'Versions' }).getByRole('link', { name: /^v1/ })
    await newest.getByText('@production').waitFor()
    expect(await inProduction()).toBe(second.digest)
    expect(await page.getByRole('button', { name: 'Promote to production' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Promote to production' }).waitFor()
    expect(await inProduction()).toBe(first.digest)
  })
})

test('an alias is set and removed from the menu of a version, and a refused name is explained', async () => {
  const project_id = `test/${randomUUID()}`
  const [first, second] = [await publishPrompt(project_id, 'Greet.'), await publishPrompt(project_id, 'Greet briefly.')]
  await client.objects.setAliases({ project_id, object_id: 'greeting', digest: first.digest, aliases: ['staging'] })
  const aliasesOf = async ({ digest }: { digest: string }) =>
    (await client.objects.read({ project_id, object_id: 'greeting', digest, include_tags_and_aliases: true })).obj.aliases
  await withPage(async ({ page, visit, observed }) => {
    observed.expect('400 (Bad Request)')
    await visit(`/${project_id}/prompts/greeting`)
    await chooseAction(page, 'Set alias…')
    const dialog = page.getByRole('dialog', { name: 'Set alias' })
    await dialog.getByLabel('Alias').fill('v3')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('means a version by its index; choose another name').waitFor()
    await dialog.getByLabel('Alias').fill('staging')
    await dialog.getByText('Moves here from v0').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const newest = page.getByRole('complementary', { name: 'Versions' }).getByRole('link', { name: /^v1/ })
    await newest.getByText('@staging').waitFor()
    expect([await aliasesOf(first), await aliasesOf(second)]).toEqual([[], ['latest', 'staging']])
    await chooseAction(page, 'Remove @staging')
    await newest.getByText('@staging').waitFor({ state: 'hidden' })
    await page.getByText('Alias @staging removed').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await newest.getByText('@staging').waitFor()
  })
})

test.each(inWholeRuns)('the page of a prompt shows how its versions scored, and its last score leads to the run', async () => {
  const project_id = `test/${randomUUID()}`
  const prompts = [await publishPrompt(project_id, 'Greet.'), await publishPrompt(project_id, 'Greet briefly.')]
  const digest = prompts[0]?.digest ?? ''
  await client.objects.setAliases({ project_id, object_id: 'greeting', digest, aliases: ['production'] })
  const runs: string[] = []
  for (const [at, { digest: prompt }] of prompts.entries()) {
    const val = {
      ...classOf('LLMStructuredCompletionModel', 'Model'),
      default_params: { prompt: `weave:///${project_id}/object/greeting:${prompt}` },
    }
    const { digest } = await client.objects.create({ obj: { project_id, object_id: 'greeter', val } })
    const trials = Array.from({ length: 4 }, (_, row) => ({ example: { row }, scores: { exact: { match: row < 2 + at } } }))
    runs.push(await recordEvaluation(client, { project: project_id, name: 'politeness', model: 'greeter', modelDigest: digest, trials }))
  }
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/prompts/greeting`)
    const curve = page.getByRole('region', { name: 'Score by version' })
    await curve.getByRole('img', { name: 'exact.match by version: 50% at v0, 75% at v1' }).waitFor()
    const versions = page.getByRole('complementary', { name: 'Versions' })
    expect(await versions.getByRole('link', { name: /^v1/ }).textContent()).toMatch(/75\.0%.*▲25\.0/)
    expect(await versions.getByRole('link', { name: /^v0/ }).textContent()).toContain('50.0%')
    const measured = page.getByRole('region', { name: 'Measured against production' })
    expect(await measured.textContent()).toMatch(/v1 and v0 on politeness.*exact\.match75%▲25\.0/)
    expect([await findViolations(page), await findLayoutFaults(page)]).toEqual([[], []])
    await curve.getByRole('link').click()
    await page.waitForURL(`**/evaluations/runs/${runs[1]}`)
  })
})
