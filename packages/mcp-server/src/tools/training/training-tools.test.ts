import { describe, expect, test } from 'vitest'
import { connectClient, connectOlderClient } from '../../testing/connect-clients.ts'
import { aCheckpoint, aStart, aStep, aTraining, fakeTraining, jobId, modelId } from '../../testing/fake-training.ts'

interface ToolAnswer {
  isError?: boolean
  content: { type: string; text?: string; uri?: string }[]
  structuredContent?: { data?: Record<string, unknown>; warnings?: string[]; error?: Record<string, unknown> }
}

async function connect(state = aTraining(), allowed = { allowWrites: true, allowDestructive: true }) {
  const fetch = fakeTraining(state)
  const options = { baseUrl: 'http://services.test', project: 'e/p', fetch, now: () => Date.parse('2026-11-16T10:05:00Z'), ...allowed }
  const client = await connectClient({ options })
  const call = async (name: string, args: Record<string, unknown>, more = {}) =>
    (await client.callTool({ name, arguments: args }, more)) as ToolAnswer
  return { client, call, fetch, state, options }
}

test('a job is shown with its progress, and nothing is found where nothing is wrong', async () => {
  const { call } = await connect(
    aTraining({ events: [aStart(4), aStep(1, { policy_loss: 0.5, entropy: 1.2 }), aStep(2, { policy_loss: 0.4, entropy: 1.1 })] }),
  )
  const { content, structuredContent } = await call('training_job_get', { job_id: jobId })
  expect(content[0]?.text).toMatch(/^Job \S+ is running, step 2\/4, policy_loss 0\.4, entropy 1\.1\. Nothing unusual was found\./)
  expect(structuredContent?.data).toMatchObject({ progress: { steps: 2, of: 4 }, last_metrics: { policy_loss: 0.4 }, findings: [] })
})

const rewards = (values: readonly number[], extra: (at: number) => Record<string, number> = () => ({})) =>
  values.map((value, step) => aCheckpoint({ step, metrics: { 'train/reward': value, ...extra(step) } }))

describe('what stops a job from learning is found, with its evidence', () => {
  test.each<[string, string, Parameters<typeof aTraining>[0]]>([
    ['reward flat', 'reward stays between 0.5 and 0.501 from step 1 on', { checkpoints: rewards([0.2, 0.5, 0.501, 0.5, 0.5, 0.501]) }],
    [
      'no learning signal',
      'reward_std_dev 0.001 at step 1',
      { checkpoints: rewards([0.2, 0.9], () => ({ 'train/reward_std_dev': 0.001 })) },
    ],
    ['no learning signal', 'no group has different rewards', { events: [aStart(2), aStep(1, { num_groups_trainable: 0 })] }],
    ['leaving the reference', 'KL to the reference policy is 0.9', { events: [aStart(2), aStep(1, { kl_policy_ref: 0.9 })] }],
    ['clipping much', '45 % of tokens are clipped', { events: [aStart(2), aStep(1, { 'loss/clipped_token_fraction': 0.45 })] }],
    ['gradient exploding', 'grad_norm is 5000', { events: [aStart(2), aStep(1, { grad_norm: 5_000 })] }],
    ['entropy gone', 'entropy is 0.001', { events: [aStart(2), aStep(1, { entropy: 0.001 })] }],
    [
      'length drifting',
      'completion_tokens went from 100 at step 0 to 500 at step 5',
      { checkpoints: rewards([0, 0.2, 0.4, 0.6, 0.8, 1], (step) => ({ 'train/completion_tokens': step === 5 ? 500 : 100 })) },
    ],
    [
      'length drifting',
      'num_trainable_tokens per trajectory went from 100 at step 0 to 500 at step 5',
      {
        checkpoints: rewards([0, 0.2, 0.4, 0.6, 0.8, 1], (step) => ({
          num_trainable_tokens: step === 5 ? 1_000 : 200 * (step + 1),
          num_trajectories: step === 5 ? 2 : 2 * (step + 1),
        })),
      },
    ],
    [
      'trajectories dropped',
      '3 of 8 trajectories of step 1 have no log-probabilities',
      { checkpoints: rewards([0.2, 0.9], () => ({ num_trajectories: 8, num_dropped_trajectories: 3 })) },
    ],
    ['silent', 'the last event is 65 minutes old', { events: [{ ...aStart(2), created_at: '2026-11-16T09:00:00Z' }] }],
    ['nothing trained', 'no logprobs', { job: { ...aTraining().job, status: 'succeeded', message: 'no logprobs' } }],
    ['failed', 'out of memory', { job: { ...aTraining().job, status: 'failed', error_message: 'out of memory' } }],
  ])('%s: %s', async (finding, evidence, state) => {
    const { call } = await connect(aTraining(state))
    const { structuredContent } = await call('training_job_get', { job_id: jobId })
    expect(structuredContent?.data?.['findings']).toContainEqual({
      finding,
      evidence: expect.stringContaining(evidence),
      advice: expect.any(String),
    })
  })
})

