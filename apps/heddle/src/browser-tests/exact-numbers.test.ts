import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { expect, inject, test } from 'vitest'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { createAnnotationQueue } from './testing/annotation-queue.ts'
import { chooseAction } from './testing/choose-action.ts'
import { withPage } from './testing/open-page.ts'
import { inWholeRuns } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing, json: { parse: parseExactJson, stringify: stringifyJson } })

test('numbers of a call are shown, exported, filtered by and added to a dataset as they were sent', async () => {
  const [entity, project, id, other] = ['test', randomUUID(), randomUUID(), randomUUID()]
  const project_id = `${entity}/${project}`
  const at = new Date().toISOString()
  const one = { project_id, op_name: 'answer', started_at: at, ended_at: at, attributes: {}, summary: {}, exception: null, output: null }
  const inputs = '{"user":1234567890123456789,"share":1.0,"zero":-0,"list":[0.50,1e3]}'
  const batch = [
    { ...one, id, trace_id: id, inputs: parseExactJson(inputs) },
    { ...one, id: other, trace_id: other, inputs: parseExactJson('{"user":1234567890123456790}') },
  ]
  await client.calls.complete({ entity, project, batch } as Parameters<typeof client.calls.complete>[0])
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls/${id}?tab=values`)
    const shown = '"user": 1234567890123456789,\n  "share": 1.0,\n  "zero": -0,\n  "list": [\n    0.50,\n    1e3'
    await page.getByRole('button', { name: 'Input as text' }).click()
    await expect.poll(() => page.textContent('main')).toContain(shown)
    await page.getByRole('button', { name: 'Find in input' }).click()
    await page.getByRole('treeitem', { name: 'user 1234567890123456789' }).waitFor()
    const download = page.waitForEvent('download')
    await chooseAction(page, 'Export JSON')
    expect(await text(await (await download).createReadStream())).toContain(shown.split('\n')[0])

    await page.getByRole('button', { name: 'Add to dataset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to dataset' })
    await dialog.getByLabel('Dataset').fill('numbers')
    await page.keyboard.press('Enter')
    await dialog.getByText('1 row was added to a new dataset').waitFor()

    await visit(`/${project_id}/calls?level=all&columns=${encodeURIComponent(JSON.stringify(['inputs.share']))}`)
    await page.getByText('{"user":1234567890123456789,"share":1.0,"zero":-0').waitFor()
    await page.getByText('1.0', { exact: true }).waitFor()
    const filter = page.getByRole('combobox', { name: /^Filter/ })
    await filter.fill('inputs.user = 1234567890123456789')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).search).toContain('1234567890123456789')
    await page.getByText('1 span', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('1 span', { exact: true }).waitFor()
  })
  const { objs } = await client.objects.query({ project_id, filter: { object_ids: ['numbers'] } })
  const digest = /([^/]+)$/.exec(String(Object(objs[0]?.val)['rows']))?.[1] ?? ''
  const { rows } = await client.tables.query({ project_id, digest })
  expect(stringifyJson(rows[0]?.val)).toContain('"user":1234567890123456789,"share":1.0,"zero":-0,"list":[0.50,1e3]')
})

test.each(inWholeRuns)('objects and feedback are shown with the numbers that were sent', async () => {
  const [project_id, id] = [`test/${randomUUID()}`, randomUUID()]
  const val = parseExactJson('{"seed":1234567890123456789,"temperature":1.0}')
  await client.objects.create({ obj: { project_id, object_id: 'settings', val } } as Parameters<typeof client.objects.create>[0])
  const payload = parseExactJson('{"output":{"score":1.0,"user":1234567890123456789}}')
  const feedback = { project_id, weave_ref: `weave:///${project_id}/call/${id}`, feedback_type: 'custom', payload }
  await client.feedback.create(feedback as Parameters<typeof client.feedback.create>[0])
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/objects/settings`)
    const value = page.getByRole('group', { name: 'Value', exact: true })
    await expect.poll(() => value.textContent()).toBe('seed: 1234567890123456789temperature: 1.0')
    await visit(`/${project_id}/feedback`)
    await expect.poll(() => page.textContent('main')).toContain('score: 1.0 · user: 1234567890123456789')
  })
})

const literals = ['9007199254740993', '1.0', '0.1000000000000000055511151231257827', '1e400', '-0']
/** A value with each of them, and the way in which a page writes it. */
const sentText = `{"list":[${literals.join(',')}],"id":9007199254740993}`
const sent = parseExactJson(sentText)
const printed = `"list": [\n    ${literals.join(',\n    ')}\n  ],\n  "id": 9007199254740993`

type Complete = Parameters<typeof client.calls.complete>[0]

async function complete(project_id: string, calls: readonly object[]) {
  const [entity = '', project = ''] = project_id.split('/')
  const at = '2026-01-02T03:04:05Z'
  const usual = { project_id, started_at: at, ended_at: at, attributes: {}, summary: {}, exception: null, op_name: 'answer' }
  await client.calls.complete({ entity, project, batch: calls.map((call) => ({ ...usual, ...call })) } as Complete)
}

test.each(inWholeRuns)('rows and outputs of evaluation runs are shown and compared with the numbers that were sent', async () => {
  const project = `test/${randomUUID()}`
  const other = parseExactJson(sentText.replace('1.0', '1').replace('9007199254740993}', '9007199254740992}'))
  const record = (name: string, output: unknown) =>
    recordEvaluation(client, {
      project,
      name,
      model: name,
      trials: [{ example: sent, output, scores: { judge: { score: parseExactJson('1.0'), id: parseExactJson('9007199254740993') } } }],
    })
  const ids = [await record('first', sent), await record('second', other)]
  await withPage(async ({ page, visit }) => {
    await visit(`/${project}/evaluations/runs/${ids[0]}`)
    await page.getByRole('grid', { name: 'Rows of the dataset' }).getByRole('link').first().press('Enter')
    const row = page.getByRole('region', { name: 'Row', exact: true })
    for (const label of ['Row of the dataset', 'Output of trial 1'])
      await expect.poll(() => row.getByLabel(label, { exact: true }).textContent()).toContain(printed)
    await row.getByText('All scores').click()
    await expect.poll(() => row.getByLabel('Scores of trial 1').textContent()).toContain('"score": 1.0,\n    "id": 9007199254740993')

    await visit(`/${project}/evaluations/compare?ids=${ids.join(',')}`)
    await page.getByRole('grid', { name: 'Rows of the dataset' }).getByRole('link').first().press('Enter')
    await page.getByRole('radio', { name: 'Differences' }).press('Space')
    const differences = row.getByRole('region', { name: 'Differences' })
    await expect.poll(() => differences.textContent()).toBe('id changed- 9007199254740993+ 9007199254740992list[1] changed- 1.0+ 1')
    await page.getByRole('radio', { name: 'Lines' }).press('Space')
    await expect.poll(() => differences.textContent()).toContain('9007199254740992')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: /^JSON/ }).click()
    expect(await text(await (await download).createReadStream())).toContain('"id": 9007199254740993')
  })
})

test.each(inWholeRuns)(
  'a comparison of traces detects a difference in one digit, and shared traces and conversations show numbers exactly as sent',
  async () => {
    const [project_id, one, other, thread_id] = [`test/${randomUUID()}`, randomUUID(), randomUUID(), randomUUID()]
    const messages = [{ role: 'tool', name: 'find', content: [{ type: 'tool_result', result: sent }] }]
    const call = (id: string, output: unknown) => ({ id, trace_id: id, thread_id, turn_id: id, inputs: { messages, sent }, output })
    await complete(project_id, [call(one, sent), call(other, parseExactJson(sentText.replace('9007199254740993}', '9007199254740992}')))])
    const { token } = await client.sharedTraces.create({ project_id, trace_id: one, expires_in_days: 1 })
    await withPage(async ({ page, visit }) => {
      await visit(`/${project_id}/calls/compare?ids=${one},${other}&pair=${one},${other}`)
      const pair = page.getByRole('region', { name: 'Pair' })
      await expect.poll(() => pair.getByRole('region', { name: 'Output' }).textContent()).toContain('9007199254740992')
      await page.getByRole('cell', { name: 'output', exact: true }).waitFor()

      await visit(`/${project_id}/threads/${thread_id}`)
      for (const literal of literals) await expect.poll(() => page.textContent('main')).toContain(literal)
      await visit(`/shared#${token}`)
      await page.getByRole('tab', { name: 'Input & output' }).click()
      await page.getByRole('button', { name: 'Output as text' }).click()
      await expect.poll(() => page.textContent('main')).toContain(printed)
    })
  },
)

