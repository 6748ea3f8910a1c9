import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { JsonNumber, parseJson, stringifyJson } from '@heddle/json'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommandHere } from '../testing/run-command.ts'
import { recordRowAttempts } from '../testing/record-row-attempts.ts'
import { recordAttempts, sampleAnswer } from '../testing/record-attempts.ts'
import { sendSpans } from '../testing/send-spans.ts'

let server: TestServer
let project: string
const folder = mkdtempSync(join(tmpdir(), 'heddle-from-traces-'))
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) =>
  runCommandHere([...args, '--url', server.url, '--project', project], { HEDDLE_API_KEY: server.apiKey, HEDDLE_DATA_DIR: folder })

function clients() {
  const { url: baseUrl, apiKey } = server
  return { traces: createClient({ baseUrl, apiKey, contract: tracing }), learner: createClient({ baseUrl, apiKey, contract: training }) }
}

async function newModel() {
  project = server.newProject()
  await run('models', 'register', 'adder', '--base-model', 'heddle-nano')
}

test('recorded attempts are reported on, then trained on, and a repeat is the same job', { timeout: 120_000 }, async () => {
  await newModel()
  const answer = await sampleAnswer(server, project)
  await recordAttempts(clients().traces, project, [
    { group: 'sum', reward: 1, ...answer },
    { group: 'sum', reward: 0, ...answer },
    { group: 'easy', reward: 1, ...answer },
    { group: 'easy', reward: 1, ...answer },
    { group: 'alone', reward: 1, ...answer },
    { group: 'sum', ...answer },
    { group: 'sum', reward: 1, ...answer, logprobs: false },
  ])
  const dry = await run('train', 'from-traces', 'adder', '--dry-run', '--json')
  expect([dry.code, JSON.parse(dry.out)]).toMatchObject([
    0,
    {
      job_id: null,
      traces: 7,
      groups: 1,
      trajectories: 2,
      group_sizes: { 2: 1 },
      rewards: { min: 0, mean: 0.5, max: 1, std_dev: 0.5 },
      logprobs: { complete: 2, partial: 0, none: 0 },
      estimated_steps: 1,
    },
  ])
  expect(JSON.parse(dry.out).tokens).toBeGreaterThan(0)
  expect(JSON.parse(dry.out).refused).toEqual(
    expect.arrayContaining([
      { reason: 'equal rewards', attempts: 2 },
      { reason: 'only one attempt', attempts: 1 },
      { reason: 'no reward', attempts: 1 },
      { reason: 'no log-probabilities', attempts: 1 },
    ]),
  )
  expect((await run('train', 'from-traces', 'adder', '--dry-run')).out).toContain('Left out       2 attempts: equal rewards')

  const started = await run('train', 'from-traces', 'adder', '--watch', '--config', 'learning_rate=0.001')
  expect(started).toMatchObject({ code: 0, out: expect.stringContaining('succeeded: step 1') })
  const id = started.out.split('\n')[0]
  expect((await run('train', 'from-traces', 'adder', '--config', 'learning_rate=0.001')).out).toBe(`${id}\n`)
  expect(server.errors).toEqual([])
})

