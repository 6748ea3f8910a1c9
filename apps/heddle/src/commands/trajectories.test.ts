import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { codeIn } from '@heddle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { recordTraces } from '../testing/record-traces.ts'
import { runCommandHere } from '../testing/run-command.ts'

let server: TestServer
let project: string
let traceId: string
const trajectoryId = randomUUID()
const folder = mkdtempSync(join(tmpdir(), 'heddle-trajectories-'))

beforeAll(async () => {
  server = await shareBuiltTestServer()
  project = server.newProject()
  const { url: baseUrl, apiKey } = server
  const trace = { question: 'q', answer: 'a', model: 'm', startedAtMs: Date.UTC(2026, 0, 2), latencyMs: 10, tokens: 20 }
  const ids = await recordTraces(createClient({ baseUrl, apiKey, contract: tracing }), project, [trace])
  traceId = ids[0] ?? ''
  const learner = createClient({ baseUrl, apiKey, contract: training })
  const [entity = '', own = ''] = project.split('/')
  const model = await learner.models.create({ entity, project: own, name: 'agent', base_model: 'heddle-nano' })
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'four\u001b[31m' }, logprobs: null }
  const mine = {
    messages_and_choices: [{ role: 'user', content: '2 + 2' }, choice],
    reward: 0.75,
    metrics: { turns: 1 },
    metadata: { trajectory_id: trajectoryId, trace_id: traceId },
    logs: ['a note'],
  }
  await learner.trajectories.log({
    model_id: model.id,
    split: 'train',
    trajectory_groups: [{ trajectories: [{ messages_and_choices: [], reward: 0 }, mine] }],
  } as unknown as Parameters<typeof learner.trajectories.log>[0])
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) =>
  runCommandHere([...args, '--url', server.url, '--project', project], { HEDDLE_API_KEY: server.apiKey, HEDDLE_DATA_DIR: folder })

test('a trajectory is shown by its id, with its trace, reward, metrics and messages', async () => {
  const { code, out } = await run('trajectories', 'show', trajectoryId)
  expect(code).toBe(0)
  for (const text of [trajectoryId, 'agent, split train, step 0', '0.75', `heddle traces show ${traceId}`, 'turns 1', 'a note'])
    expect(out).toContain(text)
  expect(out).toMatch(/^ {2}user +2 \+ 2$/m)
  expect(out).toMatch(/^\* assistant +four/m)
  expect(out).not.toContain('\u001b')
})

test('its own id in the log finds it too, and JSON holds all of it', async () => {
  const [found] = JSON.parse((await run('trajectories', 'show', trajectoryId, '--json')).out)
  expect(found).toMatchObject({ model: { name: 'agent' }, group: { split: 'train' }, trajectory: { reward: 0.75 } })
  const again = JSON.parse((await run('trajectories', 'show', found.trajectory.id, '--json')).out)
  expect(again).toEqual([found])
})

test('a trajectory that the server recorded is shown too, and found from its trace: until it has finished without its messages, and with what became of it', async () => {
  const [recordedId, failedId] = [randomUUID(), randomUUID()]
  const ask = (id: string, content: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        'content-type': 'application/json',
        'x-heddle-trajectory-id': id,
        traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
      },
      body: JSON.stringify({ model: `heddle-artifact:///${project}/agent`, messages: [{ role: 'user', content }], max_tokens: 2 }),
    })
  for (const content of ['first', 'second']) expect((await ask(recordedId, content)).status).toBe(200)
  const open = await run('trajectories', 'show', recordedId)
  expect(open).toMatchObject({ code: 0, out: expect.stringContaining('it is open') })
  expect(open.out).toContain('open, 2 calls')

  const learner = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })
  const [entity = '', own = ''] = project.split('/')
  const { data } = await learner.models.list({ entity, project: own })
  const model_id = data.find(({ name }) => name === 'agent')!.id
  await learner.recordedTrajectories.finish({ model_id, trajectory_id: recordedId, reward: 0.25, logs: ['a line'] })
  const { out } = await run('trajectories', 'show', recordedId)
  for (const text of ['finished, 2 calls', '0.25', 'a line', `heddle traces show ${'ab'.repeat(16)}`, 'history 1'])
    expect(out).toContain(text)
  expect(out).toMatch(/^ {2}user +first\n\* assistant[^]*^ {2}user +second\n\* assistant/m)
  const [found] = JSON.parse((await run('trajectories', 'show', recordedId, '--json')).out)
  expect(found).toMatchObject({ recorded: { status: 'finished' }, trajectory: { reward: 0.25 } })

  const tracer = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const start = { project_id: project, id: randomUUID(), trace_id: 'ab'.repeat(16), op_name: 'agent', attributes: {}, inputs: {} }
  await tracer.calls.start({ start: { ...start, started_at: '2026-01-02T03:04:05Z' } })
  const link = `Recorded trajectory ${recordedId} of model agent, reward 0.25: heddle trajectories show ${recordedId}`
  expect((await run('traces', 'show', 'ab'.repeat(16))).note).toContain(link)

  await ask(failedId, 'x')
  await learner.recordedTrajectories.finish({ model_id, trajectory_id: failedId, error: 'the tool broke\u001b[31m' })
  const failed = (await run('trajectories', 'show', failedId)).out
  expect(failed).toContain('the tool broke')
  expect(failed).not.toContain('\u001b')
})

