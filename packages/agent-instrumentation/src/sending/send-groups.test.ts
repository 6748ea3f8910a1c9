import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import type { RecordedGroup } from '../trajectory/recorded.ts'
import { readGroups, writeGroups } from './jsonl.ts'

interface Sent {
  path: string
  key: string | null
  body: { trajectory_groups?: RecordedGroup[] } & Record<string, unknown>
}

const modelId = '0190a000-0000-7000-8000-000000000001'
const jobId = '0190a000-0000-7000-8000-000000000002'

/** A training service that takes everything, or refuses as told. */
function createService(refusal?: object) {
  const sent: Sent[] = []
  const events = ['training_started', 'gradient_step', 'training_ended'].map((type, index) => ({
    id: `e${index}`,
    type,
    data: {},
    created_at: '2026-01-01T00:00:00Z',
  }))
  const service: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    if (url.pathname.endsWith('/events')) {
      const start = events.findIndex(({ id }) => id === url.searchParams.get('after')) + 1
      return Response.json({ object: 'list', data: events.slice(start, start + 2), first_id: '', last_id: '', has_more: start === 0 })
    }
    sent.push({
      path: url.pathname,
      key: new Headers(init?.headers).get('idempotency-key'),
      body: JSON.parse(await new Response(init?.body).text()),
    })
    if (url.pathname === '/v1/preview/models')
      return Response.json({ id: modelId, entity: 'team', project: 'app', name: 'solver', base_model: 'b', run_id: null })
    if (refusal) return Response.json(refusal, { status: 422 })
    return Response.json(url.pathname.endsWith('/log') ? {} : { id: jobId })
  }
  const model = { name: 'solver', baseModel: 'heddle-nano' }
  return { sent, agent: createAgentTracing({ environment: {}, project: 'team/app', model, fetch: service, apiKey: 'k'.repeat(50) }) }
}

function groupOf(size: number, logprobs: object | null = { content: [{ token: 't', logprob: -1 }] }): RecordedGroup {
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'a'.repeat(size) }, logprobs }
  const start = { tools: null, additional_histories: [], initial_policy_version: null, final_policy_version: null, metrics: {}, logs: [] }
  const trajectory = {
    ...start,
    messages_and_choices: [choice],
    reward: 1,
    metadata: { trajectory_id: 't-1' },
    start_time: '2026-01-01T00:00:00.000Z',
  }
  return { trajectories: [trajectory], exceptions: [], metadata: { group_id: `g${size}` }, metrics: {}, logs: [] }
}