test('groups of a file are reported on, then trained on, and a repeat is the same job', { timeout: 120_000 }, async () => {
  await newModel()
  const { messages, completion } = await sampleAnswer(server, project)
  const [choice] = completion.choices
  const attempt = (reward: number | undefined, more: object = {}) => ({ messages_and_choices: [...messages, choice], reward, ...more })
  const unscored = { messages_and_choices: [...messages, { ...choice, logprobs: null }] }
  const file = join(folder, 'groups.jsonl')
  const lines = [
    { trajectories: [attempt(undefined), unscored, attempt(1)], exceptions: [{ type: 'Error', message: 'broke', traceback: null }] },
    { trajectories: [attempt(1), attempt(1)] },
    { trajectories: [attempt(1)] },
  ]
  const write = (...groups: object[]) => writeFileSync(file, groups.map((group) => `${JSON.stringify(group)}\n`).join('\n'))
  write(...lines)
  const dry = await run('train', 'from-file', 'adder', file, '--dry-run', '--json')
  expect([dry.code, JSON.parse(dry.out)]).toMatchObject([
    0,
    {
      job_id: null,
      groups: 1,
      trajectories: 2,
      rewards: { min: 0, max: 1 },
      logprobs: { complete: 2, partial: 0, none: 0 },
      estimated_steps: 1,
    },
  ])
  expect(JSON.parse(dry.out).tokens).toBeGreaterThan(0)
  expect(JSON.parse(dry.out).refused).toEqual([
    { reason: 'equal rewards', attempts: 2 },
    { reason: 'failed', attempts: 1 },
    { reason: 'no log-probabilities', attempts: 1 },
    { reason: 'only one attempt', attempts: 1 },
  ])
  expect((await run('train', 'from-file', 'adder', file, '--dry-run')).out).toContain(`File           3 groups read from ${file}`)

  const started = await run('train', 'from-file', 'adder', file, '--watch')
  expect(started).toMatchObject({ code: 0, out: expect.stringContaining('succeeded: step 1') })
  expect((await run('train', 'from-file', 'adder', file)).out).toBe(`${started.out.split('\n')[0]}\n`)

  write(lines[1]!)
  const useless = await run('train', 'from-file', 'adder', file)
  expect(useless).toMatchObject({ code: 1, note: expect.stringContaining('There is nothing to train on') })
})

test('numbers that JavaScript would round tell groups apart, and reach the job as they were recorded', { timeout: 120_000 }, async () => {
  await newModel()
  const answer = await sampleAnswer(server, project)
  const json = { parse: (text: string) => parseJson(text), stringify: stringifyJson }
  const exact = { baseUrl: server.url, apiKey: server.apiKey, json }
  const [message] = answer.messages
  const numbers = '{"at":1.0,"id":12345678901234567890}'
  const attempt = (task: string, reward: number) => ({
    ...answer,
    messages: [{ ...message!, ...(parseJson(numbers) as object) }],
    attributes: { task: new JsonNumber(task), size: new JsonNumber('1.50') },
    group: 'all',
    reward,
  })
  const tasks = ['9007199254740993', '9007199254740992']
  await recordAttempts(
    createClient({ ...exact, contract: tracing }),
    project,
    tasks.flatMap((task) => [attempt(task, 1), attempt(task, 0)]),
  )
  const dry = await run('train', 'from-traces', 'adder', '--group-by', 'attributes.task', '--dry-run', '--json')
  expect(JSON.parse(dry.out)).toMatchObject({ groups: 2, trajectories: 4, group_sizes: { 2: 2 } })
  expect(
    JSON.parse((await run('train', 'from-traces', 'adder', '--group-by', 'attributes.size', '--dry-run', '--json')).out),
  ).toMatchObject({
    groups: 1,
    group_sizes: { 4: 1 },
  })
  const started = await run('train', 'from-traces', 'adder', '--group-by', 'attributes.task', '--watch')
  expect(started).toMatchObject({ code: 0, out: expect.stringContaining('succeeded: step 1') })
  const [jobId = ''] = started.out.split('\n')
  const { data } = await createClient({ ...exact, contract: training }).jobTrajectories.list({ job_id: jobId, group: 0 })
  expect(data.map(({ messages }) => stringifyJson(messages[0]))).toEqual(
    data.map(() => expect.stringContaining(numbers.slice(1, -1)) as string),
  )
  expect(data).toHaveLength(2)
})

test('numbers of a file reach the job as they are written there', { timeout: 120_000 }, async () => {
  await newModel()
  const { messages, completion } = await sampleAnswer(server, project)
  const elements = JSON.stringify([...messages, completion.choices[0]])
  const metadata = '{"task":9007199254740993,"size":1.50}'
  const line = `{"metadata":${metadata},"trajectories":[${[1, 0].map((reward) => `{"messages_and_choices":${elements},"reward":${reward}.0,"metadata":${metadata}}`).join()}]}`
  const file = join(folder, 'exact.jsonl')
  writeFileSync(file, `${line}\n`)
  const jobId = (await run('train', 'from-file', 'adder', file)).out.trim()
  const json = { parse: (text: string) => parseJson(text), stringify: stringifyJson }
  const learner = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training, json })
  const groups = await learner.jobTrajectories.listGroups({ job_id: jobId })
  const attempts = await learner.jobTrajectories.list({ job_id: jobId, group: 0 })
  expect([...groups.data, ...attempts.data].map((each) => stringifyJson(each.metadata))).toEqual([metadata, metadata, metadata])
})