test('a trace names the trajectory that it belongs to', async () => {
  expect(await run('traces', 'show', traceId)).toMatchObject({
    code: 0,
    note: expect.stringContaining(`heddle trajectories show ${trajectoryId}`),
  })
})

test('an unknown id is an error that says where it was searched for', async () => {
  expect(await run('trajectories', 'show', 'nope')).toMatchObject({
    code: 2,
    note: expect.stringContaining(`project ${project} has no logged or recorded trajectory "nope"`),
  })
})

test('exported groups are imported again as they were, once, also when the file is imported twice', async () => {
  const file = join(folder, 'groups.jsonl')
  expect(await run('trajectories', 'export', 'agent', '--split', 'train', '--out', file)).toMatchObject({ code: 0 })
  expect(await run('trajectories', 'export', 'agent', '--out', file)).toMatchObject({
    code: 2,
    note: expect.stringContaining('exists already'),
  })
  for (const _ of ['first', 'again'])
    expect(await run('trajectories', 'import', 'agent', file, '--split', 'copy')).toMatchObject({
      code: 0,
      note: expect.stringContaining('1 groups with 2 trajectories'),
    })
  const copy = await run('trajectories', 'export', 'agent', '--split', 'copy')
  expect(copy.out.trim()).toBe(readFileSync(file, 'utf8').trim())
})

test('an import that is refused names the line, and where in it', async () => {
  const file = join(folder, 'bad.jsonl')
  const choice = {
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'a' },
    logprobs: { content: [{ token: 't', logprob: 5 }] },
  }
  const lines = [{ trajectories: [] }, { trajectories: [{ messages_and_choices: [{ role: 'user', content: 'q' }, choice] }] }]
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n\n'))
  const place = 'trajectories.0.messages_and_choices.1.logprobs.content.0.logprob'
  expect(await run('trajectories', 'import', 'agent', file)).toMatchObject({ code: 2, note: expect.stringContaining(`line 3 of ${file}`) })
  expect((await run('trajectories', 'import', 'agent', file)).note).toContain(place)
  expect(await run('trajectories', 'import', 'agent', join(folder, 'none.jsonl'))).toMatchObject({ code: 2 })
})

/** Runs the requests of a block for a shell without one: assignments, and `curl` with its address, headers and body. */
async function runRequests(block: string, variables: Record<string, string>): Promise<string[]> {
  const expand = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
  const unquoted = (word: string) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|([^'"]+)/g,
      (_, single?: string, double?: string, plain?: string) => single ?? expand(double ?? plain ?? ''),
    )
  const responses: string[] = []
  for (const line of block.replaceAll('\\\n', ' ').split('\n')) {
    const words = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => unquoted(word))
    const [name, value] = words[0]?.split('=') ?? []
    if (name !== undefined && value !== undefined) variables[name] = value
    if (words[0] !== 'curl') continue
    const after = (flag: string) => words.flatMap((word, index) => (word === flag ? [words[index + 1] ?? ''] : []))
    const [body] = after('-d')
    const headers = Object.fromEntries(after('-H').map((header) => header.split(': ')))
    const response = await fetch(words[2] ?? '', { headers, ...(body !== undefined && { method: 'POST', body }) })
    expect([line, response.status]).toEqual([line, 200])
    responses.push(await response.text())
  }
  return responses
}

test('the requests of the README of the instrumentation record a trajectory, reward it and train on it', async () => {
  const readme = readFileSync(new URL('../../../../packages/agent-instrumentation/README.md', import.meta.url), 'utf8')
  const block = codeIn(readme, 'sh').find((code) => code.includes('x-heddle-trajectory-id'))
  const learner = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })
  const [entity = '', own = ''] = project.split('/')
  const { id } = await learner.models.create({ entity, project: own, name: 'adder', base_model: 'heddle-nano' })
  const here = block?.replaceAll('http://127.0.0.1:7400', server.url).replace('local/default', project) ?? ''
  const [said, finished, groups, job] = await runRequests(here, { HEDDLE_API_KEY: server.apiKey, MODEL_ID: id })
  expect(JSON.parse(said ?? '')).toMatchObject({ object: 'chat.completion' })
  expect(JSON.parse(finished ?? '')).toMatchObject({ id: 'attempt-1', group_id: '3+4', reward: 1 })
  const [choice] = (JSON.parse(said ?? '') as { choices: { message: object }[] }).choices
  const elements = [{ role: 'user', content: '3 + 4 =' }, { message: choice?.message }]
  expect(JSON.parse(groups ?? '')).toMatchObject({ trajectories: [{ reward: 1, messages_and_choices: elements }] })
  expect(JSON.parse(job ?? '')).toEqual({ id: expect.any(String) })
})
