import { randomUUID } from 'node:crypto'
import type { Outgoing } from '@heddle/outgoing'
import { sliceOfCases } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aGroup, aTrajectory } from '../../testing/sampled-choice.ts'
import { send } from '../../testing/send.ts'
import { holdTraining } from '../../testing/hold-training.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { unpack } from '../../testing/unpack.ts'
import { allEvents, untilEnded } from '../../testing/until-ended.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

describe.each(dialects)('training jobs on $dialect', ({ postgresUrl }) => {
  const isWhole = postgresUrl === undefined
  let app: TrainingApp
  beforeAll(async () => {
    app = await startTrainingApp({ ...(postgresUrl !== undefined && { postgresUrl }), service: { settleEveryMs: 50 } })
  })
  afterAll(() => app.close())

  const newModel = async (project = `p-${randomUUID()}`) =>
    (await app.client.models.create({ project, name: 'agent', base_model: 'table' })).id
  const config = { packed_sequence_length: null, logprob_calculation_chunk_size: null }
  const train = (model_id: string, ...groups: ReturnType<typeof aGroup>[]) =>
    app.client.trainingJobs.create({ model_id, trajectory_groups: groups, experimental_config: config })
  const stepsOf = async (model_id: string) => (await app.client.checkpoints.list({ model_id })).data.map(({ step }) => step)

  test('a job of reinforcement learning makes the next step, and reports it in events', async () => {
    const model = await newModel()
    const { id } = await train(model, aGroup('a', 'b'), aGroup('a', 'c'))
    const job = await untilEnded(app.client, id)
    expect(job).toMatchObject({
      id,
      status: 'succeeded',
      kind: 'rl',
      model_id: model,
      created_by: 'tester',
      parent_step: 0,
      step: 1,
      error_message: null,
      message: null,
      config: {},
    })
    const events = await allEvents(app.client, id)
    expect(events.map(({ type }) => type)).toEqual(['training_started', 'gradient_step', 'training_ended'])
    expect(events[0]!.data).toMatchObject({ num_sequences: 1, config: { epsilon: 1 }, library: null })
    for (const value of Object.values(events[1]!.data)) expect(Number.isFinite(value)).toBe(true)
    expect(job.trainable_tokens).toBeGreaterThan(0)
    expect(job.trainable_tokens).toBe(events[1]!.data['num_trainable_tokens'])
    const { data } = await app.client.checkpoints.list({ model_id: model, order: 'desc', limit: 1 })
    expect(data[0]).toMatchObject({ step: 1, metrics: { num_groups_submitted: 2, num_groups_trainable: 2, reward: 0.5 } })
  })

  test('a job with every field that the newest client sends unasked trains as one without them', async () => {
    const model = await newModel()
    const unasked = {
      advantage_balance: 0,
      allow_training_without_logprobs: false,
      epsilon: null,
      epsilon_high: null,
      importance_sampling_level: 'token',
      kimi_k2_tau: null,
      kl_penalty_coef: 0,
      kl_penalty_reference_step: null,
      kl_penalty_source: 'current_learner',
      kl_penalty_step_lag: null,
      kl_ref_adapter_path: null,
      learning_rate: 5e-6,
      logprob_calculation_chunk_size: 1_024,
      loss_fn: null,
      mask_prob_ratio: false,
      max_negative_advantage_importance_sampling_weight: null,
      normalize_advantages: true,
      num_trajectories_learning_rate_multiplier_power: 0,
      packed_sequence_length: null,
      plot_tensors: false,
      ppo: false,
      precalculate_logprobs: false,
      scale_learning_rate_by_reward_std_dev: false,
      scale_rewards: true,
      truncated_importance_sampling: null,
    }
    const body = { model_id: model, trajectory_groups: [aGroup('a', 'b')], experimental_config: unasked }
    const { status, body: created } = await send(app, 'POST', '/v1/preview/training-jobs', body)
    expect(status).toBe(200)
    const { id } = created as { id: string }
    expect(await untilEnded(app.client, id)).toMatchObject({
      status: 'succeeded',
      step: 1,
      config: Object.fromEntries(Object.entries(unasked).filter(([, value]) => value !== null)),
    })
    const [started] = await allEvents(app.client, id)
    // Its context has 512 tokens.
    expect(started!.data).toMatchObject({ num_sequences: 1, config: { logprob_calculation_chunk_size: 512, epsilon: 1, epsilon_high: 4 } })
    expect(started!.data['notes']).toEqual([expect.stringContaining('learning_rate 0.000005 teaches table next to nothing')])
  })

  test('a page of events begins after the event that is named, without it', async () => {
    const model = await newModel()
    const { id } = await train(model, aGroup('a', 'b'))
    await untilEnded(app.client, id)
    const all = await allEvents(app.client, id)
    expect(await allEvents(app.client, id, 1)).toEqual(all)
    const rest = await app.client.trainingEvents.list({ job_id: id, after: all[0]!.id })
    expect(rest).toMatchObject({ object: 'list', data: all.slice(1), has_more: false, first_id: all[1]!.id, last_id: all.at(-1)!.id })
    await expect(app.client.trainingEvents.list({ job_id: id, after: randomUUID() })).rejects.toMatchObject({ status: 404 })
    await expect(app.client.trainingEvents.list({ job_id: randomUUID() })).rejects.toMatchObject({ status: 404 })
  })

  test('the last event is seen only with the checkpoint that it reports', async () => {
    const model = await newModel()
    const { id } = await train(model, aGroup('a', 'b'))
    for (let hasEnded = false; !hasEnded;) {
      hasEnded = (await allEvents(app.client, id)).some(({ type }) => type === 'training_ended')
      if (hasEnded) expect(await stepsOf(model)).toEqual([0, 1])
    }
  })

  test('jobs of a model run in order, each from the step of the one before', async () => {
    const model = await newModel()
    const jobs = []
    for (const texts of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ])
      jobs.push((await train(model, aGroup(...texts))).id)
    const ended = []
    for (const id of jobs) ended.push(await untilEnded(app.client, id))
    expect(ended.map(({ parent_step, step }) => [parent_step, step])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
    const listed = await app.client.trainingJobs.list({ model_id: model, order: 'asc', status: 'succeeded', kind: 'rl' })
    expect(listed.data.map(({ id }) => id)).toEqual(jobs)
    expect((await app.client.trainingJobs.list({ model_id: model, after: jobs[1]!, limit: 1 })).data.map(({ id }) => id)).toEqual([jobs[0]])
  })

  test('the jobs of all models of a project, and of all projects of an entity, are listed in pages', async () => {
    const project = `p-${randomUUID()}`
    const owner = await app.clientFor({ name: 'owner', role: 'admin', entity: `e${randomUUID().slice(0, 8)}` })
    const models = []
    for (const [at, name] of [
      [project, 'one'],
      [project, 'two'],
      [`${project}-b`, 'three'],
    ] as const)
      models.push((await owner.models.create({ project: at, name, base_model: 'table' })).id)
    const jobs: string[] = []
    for (const model_id of models)
      jobs.push((await owner.trainingJobs.create({ model_id, trajectory_groups: [], experimental_config: config })).id)
    const first = await owner.trainingJobs.list({ order: 'asc', limit: 2 })
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([jobs.slice(0, 2), true])
    const second = await owner.trainingJobs.list({ order: 'asc', limit: 2, after: first.last_id })
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([jobs.slice(2), false])
    expect((await owner.trainingJobs.list({ project })).data.map(({ id }) => id)).toEqual([jobs[1], jobs[0]])
    expect((await owner.trainingJobs.list({ project: 'without-models' })).data).toEqual([])
    await expect(owner.trainingJobs.list({ project, after: jobs[2]! })).rejects.toMatchObject({ status: 404 })
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: `e${randomUUID().slice(0, 8)}` })
    expect((await stranger.trainingJobs.list({})).data).toEqual([])
    for (const id of jobs) await untilEnded(owner, id)
  })

  test.each(
    sliceOfCases(
      [
        ['equal rewards', { trajectories: [aTrajectory('a', 1), aTrajectory('b', 1)] }, /^equal rewards/],
        [
          'no log-probabilities',
          { trajectories: [aTrajectory('a', 1, { logprob: null }), aTrajectory('b', 0, { logprob: null })] },
          /^no logprobs/,
        ],
        ['no trajectories', { trajectories: [] }, /^no trajectories/],
      ],
      { isWhole },
    ),
  )('a job that cannot train for %s succeeds with unchanged weights, and says why', async (_, group, reason) => {
    const model = await newModel()
    const { id } = await train(model, group as ReturnType<typeof aGroup>)
    const job = await untilEnded(app.client, id)
    expect(job).toMatchObject({ status: 'succeeded', step: 1, message: expect.stringMatching(reason) })
    const events = await allEvents(app.client, id)
    expect(events.map(({ type, data }) => [type, data['num_sequences']])).toEqual([
      ['training_started', 0],
      ['training_ended', undefined],
    ])
    const { data } = await app.client.checkpoints.list({ model_id: model, order: 'desc', limit: 1 })
    expect(data[0]!.metrics).toMatchObject({ num_groups_submitted: 1 })
  })

  test('a body is refused with all of its failures at once, in the order of the document', async () => {
    const groups = [{ trajectories: [{ reward: 'NaN' }, { metadata: { a: {} } }] }, 7, { metrics: { a: 'x' } }]
    const { status, body } = await send(app, 'POST', '/v1/preview/training-jobs', {
      model_id: 'nobody',
      trajectory_groups: groups,
      experimental_config: { epsilon: 'wide', unknown: true, ppo: null },
      some_other_key: 1,
    })
    const at = (...path: string[]) => ['body', ...path]
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          { loc: at('model_id'), msg: 'Input should be a valid UUID', type: 'uuid_parsing' },
          expect.objectContaining({ loc: at('experimental_config', 'epsilon'), type: 'float_parsing' }),
          expect.objectContaining({ loc: at('trajectory_groups', '0', 'trajectories', '0', 'reward'), type: 'float_type' }),
          expect.objectContaining({ loc: at('trajectory_groups', '0', 'trajectories', '1', 'metadata', 'a'), type: 'value_error' }),
          expect.objectContaining({ loc: at('trajectory_groups', '1'), type: 'dict_type' }),
          expect.objectContaining({ loc: at('trajectory_groups', '2', 'trajectories'), type: 'missing' }),
          expect.objectContaining({ loc: at('trajectory_groups', '2', 'metrics', 'a'), type: 'float_type' }),
        ],
      },
    ])
  })

  test.each(
    sliceOfCases(
      [
        ['{"model_id": 1', 'json_invalid', ['body']],
        ['{}', 'missing', ['body', 'model_id']],
        ['[]', 'json_invalid', ['body']],
        ['', 'json_invalid', ['body']],
      ],
      { isWhole },
    ),
  )('the body %j is refused as %s', async (text, type, loc) => {
    const { status, body } = await send(app, 'POST', '/v1/preview/training-jobs', text)
    expect([status, (body as { detail: unknown[] }).detail[0]]).toEqual([422, expect.objectContaining({ type, loc })])
  })

  test('recorded exchanges of a kind that cannot be trained on are refused by its name', async () => {
    const trajectories = [{ exchanges: { chat_completions: [], responses: [{}] } }]
    const { status, body } = await send(app, 'POST', '/v1/preview/training-jobs', {
      model_id: randomUUID(),
      trajectory_groups: [{ trajectories }],
    })
    const loc = ['body', 'trajectory_groups', '0', 'trajectories', '0', 'exchanges', 'responses']
    expect([status, body]).toEqual([
      422,
      { detail: [{ loc, msg: 'responses cannot be trained on; record chat completions', type: 'value_error' }] },
    ])
  })

  test('plotted tensors lie beside the weights', async () => {
    const model_id = await newModel()
    const experimental_config = { ...config, plot_tensors: true }
    const { id } = await app.client.trainingJobs.create({ model_id, trajectory_groups: [aGroup('a', 'b')], experimental_config })
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded' })
    const files = await unpack((await app.client.checkpoints.archive({ model_id, step: 1 })).bytes)
    expect(JSON.parse(files.get('training_tensors.json')!)).toMatchObject({ rows: [{ row: 0 }], rows_left_out: 0 })
  })

  test('a model that is not there, and one of another tenant, are not found', async () => {
    const request = { trajectory_groups: [aGroup('a', 'b')] }
    await expect(app.client.trainingJobs.create({ model_id: randomUUID(), ...request })).rejects.toMatchObject({ status: 404 })
    const model_id = await newModel()
    const { id } = await train(model_id, aGroup('a', 'b'))
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    for (const attempt of [
      () => stranger.trainingJobs.create({ model_id, ...request }),
      () => stranger.trainingJobs.read({ job_id: id }),
      () => stranger.trainingJobs.cancel({ job_id: id }),
      () => stranger.trainingJobs.list({ model_id }),
      () => stranger.trainingEvents.list({ job_id: id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    await untilEnded(app.client, id)
  })

  test.each(
    sliceOfCases(
      [
        [{ importance_sampling_level: 'word' }, /importance_sampling_level "word"/],
        [{ epsilon: -1 }, /epsilon -1/],
        [{ advantage_balance: 2 }, /advantage_balance 2/],
        [{ packed_sequence_length: 100, logprob_calculation_chunk_size: 64 }, /packed_sequence_length 100 must be a multiple/],
        [{ kl_penalty_reference_step: 0, kl_penalty_step_lag: 1 }, /exclude each other/],
        [{ kl_penalty_reference_step: 5 }, /kl_penalty_reference_step 5 is not a checkpoint/],
        [{ ppo: true, loss_fn: 'cispo' }, /contradicts/],
      ],
      { isWhole },
    ),
  )('the config %j is refused at once', async (experimental_config, message) => {
    const model_id = await newModel()
    const request = { model_id, trajectory_groups: [aGroup('a', 'b')], experimental_config }
    await expect(app.client.trainingJobs.create(request)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) })
  })

  test('a request with an idempotency key makes one job', async () => {
    const model_id = await newModel()
    const request = { model_id, trajectory_groups: [aGroup('a', 'b')], 'idempotency-key': randomUUID() }
    const first = await app.client.trainingJobs.create(request)
    await untilEnded(app.client, first.id)
    expect(await app.client.trainingJobs.create(request)).toEqual(first)
    expect(await stepsOf(model_id)).toEqual([0, 1])
  })

  test('a job that waits is cancelled at once, and one that runs soon; both end with an event that clients know', async () => {
    const model = await newModel()
    const gate = holdTraining(app)
    const running = (await train(model, aGroup('a', 'b'))).id
    const waiting = (await train(model, aGroup('a', 'b'))).id
    await gate.held
    expect(await app.client.trainingJobs.cancel({ job_id: waiting })).toMatchObject({ status: 'cancelled', training_start: null })
    await app.client.trainingJobs.cancel({ job_id: running })
    expect(await untilEnded(app.client, running)).toMatchObject({ status: 'cancelled', error_message: 'the job was cancelled' })
    gate.release()
    for (const id of [running, waiting]) {
      const last = (await allEvents(app.client, id)).at(-1)
      expect(last).toMatchObject({ type: 'training_failed', data: { error_message: 'the job was cancelled' } })
    }
    expect(await stepsOf(model)).toEqual([0])
    expect(await app.client.trainingJobs.cancel({ job_id: running })).toMatchObject({ status: 'cancelled' })
  })

  test('the steps that a running job uses cannot be deleted', async () => {
    const model = await newModel()
    await untilEnded(app.client, (await train(model, aGroup('a', 'b'))).id)
    const gate = holdTraining(app)
    const request = { model_id: model, trajectory_groups: [aGroup('a', 'b')] }
    const { id } = await app.client.trainingJobs.create({
      ...request,
      experimental_config: { kl_penalty_coef: 0.1, kl_penalty_reference_step: 0 },
    })
    await gate.held
    const attempt = app.client.checkpoints.delete({ model_id: model, steps: [0] })
    await expect(attempt).rejects.toMatchObject({ status: 409, message: expect.stringContaining(id) })
    gate.release()
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', step: 2 })
    expect(await app.client.checkpoints.delete({ model_id: model, steps: [0] })).toEqual({
      deleted_count: 1,
      not_found_steps: [],
      kept_steps: [],
    })
  })

  test('a job whose model is deleted while it runs ends as failed, and reports it', async () => {
    const model = await newModel()
    const gate = holdTraining(app)
    const { id } = await train(model, aGroup('a', 'b'))
    await gate.held
    expect(await app.client.models.delete({ model_id: model })).toMatchObject({ deleted_checkpoints: 1 })
    gate.release()
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'failed', error_message: 'the model "agent" was deleted' })
    expect((await allEvents(app.client, id)).at(-1)).toMatchObject({ type: 'training_failed' })
  })

  test('a job whose attempts are used up ends with an event, though no handler saw the end', async () => {
    const model = await newModel()
    const gate = holdTraining(app)
    const { id } = await train(model, aGroup('a', 'b'))
    await gate.held
    const { queue_job_id } = await app.database
      .selectFrom('training_jobs')
      .select('queue_job_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const ended = { state: 'failed', error: 'its worker ended without finishing it (attempt 3 of 3)', ended_at: 1, lease_token: 99 }
    await app.database.updateTable('jobs').set(ended).where('id', '=', queue_job_id).execute()
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'failed', error_message: ended.error })
    gate.release()
    expect((await allEvents(app.client, id)).at(-1)).toMatchObject({ type: 'training_failed', data: { error_message: ended.error } })
  })

  test('numbers that are not finite fail the job, and leave the model as it is', async () => {
    const model = await newModel()
    const texts = Array.from({ length: 4 }, () => aGroup('a'.repeat(200), 'b'.repeat(200)))
    const request = { model_id: model, trajectory_groups: texts, experimental_config: { learning_rate: 1e300 } }
    const { id } = await app.client.trainingJobs.create(request)
    const job = await untilEnded(app.client, id)
    expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/not finite/) })
    expect(await stepsOf(model)).toEqual([0])
  })

  describe('supervised fine-tuning', () => {
    const line = (content: string) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: 'go' },
          { role: 'assistant', content },
        ],
      })
    const upload = (project: string, text: string) =>
      app.client.trainingData.create({ project, bytes: Buffer.from(text), content_type: 'application/jsonl' })

    test('a job learns from uploaded conversations, and makes one checkpoint', async () => {
      const project = `p-${randomUUID()}`
      const model_id = await newModel(project)
      const { url } = await upload(project, `${line('aaa')}\n\n${line('aba')}\n${line('aca')}\n`)
      expect(url).toMatch(new RegExp(`^heddle-artifact:///local/${project}/training-data-[0-9a-f]+:v0$`))
      const { id } = await app.client.trainingJobs.createSft({ model_id, training_data_url: url, config: { batch_size: 'auto' } })
      expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', kind: 'sft', step: 1 })
      const events = await allEvents(app.client, id)
      expect(events.map(({ type }) => type)).toEqual(['training_started', 'gradient_step', 'gradient_step', 'training_ended'])
      expect(events[0]!.data).toMatchObject({ num_sequences: 2 })
      expect(events[1]!.data).toMatchObject({ gradient_step: 1, num_trajectories: 2 })
      const { metrics } = (await app.client.checkpoints.list({ model_id, order: 'desc', limit: 1 })).data[0]!
      expect(metrics).toMatchObject({ num_trajectories: 3, num_dropped_trajectories: 0, loss: expect.any(Number) })
      expect(metrics).not.toHaveProperty('gradient_step')
    })

    test('conversations that are too long are counted in the events, and a job that has no others fails and makes no checkpoint', async () => {
      const project = `p-${randomUUID()}`
      const model_id = await newModel(project)
      const train = async (text: string) => {
        const { url } = await upload(project, text)
        return untilEnded(app.client, (await app.client.trainingJobs.createSft({ model_id, training_data_url: url })).id)
      }
      const long = line('a'.repeat(10_000))
      const some = await train(`${long}\n${line('aaa')}\n`)
      expect(some).toMatchObject({ status: 'succeeded', step: 1 })
      const [started, step] = await allEvents(app.client, some.id)
      expect(started!.data).toMatchObject({
        notes: [expect.stringMatching(/^1 conversation was longer than the \d+ tokens of \w+ and dropped/)],
      })
      expect(step!.data).toMatchObject({ num_trajectories: 1, num_dropped_trajectories: 1 })
      const reason =
        /^everything is too long: 2 of 2 conversations are longer than the \d+ tokens of \w+ \(the longest has \d+\); shorten them/
      const none = await train(`${long}\n${line('b'.repeat(9_000))}\n`)
      expect(none).toMatchObject({ status: 'failed', error_message: expect.stringMatching(reason) })
      expect((await allEvents(app.client, none.id)).map(({ type }) => type)).toEqual(['training_failed'])
      expect(await stepsOf(model_id)).toEqual([0, 1])
    })

    test('training data may begin with a byte order mark, and other encodings are refused by line', async () => {
      const project = `p-${randomUUID()}`
      const model_id = await newModel(project)
      const train = async (bytes: Buffer) => {
        const { url } = await app.client.trainingData.create({ project, bytes, content_type: 'application/jsonl' })
        return untilEnded(app.client, (await app.client.trainingJobs.createSft({ model_id, training_data_url: url })).id)
      }
      const text = `${line('aaa')}\n${line('a\u00e4a')}\n`
      expect(await train(Buffer.from(`\uFEFF${text}`))).toMatchObject({ status: 'succeeded' })
      const refused = (reason: string) => ({ status: 'failed', error_message: expect.stringContaining(reason) })
      expect(await train(Buffer.from(text, 'latin1'))).toMatchObject(refused('line 2 of the training data is not UTF-8; convert the file'))
      expect(await train(Buffer.from(text, 'utf16le'))).toMatchObject(refused('line 1 of the training data is not UTF-8 but UTF-16'))
    })

    test('a request that says the same again gets the job that is there, and is told; another config, a failure or a key of its own makes another', async () => {
      const project = `p-${randomUUID()}`
      const model_id = await newModel(project)
      const { url: training_data_url } = await upload(project, `${line('aaa')}\n`)
      const create = (config: Record<string, unknown> | null, more: { 'idempotency-key'?: string } = {}) =>
        app.client.trainingJobs.createSft({ model_id, training_data_url, config, ...more })
      const first = await create({ batch_size: 'auto', learning_rate: 0.1 })
      expect(first).toMatchObject({ created: true })
      // Before it has ended, and after.
      expect(await create({ learning_rate: 0.1 })).toEqual({ id: first.id, created: false })
      await untilEnded(app.client, first.id)
      const sameMeaning = {
        batch_size: 2,
        learning_rate: 0.1,
        assistant_turns: 'all',
        metric_logging: { enabled: true, target_training_step: 2 },
      }
      expect(await create(sameMeaning)).toEqual({ id: first.id, created: false })

      const jobs = [first.id]
      for (const config of [
        null,
        { learning_rate: 0.2 },
        { learning_rate: 0.1, batch_size: 1 },
        { learning_rate: 0.1, assistant_turns: 'last' },
      ]) {
        const other = await create(config)
        expect(other).toEqual({ id: expect.toSatisfy((id) => !jobs.includes(id as string)) as string, created: true })
        jobs.push(other.id)
      }
      const key = { 'idempotency-key': randomUUID() }
      const secondPass = await create({ learning_rate: 0.1 }, key)
      expect(secondPass).toEqual({ id: expect.toSatisfy((id) => !jobs.includes(id as string)) as string, created: true })
      expect(await create({ learning_rate: 0.1 }, key)).toEqual(secondPass)
      for (const id of [...jobs, secondPass.id]) await untilEnded(app.client, id)
      expect(await stepsOf(model_id)).toEqual([0, 1, 2, 3, 4, 5, 6])

      const gate = holdTraining(app)
      const cancelled = await create({ learning_rate: 0.3 })
      await gate.held
      await app.client.trainingJobs.cancel({ job_id: cancelled.id })
      await untilEnded(app.client, cancelled.id)
      gate.release()
      expect((await create({ learning_rate: 0.3 })).id).not.toBe(cancelled.id)
    })

    test('of many requests at the same time that say the same, one makes a job', async () => {
      const project = `p-${randomUUID()}`
      const model_id = await newModel(project)
      const { url: training_data_url } = await upload(project, `${line('aaa')}\n`)
      const made = await Promise.all(Array.from({ length: 8 }, () => app.client.trainingJobs.createSft({ model_id, training_data_url })))
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(made.filter(({ created }) => created)).toHaveLength(1)
      await untilEnded(app.client, made[0]!.id)
    })

    test('a malformed line fails the job with its number, and the same data then starts another job', async () => {
      const project = `p-${randomUUID()}`
      const model_id = await newModel(project)
      const { url } = await upload(project, `${line('a')}\n{"messages": []}\n`)
      const { id } = await app.client.trainingJobs.createSft({ model_id, training_data_url: url })
      expect(await untilEnded(app.client, id)).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/line 2/) })
      const again = await app.client.trainingJobs.createSft({ model_id, training_data_url: url })
      expect(again.id).not.toBe(id)
      await untilEnded(app.client, again.id)
    })

    test('a job learns from conversations at an https address, whose refusal is told', async () => {
      const lines = Buffer.from(`${line('aaa')}\n`)
      const outgoing: Outgoing = {
        open: () => Promise.reject(new Error('the data are read as a whole')),
        send: async ({ url }) => ({ status: String(url).endsWith('/gone') ? 404 : 200, headers: {}, bytes: lines, url: String(url) }),
      }
      const { client, close } = await app.anotherServer({ outgoing })
      const model_id = await newModel()
      const createFrom = (training_data_url: string) => client.trainingJobs.createSft({ model_id, training_data_url })
      const { id } = await createFrom('https://data.example/train.jsonl')
      expect(await untilEnded(client, id)).toMatchObject({ status: 'succeeded', kind: 'sft', step: 1 })
      await expect(createFrom('https://data.example/gone')).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('could not be fetched: the server answered 404'),
      })
      await close()
    })

    test.each(
      sliceOfCases(['heddle-artifact:///local/nowhere/data:v0', 'file:///etc/passwd', 'https://127.0.0.1/data.jsonl'], { isWhole }),
    )('the address %s is refused', async (training_data_url) => {
      const model_id = await newModel()
      await expect(app.client.trainingJobs.createSft({ model_id, training_data_url })).rejects.toMatchObject({ status: 400 })
    })
  })
})