describe('sending to the training service', () => {
  test('the model is registered once, and groups are logged under its id with a key of their content', async () => {
    const { sent, agent } = createService()
    expect(await agent.log('train', [groupOf(1)])).toEqual({ groups: 1, trajectories: 1, requests: 1 })
    await agent.log('train', [groupOf(1)])
    await agent.log('val', [groupOf(1)])
    expect(sent.map(({ path }) => path)).toEqual([
      '/v1/preview/models',
      ...Array.from({ length: 3 }, () => `/v1/preview/models/${modelId}/log`),
    ])
    expect(sent[0]?.body).toMatchObject({
      entity: 'team',
      project: 'app',
      name: 'solver',
      base_model: 'heddle-nano',
      return_existing: true,
    })
    expect(sent[1]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(sent[2]?.key).toBe(sent[1]?.key)
    expect(sent[3]?.key).not.toBe(sent[1]?.key)
  })

  test('many bytes are cut into requests between groups, in order', async () => {
    const { sent, agent } = createService()
    const groups = [9, 9, 17, 1].map((megabytes) => groupOf(megabytes * 1024 * 1024))
    expect(await agent.log('train', groups)).toMatchObject({ requests: 4 })
    expect(sent.slice(1).flatMap(({ body }) => body.trajectory_groups?.map(({ metadata }) => metadata['group_id']))).toEqual(
      groups.map(({ metadata }) => metadata['group_id']),
    )
  })

  test('a job is started once for the same groups, and its events end with its last', async () => {
    const { sent, agent } = createService()
    const job = await agent.train([groupOf(1)], { config: { learning_rate: 0.01 } })
    const types: string[] = []
    for await (const { type } of job.events()) types.push(type)
    expect(types).toEqual(['training_started', 'gradient_step', 'training_ended'])
    expect(sent[1]?.body).toMatchObject({ model_id: modelId, experimental_config: { learning_rate: 0.01 } })
    await agent.train([groupOf(1)], { config: { learning_rate: 0.01 } })
    expect(sent[2]?.key).toBe(sent[1]?.key)
  })

  test('groups without log-probabilities are refused before anything is sent, unless that is allowed', async () => {
    const { sent, agent } = createService()
    await expect(agent.train([groupOf(1, null)])).rejects.toThrow('set `allow_training_without_logprobs`')
    expect(sent).toEqual([])
    expect(await agent.train([groupOf(1, null)], { config: { allow_training_without_logprobs: true } })).toMatchObject({ id: jobId })
  })

  test('a refusal names the trajectory and the message that it is about', async () => {
    const loc = ['body', 'trajectory_groups', '0', 'trajectories', '0', 'messages_and_choices', '0', 'logprobs']
    const { agent } = createService({ detail: [{ loc, msg: 'Input should be at most 0', type: 'less_than_equal' }] })
    await expect(agent.train([groupOf(1)])).rejects.toMatchObject({
      name: 'GroupsRefused',
      message: 'trajectory t-1, messages_and_choices.0.logprobs: Input should be at most 0',
    })
  })

  test.each([
    [{}, 'model is missing'],
    [{ model: { name: 'n', baseModel: 'b' } }, 'project (HEDDLE_PROJECT) must be entity/project'],
    [{ model: { name: 'n', baseModel: 'b' }, project: 'a/b/c' }, 'got "a/b/c"'],
  ])('with %o the model cannot be known, and the error says what to pass', async (options, message) => {
    await expect(createAgentTracing({ environment: {}, ...options }).modelId()).rejects.toThrow(message)
  })

  test('an address that is none is refused at once', () => {
    expect(() => createAgentTracing({ environment: { HEDDLE_BASE_URL: 'here' } })).toThrow('baseUrl (HEDDLE_BASE_URL) must be an address')
  })
})

describe('groups in a file', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-groups-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('are read as they were written, one a line, as they travel', async () => {
    const path = join(folder, 'groups.jsonl')
    await writeGroups(path, [groupOf(1), groupOf(2)])
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    const { sent, agent } = createService()
    await agent.log('train', [groupOf(1), groupOf(2)])
    expect(lines.map((line) => JSON.parse(line))).toEqual(sent[1]?.body.trajectory_groups)
    const read: RecordedGroup[] = []
    for await (const group of readGroups(path)) read.push(group)
    expect(read).toEqual([groupOf(1), groupOf(2)])
  })

  test('are read whatever separators of lines their texts hold, and behind a byte order mark', async () => {
    const path = join(folder, 'separators.jsonl')
    const group: RecordedGroup = { ...groupOf(1), metadata: { group_id: 'a\u2028b\u2029c' } }
    await writeGroups(path, [group, groupOf(2)])
    await writeFile(path, `\uFEFF${await readFile(path, 'utf8')}`)
    const read: RecordedGroup[] = []
    for await (const one of readGroups(path)) read.push(one)
    expect(read).toEqual([group, groupOf(2)])
  })

  test.each([
    ['latin1', 'is not UTF-8; convert the file'],
    ['utf16le', 'is not UTF-8 but UTF-16; save the file as UTF-8'],
  ] as const)('in %s are refused with the line, not damaged', async (encoding, reason) => {
    const path = join(folder, `${encoding}.jsonl`)
    await writeFile(path, `${JSON.stringify({ ...groupOf(1), metadata: { group_id: 'Gr\u00f6\u00dfe' } })}\n`, encoding)
    await expect(readGroups(path).next()).rejects.toThrow(`line 1 of ${path} ${reason}`)
  })

  test.each([
    ['{"trajectories":[', 'line 3 of'],
    ['{"trajectories":[{"messages_and_choices":[{"text":"x"}]}]}', 'is not a trajectory group'],
  ])('%s is refused with its line', async (line, message) => {
    const path = join(folder, 'bad.jsonl')
    await writeFile(path, `${JSON.stringify(groupOf(1))}\n\n${line}\n`)
    const read = readGroups(path)
    await expect(
      (async () => {
        for await (const group of read) expect(group.metadata['group_id']).toBe('g1')
      })(),
    ).rejects.toThrow(message)
  })
})