test('a wait ends with the job, with an event or with its time, and reports progress that grows', async () => {
  const state = aTraining({ events: [aStart(3), aStep(1, { policy_loss: 1 })] })
  const { call } = await connect(state)
  const progress: number[] = []
  expect(
    (
      await call(
        'training_job_wait',
        { job_id: jobId, until: 'step:1' },
        { onprogress: (one: { progress: number }) => progress.push(one.progress) },
      )
    ).structuredContent?.data,
  ).toMatchObject({
    ended_because: 'step',
    steps: 1,
    of: 3,
    last_event: 'event-1',
  })
  expect(progress).toEqual([1])
  expect(
    (await call('training_job_wait', { job_id: jobId, until: 'next_event', since_event: 'event-0' })).structuredContent?.data,
  ).toMatchObject({ ended_because: 'next_event' })
  state.job = { ...state.job, status: 'succeeded' }
  expect((await call('training_job_wait', { job_id: jobId })).structuredContent?.data).toMatchObject({
    ended_because: 'finished',
    job: { status: 'succeeded' },
  })
  const wrong = await call('training_job_wait', { job_id: jobId, until: 'later' })
  expect(wrong.structuredContent?.error).toMatchObject({ code: 'invalid', hint: expect.stringContaining('step:N') })
})

test('ending a wait ends its requests, and leaves the job alone', async () => {
  const { client, fetch } = await connect()
  const leaving = new AbortController()
  const waiting = client.callTool({ name: 'training_job_wait', arguments: { job_id: jobId } }, { signal: leaving.signal })
  while (!fetch.requests.some(({ operation }) => operation === 'trainingJobs.read'))
    await new Promise((resolve) => void setImmediate(resolve))
  leaving.abort()
  await expect(waiting).rejects.toThrow()
  expect(fetch.requests.map(({ operation }) => operation)).not.toContain('trainingJobs.cancel')
})

test('metrics are thinned evenly, with both ends; an unknown name lists those that there are', async () => {
  const events = [aStart(500), ...Array.from({ length: 500 }, (_, at) => aStep(at + 1, { policy_loss: 500 - at }))]
  const { call } = await connect(aTraining({ events }))
  const { structuredContent } = await call('training_metrics_get', { job_id: jobId, metrics: ['policy_loss'], points: 5 })
  expect(structuredContent?.data).toMatchObject({
    steps: 500,
    series: {
      policy_loss: {
        min: 1,
        max: 500,
        last: 1,
        points: [
          [1, 500],
          [126, 375],
          [251, 250],
          [375, 126],
          [500, 1],
        ],
      },
    },
  })
  const unknown = await call('training_metrics_get', { job_id: jobId, metrics: ['lss'] })
  expect(unknown.structuredContent?.error).toMatchObject({ code: 'not_found', hint: 'It has policy_loss.' })
})

const choiceOf = (text: string) => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content: text },
  logprobs: { content: [{ token: 'token_id:1', logprob: -0.5, bytes: null, top_logprobs: [] }] },
})
const attempt = (group: string, id: string, reward: number | undefined) => ({
  id: `call-${id}`,
  project_id: 'e/p',
  op_name: 'chat',
  display_name: null,
  trace_id: `trace-${id}`,
  parent_id: null,
  started_at: '2026-11-16T10:00:00Z',
  ended_at: '2026-11-16T10:00:01Z',
  exception: null,
  attributes: {
    heddle: { group_id: group, trajectory_id: id, policy: { version: 2 }, ...(reward !== undefined && { reward: { value: reward } }) },
  },
  inputs: { messages: [{ role: 'user', content: `Task ${group}` }] },
  output: { choices: [choiceOf(`answer ${id}`)] },
  summary: { usage: { m: { total_tokens: 12 } } },
})
const calls = [
  attempt('g1', 'a', 1),
  attempt('g1', 'b', 0),
  attempt('g2', 'c', 1),
  attempt('g2', 'd', 1),
  attempt('g3', 'e', undefined),
  attempt('g4', 'f', 1),
]

