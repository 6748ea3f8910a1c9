import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inputHolder } from '../../blob-holders.ts'
import { aChoice, aGroup, aTrajectory } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

describe.each(dialects)('trajectories of jobs on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  beforeAll(async () => {
    app = await startTrainingApp({ ...(postgresUrl !== undefined && { postgresUrl }), service: { settleEveryMs: 50 } })
  })
  afterAll(() => app.close())

  const newModel = async () => (await app.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
  async function train(model_id: string, trajectory_groups: object[], config: object = {}) {
    const experimental_config = { packed_sequence_length: null, logprob_calculation_chunk_size: null, ...config }
    const body = { model_id, trajectory_groups, experimental_config } as Parameters<typeof app.client.trainingJobs.create>[0]
    return (await app.client.trainingJobs.create(body)).id
  }
  const holders = async () => (await app.database.selectFrom('blob_references').select('holder').execute()).map(({ holder }) => holder)

  test('groups are listed with rewards, advantages and what failed, page by page', async () => {
    const job_id = await train(await newModel(), [
      { ...aGroup('a', 'b'), metadata: { scenario_id: 'one' }, exceptions: [{ type: 'TimeoutError', message: 'no answer' }] },
      { trajectories: [0.1, 0.1, 0.1].map((reward) => ({ ...aTrajectory('a', reward), initial_policy_version: 0 })) },
      { trajectories: [{ messages_and_choices: [{ ...aChoice('a'), finish_reason: 'length' }] }] },
    ])
    const { data, has_more, last_id } = await app.client.jobTrajectories.listGroups({ job_id, limit: 2 })
    expect(has_more).toBe(true)
    expect(data).toEqual([
      {
        id: `${job_id}:0`,
        group: 0,
        rewards: [1, 0],
        advantages: [expect.closeTo(1, 3), expect.closeTo(-1, 3)],
        reward_std_dev: 0.5,
        truncated: 0,
        num_exceptions: 1,
        exceptions: [{ type: 'TimeoutError', message: 'no answer' }],
        oldest_policy_version: null,
        metadata: { scenario_id: 'one' },
      },
      expect.objectContaining({ group: 1, rewards: [0.1, 0.1, 0.1], advantages: [0, 0, 0], reward_std_dev: 0, oldest_policy_version: 0 }),
    ])
    const rest = await app.client.jobTrajectories.listGroups({ job_id, after: last_id })
    expect([rest.data.map(({ group, truncated }) => [group, truncated]), rest.has_more]).toEqual([[[2, 1]], false])
  })

  test('advantages are those of the config of the job', async () => {
    const job_id = await train(await newModel(), [aGroup('a', 'b')], { scale_rewards: false })
    expect((await app.client.jobTrajectories.listGroups({ job_id })).data[0]?.advantages).toEqual([0.5, -0.5])
  })

  test('trajectories of a group come with messages of all histories and advantages, and with tokens where they are requested', async () => {
    const first = {
      ...aTrajectory('hi', 1),
      additional_histories: [{ messages_and_choices: [{ role: 'user', content: 'again' }, aChoice('x')] }],
      metadata: { trace_id: 't-1' },
      logs: ['one'],
    }
    const job_id = await train(await newModel(), [aGroup('z', 'y'), { trajectories: [first, aTrajectory('no', 0)] }])
    const list = (more: object) => app.client.jobTrajectories.list({ job_id, group: 1, ...more })
    const { data, has_more } = await list({ limit: 1 })
    expect(has_more).toBe(true)
    expect(data).toMatchObject([{ id: `${job_id}:1:0`, reward: 1, metadata: { trace_id: 't-1' }, logs: ['one'] }])
    expect(data[0]?.advantage).toBeCloseTo(1, 3)
    expect(data[0]?.messages).toEqual([
      { role: 'user', content: 'go', trainable: false, history: 0 },
      { role: 'assistant', content: 'hi', trainable: true, history: 0, finish_reason: 'stop' },
      { role: 'user', content: 'again', trainable: false, history: 1 },
      { role: 'assistant', content: 'x', trainable: true, history: 1, finish_reason: 'stop' },
    ])
    const rest = await list({ after: data[0]?.id ?? null, log_probabilities: true })
    expect(rest).toMatchObject({ has_more: false, data: [{ id: `${job_id}:1:1`, reward: 0 }] })
    expect(rest.data[0]?.messages[1]?.['sampled_tokens']).toEqual([
      { token: 'n', logprob: -2 },
      { token: 'o', logprob: -2 },
    ])
  })

  test('a page ends early where its trajectories are large', async () => {
    const large = () => ({ ...aTrajectory('a', 0), logs: ['x'.repeat(5 * 2 ** 20)] })
    const job_id = await train(await newModel(), [{ trajectories: [large(), large(), large(), aTrajectory('b', 0)] }])
    const page = await app.client.jobTrajectories.list({ job_id, group: 0 })
    expect([page.data.length, page.has_more]).toEqual([2, true])
    const rest = await app.client.jobTrajectories.list({ job_id, group: 0, after: page.last_id })
    expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([[`${job_id}:0:2`, `${job_id}:0:3`], false])
  })

  test('what the newest ten jobs of a model learned from stays after their end, until the model is deleted', async () => {
    const model_id = await newModel()
    const jobs: string[] = []
    for (let at = 0; at < 11; at++) {
      jobs.push(await train(model_id, [{ trajectories: [aTrajectory(String.fromCodePoint(97 + at), 1)] }]))
      await untilEnded(app.client, jobs[at]!)
    }
    const kept = await holders()
    expect(jobs.filter((id) => kept.includes(inputHolder(id)))).toEqual(jobs.slice(1))
    expect((await app.client.jobTrajectories.listGroups({ job_id: jobs[10]! })).data).toHaveLength(1)
    await app.client.models.delete({ model_id })
    const left = await holders()
    expect(jobs.filter((id) => left.includes(inputHolder(id)))).toEqual([])
  })

  test('missing groups are 404, and so is everything for other tenants', async () => {
    const job_id = await train(await newModel(), [aGroup('a', 'b')])
    const { jobTrajectories } = app.client
    await expect(jobTrajectories.list({ job_id, group: 1 })).rejects.toThrow(`training job "${job_id}" has no trajectory group 1`)
    await expect(jobTrajectories.listGroups({ job_id, after: 'x' })).rejects.toThrow('"x" is not in this list')
    for (const key of [{ entity: 'elsewhere', role: 'admin' as const }, { role: 'ingest' as const }]) {
      const stranger = await app.clientFor({ name: 'stranger', ...key })
      await expect(stranger.jobTrajectories.listGroups({ job_id })).rejects.toMatchObject({ status: 404 })
      await expect(stranger.jobTrajectories.list({ job_id, group: 0 })).rejects.toMatchObject({ status: 404 })
    }
    const reader = await app.clientFor({ name: 'reader', role: 'reader' })
    expect((await reader.jobTrajectories.listGroups({ job_id })).data).toHaveLength(1)
  })
})