test.each(inWholeRuns)('an annotation keeps the digits that are typed, shows those that are stored, and exports both', async () => {
  const queue = await createAnnotationQueue(1)
  const stored = async () =>
    stringifyJson((await client.feedback.query({ project_id: queue.project_id })).result.map(({ payload }) => payload))
  await withPage(async ({ page, visit }) => {
    await visit(queue.path)
    await page.getByRole('button', { name: 'Annotate' }).click()
    const quality = page.getByRole('textbox', { name: 'quality' })
    await quality.fill('-9007199254740993')
    await quality.blur()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await stored()).toBe('[{"value":-9007199254740993}]')
    await page.reload()
    await expect.poll(() => quality.inputValue()).toBe('-9007199254740993')
    await page.getByRole('button', { name: 'Complete and next' }).click()
    await visit(queue.path)
    await chooseAction(page, 'Export to dataset…')
    await page.getByLabel('Dataset', { exact: true }).fill('judged')
    await page.keyboard.press('Enter')
    await page.getByText('1 row added').waitFor()
    await visit(`/${queue.project_id}/datasets/judged`)
    await expect.poll(() => page.textContent('main')).toContain('-9007199254740993')
  })
})

test.each(inWholeRuns)('messages and tools of a model call are shown, and taken to the playground, as they were sent', async () => {
  const [project_id, id] = [`test/${randomUUID()}`, randomUUID()]
  const tools = [{ type: 'function', function: { name: 'find', parameters: { default: sent } } }]
  const given = { messages: [{ role: 'user', content: 'x' }], tools }
  const recorded = `[{"role":"assistant","parts":[{"type":"tool_call","name":"find","arguments":${sentText}}]}]`
  const output = { 'gen_ai.output.messages': recorded }
  await complete(project_id, [{ id, trace_id: id, op_name: 'chat model', attributes: { kind: 'llm' }, inputs: given, output }])
  await withPage(async ({ page, visit }) => {
    await visit(`/${project_id}/calls/${id}?tab=messages`)
    const arguments_ = page.getByRole('group', { name: 'Arguments' })
    for (const literal of literals) await arguments_.getByText(literal, { exact: true }).first().waitFor()
    await visit(`/${project_id}/playground?call=${id}`)
    await page.getByRole('button', { name: '1 tool' }).click()
    for (const literal of literals) await expect.poll(() => page.getByLabel('Tools, a JSON list').inputValue()).toContain(literal)
  })
})