test('recorded attempts are previewed with why some are dropped', async () => {
  const { call } = await connect(aTraining({ calls }))
  const { structuredContent } = await call('trajectories_preview', {})
  expect(structuredContent?.data).toMatchObject({
    trainable_groups: 1,
    groups: [
      { group_id: 'g1', trainable: true, rewards: { min: 0, mean: 0.5, max: 1, std_dev: 0.5 }, dropped: [] },
      { group_id: 'g2', trainable: false, dropped: [{ reason: 'equal rewards', attempts: 2 }] },
      { group_id: 'g3', trainable: false, rewards: null, dropped: [{ reason: 'no reward', attempts: 1 }] },
      { group_id: 'g4', trainable: false, dropped: [{ reason: 'only one attempt', attempts: 1 }] },
    ],
  })
})

test('attempts are grouped by what the caller says', async () => {
  const { call } = await connect(aTraining({ calls }))
  const { structuredContent } = await call('trajectories_preview', { group_by: 'inputs.messages' })
  expect(structuredContent?.data?.['groups']).toMatchObject([
    { trajectories: 2 },
    { trajectories: 2 },
    { trajectories: 0 },
    { trajectories: 1 },
  ])
  const dry = await call('training_job_create', { model_id: modelId, group_by: 'prompt' })
  expect(dry.structuredContent?.data).toMatchObject({ groups: 1, trajectories: 2 })
  const wrong = await call('trajectories_preview', { group_by: 'output.x' })
  expect(wrong.structuredContent?.error).toMatchObject({ code: 'invalid', hint: expect.stringContaining('"inputs.question"') })
})

test('jobs are listed with their model and their last event', async () => {
  const state = aTraining({ events: [aStart(2), aStep(1, { policy_loss: 0.5 })] })
  const { call } = await connect(state)
  const jobs = async () => (await call('training_jobs_list', {})).structuredContent?.data?.['jobs']
  expect(await jobs()).toMatchObject([{ id: jobId, model: 'agent', last_event: 'gradient_step at 2026-11-16T10:00:01Z' }])
  state.job = { ...state.job, status: 'failed', training_end: '2026-11-16T10:09:00Z' }
  expect(await jobs()).toMatchObject([{ status: 'failed', last_event: 'training_failed at 2026-11-16T10:09:00Z' }])
})

test('a job is started from them after a dry run, once for a key', async () => {
  const { call, fetch } = await connect(aTraining({ calls }))
  const created = () => fetch.requests.filter(({ operation }) => operation === 'trainingJobs.create')
  const dry = await call('training_job_create', { model_id: modelId })
  expect(dry.structuredContent?.data).toEqual({
    job_id: null,
    groups: 1,
    trajectories: 2,
    tokens: 24,
    rewards: { min: 0, mean: 0.5, max: 1, std_dev: 0.5 },
    refused: expect.any(Array),
  })
  expect(created()).toEqual([])
  const real = await call('training_job_create', { model_id: modelId, dry_run: false, idempotency_key: 'week-47' })
  expect(real.structuredContent?.data).toMatchObject({ job_id: jobId })
  expect(real.content[1]).toMatchObject({ type: 'resource_link', uri: `job://${jobId}` })
  const [request] = created()
  expect(request?.headers.get('idempotency-key')).toBe('week-47')
  expect(request?.body['trajectory_groups']).toMatchObject([
    {
      trajectories: [
        {
          reward: 1,
          initial_policy_version: 2,
          messages_and_choices: [{ role: 'user', content: 'Task g1' }, choiceOf('answer a')],
          metadata: { trajectory_id: 'a', trace_id: 'trace-a' },
        },
        { reward: 0 },
      ],
    },
  ])
})

test('without the right to write a job is only previewed', async () => {
  const { call, fetch } = await connect(aTraining({ calls }), { allowWrites: false, allowDestructive: false })
  const refused = await call('training_job_create', { model_id: modelId, dry_run: false })
  expect(refused.structuredContent?.error).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('--allow-writes') })
  expect(fetch.requests.map(({ operation }) => operation)).not.toContain('trainingJobs.create')
})