test('a file that cannot be trained on is refused by its name, line and place', { timeout: 120_000 }, async () => {
  await newModel()
  const { messages, completion } = await sampleAnswer(server, project)
  const [choice] = completion.choices
  const [good, unscored] = [choice, { ...choice, logprobs: null }].map((one) => ({ messages_and_choices: [...messages, one] }))
  const file = join(folder, 'refused.jsonl')
  const refusal = async (...groups: unknown[]) => {
    writeFileSync(file, groups.map((group) => (typeof group === 'string' ? group : JSON.stringify(group))).join('\n'))
    return run('train', 'from-file', 'adder', file)
  }
  const trained = { trajectories: [good, { ...good, reward: 1 }] }
  expect(await refusal(trained, '{"trajectories": [')).toMatchObject({
    code: 2,
    note: expect.stringContaining(`line 2 of ${file} is not JSON`),
  })
  const text = await refusal(trained, '', { trajectories: [{ ...good, reward: 'much' }] })
  expect(text).toMatchObject({ code: 2, note: expect.stringMatching(/line 3 of .*trajectories\.0\.reward/) })
  const histories = Array.from({ length: 65 }, () => ({ messages_and_choices: messages }))
  const tooMany = { trajectories: [unscored, good, { ...good, reward: 1, additional_histories: histories }] }
  expect(await refusal({ trajectories: [good] }, tooMany)).toMatchObject({
    code: 2,
    note: expect.stringMatching(/line 2 of .*trajectories\.2\.additional_histories/),
  })
  expect(await run('train', 'from-file', 'adder', join(folder, 'no.jsonl'))).toMatchObject({
    code: 2,
    note: expect.stringContaining('does not exist'),
  })
  expect(await run('train', 'from-file', 'adder', folder)).toMatchObject({ code: 2, note: expect.stringContaining('is a folder') })
})

test('the reward comes from reactions, and attempts with the same prompt are one group', { timeout: 120_000 }, async () => {
  await newModel()
  const answer = await sampleAnswer(server, project)
  const { traces } = clients()
  const ids = await recordAttempts(traces, project, [answer, answer, answer])
  const react = (at: number, emoji: string) =>
    traces.feedback.create({
      project_id: project,
      weave_ref: `weave:///${project}/call/${ids[at]}`,
      feedback_type: 'wandb.reaction.1',
      payload: { emoji },
    })
  await react(0, '👎')
  await react(1, '👎')
  await react(1, '👍')
  const dry = await run('train', 'from-traces', 'adder', '--group-by', 'prompt', '--reward', 'feedback', '--dry-run', '--json')
  expect(JSON.parse(dry.out)).toMatchObject({
    groups: 1,
    trajectories: 2,
    rewards: { min: 0, max: 1 },
    refused: [{ reason: 'no reward', attempts: 1 }],
  })
})

test(
  'a job on spans that arrived over OpenTelemetry learns from what the spans said, with reactions as rewards',
  { timeout: 120_000 },
  async () => {
    await newModel()
    const { messages, completion } = await sampleAnswer(server, project)
    const [sampled] = completion.choices as { message: { content: string }; logprobs: { content: { logprob: number }[] } }[]
    const said = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
    const call = { id: 'c1', type: 'function', function: { name: 'sum', arguments: '{"a":3,"b":4}' } }
    const calling = { role: 'assistant', content: '', tool_calls: [call] }
    const asked = [said('system', 'Add – "exactly".'), said('user', '3 + 4 =')]
    const called = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'sum', arguments: { a: 3, b: 4 } }] }
    const result = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '7' }] }
    const chat = (input: object[], output: object[], choices: object[] = []) => ({
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify(output),
      ...(choices.length > 0 && { 'heddle.choices': JSON.stringify(choices) }),
    })
    const withTool = (answer: string) => [
      chat(asked, [called], [{ ...sampled, message: calling, finish_reason: 'tool_calls' }]),
      chat([...asked, called, result], [said('assistant', answer)]),
    ]
    const plain = [chat(messages, [], completion.choices)]
    const untold = [chat(asked, [called])]
    const recorded = (reward: number) => [
      {
        ...chat(messages, [], completion.choices),
        'heddle.group_id': 'sum',
        'heddle.trajectory_id': `with ${reward}`,
        'heddle.reward.value': reward,
      },
    ]
    const roots = await sendSpans(server, project, [withTool('It is 7.'), withTool('8'), plain, plain, untold, recorded(2), recorded(4)])
    const { traces, learner } = clients()
    for (const [at, emoji] of ['👍', '👎', '👎', '👍', '👍'].entries())
      await traces.feedback.create({
        project_id: project,
        weave_ref: `weave:///${project}/call/${roots[at]}`,
        feedback_type: 'wandb.reaction.1',
        payload: { emoji },
      })

    const flags = ['--group-by', 'prompt', '--reward', 'feedback', '--allow-training-without-logprobs']
    const dry = await run('train', 'from-traces', 'adder', ...flags, '--dry-run', '--json')
    expect(JSON.parse(dry.out)).toMatchObject({ traces: 7, groups: 2, trajectories: 4 })
    expect(JSON.parse(dry.out).refused).toEqual(
      expect.arrayContaining([
        { reason: 'tool calls without tokens', attempts: 1 },
        { reason: 'no reward', attempts: 2 },
      ]),
    )
    const ofRecorded = await run('train', 'from-traces', 'adder', '--dry-run', '--json')
    expect(JSON.parse(ofRecorded.out)).toMatchObject({ traces: 2, groups: 1, logprobs: { complete: 2 }, rewards: { min: 2, max: 4 } })
    const started = await run('train', 'from-traces', 'adder', ...flags, '--watch')
    expect(started).toMatchObject({ code: 0, out: expect.stringContaining('succeeded: step 1') })
    const [job_id = ''] = started.out.split('\n')
    const learnedOf = async (group: number) => {
      const { data } = await learner.jobTrajectories.list({ job_id, group, log_probabilities: true })
      return data.map(({ reward, messages: all }) => [reward, all])
    }
    const given = (message: object) => ({ ...message, trainable: false, history: 0 })
    const tokens = sampled!.logprobs.content.map(({ logprob }) => expect.objectContaining({ logprob }))
    const learned = (message: object, more: object = {}) => expect.objectContaining({ ...message, ...more, trainable: true, history: 0 })
    const ofTool = (answer: string) => [
      given({ role: 'system', content: 'Add – "exactly".' }),
      given({ role: 'user', content: '3 + 4 =' }),
      learned(calling, { finish_reason: 'tool_calls', sampled_tokens: tokens }),
      given({ role: 'tool', content: '7', tool_call_id: 'c1' }),
      learned({ role: 'assistant', content: answer }, { finish_reason: 'stop' }),
    ]
    expect(await learnedOf(0)).toEqual([
      [1, ofTool('It is 7.')],
      [0, ofTool('8')],
    ])
    const ofPlain = [given(messages[0]!), learned({ role: 'assistant', content: sampled!.message.content }, { sampled_tokens: tokens })]
    expect(await learnedOf(1)).toEqual([
      [0, ofPlain],
      [1, ofPlain],
    ])
    expect(server.errors).toEqual([])
  },
)