describe('deleting and cancelling', () => {
  const typed = (name: string) => ({ action: 'accept' as const, content: { name } })

  test('checkpoints asks a person for the name of the model, with what goes', async () => {
    const { client, call, state } = await connect()
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return typed('agent')
    })
    const { structuredContent } = await call('model_checkpoints_delete', { model_id: modelId, keep: [0] })
    expect(asked).toEqual(['This deletes 1 of 3 checkpoints of model agent for good: steps 1; 0, 2 stay. Type "agent" to confirm.'])
    expect(structuredContent?.data).toEqual({ deleted: true, deleted_count: 1, deleted_steps: [1], kept_steps: [0, 2] })
    expect(state.deletedSteps).toEqual([1])
  })

  test('a checkpoint that is marked as kept stays, without being named', async () => {
    const marked = { step: 1, kept_at: '2026-11-16T10:00:00Z', kept_by: 'someone' }
    const { client, call, state } = await connect(
      aTraining({ checkpoints: [aCheckpoint({ step: 0 }), aCheckpoint(marked), aCheckpoint({ step: 2 })] }),
    )
    client.setRequestHandler('elicitation/create', () => typed('agent'))
    const { structuredContent } = await call('model_checkpoints_delete', { model_id: modelId, keep: [] })
    expect(structuredContent?.data).toEqual({ deleted: true, deleted_count: 1, deleted_steps: [0], kept_steps: [1, 2] })
    expect(state.deletedSteps).toEqual([0])
  })

  test('a person who declines changes nothing, and is not asked again', async () => {
    const { client, call, state } = await connect()
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' as const }))
    const { content, isError } = await call('model_checkpoints_delete', { model_id: modelId, keep: [] })
    expect([content[0]?.text, isError ?? false, state.deletedSteps]).toEqual(['The person declined. Nothing was changed.', false, []])
  })

  test('what has changed meanwhile is asked again', async () => {
    const { client, call, state } = await connect()
    let times = 0
    client.setRequestHandler('elicitation/create', () => {
      if (times++ === 0) state.checkpoints = [...state.checkpoints, aCheckpoint({ step: 3 })]
      return typed('agent')
    })
    await call('model_checkpoints_delete', { model_id: modelId, keep: [] })
    expect([times, state.deletedSteps]).toEqual([2, [0, 1, 2]])
  })

  test('a client that cannot ask gets what would go, and how to run it', async () => {
    const state = aTraining()
    const options = { baseUrl: 'http://services.test', fetch: fakeTraining(state), allowWrites: true, allowDestructive: true }
    const client = await connectOlderClient({ options })
    const call = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: 'model_checkpoints_delete', arguments: { model_id: modelId, keep: [], ...args } })) as ToolAnswer
    const refused = await call({})
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: {
        error: { message: expect.stringContaining('This deletes 2 of 3 checkpoints'), hint: expect.stringContaining('confirm: "agent"') },
      },
    })
    expect(state.deletedSteps).toEqual([])
    expect((await call({ confirm: 'agent' })).structuredContent?.data).toMatchObject({ deleted: true, deleted_count: 2 })
  })

  test('a job is cancelled when a person types the name of its model, and one that has ended stays as it is', async () => {
    const { client, call, state } = await connect(aTraining({ events: [aStart(4), aStep(1, { policy_loss: 0.5 })] }))
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return typed('agent')
    })
    const { structuredContent } = await call('training_job_cancel', { job_id: jobId })
    expect(asked).toEqual([
      `This cancels the running job ${jobId} of model agent (step 1/4, policy_loss 0.5) for good: it makes no checkpoint. Type "agent" to confirm.`,
    ])
    expect([structuredContent?.data, state.job.status]).toEqual([{ cancelled: true, status: 'cancelled' }, 'cancelled'])
    state.job = { ...state.job, status: 'succeeded' }
    const again = await call('training_job_cancel', { job_id: jobId })
    expect(again.structuredContent?.data).toEqual({ cancelled: false, status: 'succeeded', reason: 'already ended' })
    expect([asked.length, state.job.status]).toEqual([1, 'succeeded'])
  })

  test('tools that delete are not there unless they are allowed', async () => {
    const { call } = await connect(aTraining(), { allowWrites: true, allowDestructive: false })
    expect((await call('model_delete', { model_id: modelId })).structuredContent?.error).toMatchObject({ code: 'not_found' })
    expect((await call('training_job_cancel', { job_id: jobId })).structuredContent?.error).toMatchObject({ code: 'not_found' })
  })
})

test('an unknown job says where ids come from, without what the service said of itself', async () => {
  const { call } = await connect()
  const { isError, structuredContent } = await call('training_job_get', { job_id: 'nope' })
  expect([isError, structuredContent?.error]).toEqual([
    true,
    { code: 'not_found', message: 'not found', retryable: false, hint: 'Check the id and the project. The list tools show what exists.' },
  ])
})