test('the reward is what a stored scorer finds', { timeout: 120_000 }, async () => {
  await newModel()
  const answer = await sampleAnswer(server, project)
  const { traces } = clients()
  const ids = await recordAttempts(traces, project, [answer, answer])
  const scorer = `weave:///${project}/object/good:${'s'.repeat(43)}`
  const dryRun = (reward: string) => run('train', 'from-traces', 'adder', '--group-by', 'prompt', '--reward', reward, '--dry-run', '--json')
  for (const [at, match] of [true, false].entries())
    await traces.feedback.create({
      project_id: project,
      weave_ref: `weave:///${project}/call/${ids[at]}`,
      feedback_type: 'wandb.runnable.good',
      payload: { output: { match } },
      runnable_ref: scorer,
    })
  for (const reward of [`scorer:${scorer}`, 'scorer:good', 'scorer:good#match'])
    expect(JSON.parse((await dryRun(reward)).out)).toMatchObject({ groups: 1, trajectories: 2, rewards: { min: 0, mean: 0.5, max: 1 } })
  expect(JSON.parse((await dryRun('scorer:other')).out)).toMatchObject({
    groups: 0,
    refused: [{ reason: 'no reward', attempts: 2 }],
    warnings: [`no attempt has a score of scorer "other"; scores of scorers that they have: ${scorer}`],
  })
  const [entity = '', name = ''] = project.split('/')
  await traces.scorers.create({ entity, project: name, name: 'stored', op_source_code: 'def score(): ...' })
  expect(await dryRun(`scorer:weave:///${project}/object/none:v0`)).toMatchObject({
    code: 2,
    note: expect.stringMatching(/--reward: scorer "weave:.*none:v0" was not found; project .* has weave:.*stored:\w+\. /),
  })
})

test('rows of evaluations are grouped by their dataset row and rewarded by a score', { timeout: 120_000 }, async () => {
  await newModel()
  const answer = await sampleAnswer(server, project)
  const { traces } = clients()
  for (const isFirst of [true, false])
    await recordRowAttempts(traces, project, answer, [
      { row: 'one', matches: isFirst },
      { row: 'two', matches: !isFirst },
    ])
  const dry = await run('train', 'from-traces', 'adder', '--group-by', 'row', '--reward', 'score:exact.match', '--dry-run', '--json')
  expect(JSON.parse(dry.out)).toMatchObject({ traces: 2, groups: 2, trajectories: 4, group_sizes: { 2: 2 }, refused: [] })
})

test('a judge compares the attempts of each group, and its scores are the rewards', { timeout: 120_000 }, async () => {
  await newModel()
  const answer = await sampleAnswer(server, project)
  const other = {
    ...answer,
    completion: { choices: answer.completion.choices.map((one) => ({ ...one, message: { role: 'assistant', content: 'seven' } })) },
  }
  await recordAttempts(clients().traces, project, [answer, other])
  const asked: { authorization: string | undefined; body: string }[] = []
  const judge = createServer((request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        asked.push({ authorization: request.headers.authorization, body: Buffer.concat(parts).toString() })
        const scores = [1, 2].map((id) => ({ trajectory_id: String(id), explanation: 'why', score: id === 2 ? 1 : 0.25 }))
        response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: JSON.stringify({ scores }) } }] }))
      })
  })
  await new Promise<void>((resolve) => judge.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(judge.address() as AddressInfo).port}/v1`
  const flags = ['--group-by', 'prompt', '--reward', 'ruler', '--judge-model', 'wise', '--judge-url', url, '--dry-run', '--json']
  const dry = await run('train', 'from-traces', 'adder', ...flags).finally(() => judge.close())
  expect(JSON.parse(dry.out)).toMatchObject({ groups: 1, trajectories: 2, rewards: { min: 0.25, max: 1 }, refused: [] })
  expect(asked).toMatchObject([{ authorization: undefined, body: expect.stringContaining('seven') }])
})

test.each([
  [['--reward', 'luck'], '--reward: reward must be recorded'],
  [['--group-by', 'mood'], '--group-by: grouping must be recorded, row, prompt'],
  [['--since', 'soon'], '--since must be a time such as'],
  [['--since', '2999-01-01'], 'from 1900 to 2255, got "2999-01-01"'],
  [['--limit', '0'], '--limit must be an integer from 1 to 100000, got "0"'],
  [['--query', '['], '--query: '],
  [['--config', 'fast'], '--config must be name=value'],
  [['--reward', 'ruler'], '--reward ruler needs --judge-model'],
])('%j is refused with what is allowed', async (args, message) => {
  expect(await run('train', 'from-traces', 'adder', ...args)).toMatchObject({ code: 2, note: expect.stringContaining(message) })
})

test('nothing to train on is an error that starts no job', { timeout: 120_000 }, async () => {
  await newModel()
  expect(await run('train', 'from-traces', 'adder')).toMatchObject({ code: 1, note: expect.stringContaining('nothing to train on') })
  expect((await run('jobs', 'list', 'adder')).note).toContain('no training jobs yet')
})
