import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toForwardBackwardJson } from '../../engine/tinker/json/messages.ts'
import type { Datum, ForwardBackwardRequest } from '../../engine/tinker/protobuf/messages.ts'
import { MessageWriter } from '../../engine/tinker/protobuf/wire.ts'
import { holdTraining } from '../../testing/hold-training.ts'
import { aGroup } from '../../testing/sampled-choice.ts'
import { send } from '../../testing/send.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'
import { startTrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'
import { aDatum, openTinker, type TinkerClient } from './testing/tinker-client.ts'

let tiny: TinyApp
let tinker: TinkerClient
beforeAll(async () => {
  tiny = await startTinyApp()
})
afterAll(() => tiny.close())
beforeEach(async () => {
  tinker = await openTinker(tiny.app)
})
afterEach(() => tinker.close())

const long = aDatum([5, 9, 12, 40, 41, 42], { weights: [0, 0, 1, 1, 2] })
const short = aDatum([7, 8, 9], { weights: [1, 1] })
const valuesOf = (rows: readonly Float32Array[]) => rows.map((row) => [...row])

describe('gradients', () => {
  test('add up over requests until they are applied', async () => {
    const [apart, together] = [await tinker.createModel(), await tinker.createModel({ model_seq_id: 1 })]
    await tinker.pass(apart, [long])
    await tinker.pass(apart, [short])
    await tinker.pass(together, [long, short])
    const norms = [await tinker.step(apart), await tinker.step(together)].map(({ metrics }) => metrics['grad_norm']!)
    expect(norms[0]).toBeGreaterThan(0)
    expect(norms[1]).toBeCloseTo(norms[0]!, 4)
    const after = [await tinker.pass(apart, [long]), await tinker.pass(together, [long])]
    expect(after[1]!.logProbabilities[0]![4]).toBeCloseTo(after[0]!.logProbabilities[0]![4]!, 4)
  })

  test('lower the loss, which is the weighted sum of the log-probabilities', async () => {
    const id = await tinker.createModel()
    const first = await tinker.pass(id, [long])
    const weighted = first.logProbabilities[0]!.reduce((sum, value, at) => sum - value * long.floats['weights']![at]!, 0)
    expect(first.metrics['loss:sum']).toBeCloseTo(weighted, 4)
    await tinker.step(id)
    const second = await tinker.pass(id, [long])
    expect(second.metrics['loss:sum']).toBeLessThan(first.metrics['loss:sum']!)
  })

  test('are not computed by a request for the loss alone', async () => {
    const id = await tinker.createModel()
    const evaluated = await tinker.pass(id, [long], { forwardOnly: true })
    expect(await tinker.step(id)).toEqual({ type: 'optim_step', metrics: { grad_norm: 0 } })
    expect(valuesOf((await tinker.pass(id, [long])).logProbabilities)).toEqual(valuesOf(evaluated.logProbabilities))
  })

  test('that are not finite change no weight, and the step reports it', async () => {
    const id = await tinker.createModel()
    const before = await tinker.pass(id, [long], { forwardOnly: true })
    await tinker.pass(id, [aDatum([1, 2], { logprobs: [-1], advantages: [Infinity] })], { lossFunction: 'importance_sampling' })
    expect((await tinker.step(id)).metrics).toEqual({ skipped_step: 1 })
    expect(valuesOf((await tinker.pass(id, [long], { forwardOnly: true })).logProbabilities)).toEqual(valuesOf(before.logProbabilities))
  })

  test('of a policy loss move towards what has an advantage', async () => {
    const id = await tinker.createModel()
    const { logProbabilities } = await tinker.pass(id, [short], { forwardOnly: true })
    const [first, second] = logProbabilities[0]!
    const sampled = aDatum([7, 8, 9], { logprobs: [first!, second!], advantages: [0, 1] })
    const { metrics } = await tinker.pass(id, [sampled], { lossFunction: 'ppo', lossConfig: { clip_high_threshold: 1.1 } })
    expect(metrics['loss:sum']).toBeCloseTo(-1, 5)
    await tinker.step(id)
    expect((await tinker.pass(id, [short])).logProbabilities[0]![1]).toBeGreaterThan(second!)
  })

  test.each([
    ['cross_entropy', { weights: [0, 0, 0, 1, 2] }],
    ['importance_sampling', { logprobs: [0, 0, 0, -1, -1], advantages: [0, 0, 0, 1, -2] }],
    ['ppo', { logprobs: [0, 0, 0, -1, -1], advantages: [0, 0, 0, 1, -2] }],
    ['cispo', { logprobs: [0, 0, 0, -1, -1], advantages: [0, 0, 0, 1, -2] }],
  ])('of %s are the same where targets that add nothing are any token, whose log-probability is then 0', async (lossFunction, floats) => {
    const [given, padded] = [await tinker.createModel(), await tinker.createModel({ model_seq_id: 1 })]
    const datum = aDatum([5, 9, 12, 40, 41, 42], floats)
    const withPadding = { ...datum, targets: Int32Array.of(0, 700_000, 40, 41, 42) }
    const expected = await tinker.pass(given, [datum], { lossFunction })
    const found = await tinker.pass(padded, [withPadding], { lossFunction })
    expect([...found.logProbabilities[0]!]).toEqual([0, 0, ...expected.logProbabilities[0]!.slice(2)])
    expect(found.metrics).toEqual(expected.metrics)
    expect(await tinker.step(padded)).toEqual(await tinker.step(given))
  })

  test('of targets that do not follow are those of what might have followed', async () => {
    const id = await tinker.createModel()
    const other = { ...aDatum([7, 8, 9], { logprobs: [-1, -1], advantages: [0, 1] }), targets: Int32Array.of(3, 9) }
    const { logProbabilities } = await tinker.pass(id, [other], { lossFunction: 'dro', lossConfig: { beta: 0.1 }, forwardOnly: true })
    const expected = await tinker.pass(id, [aDatum([7, 3]), aDatum([7, 8, 9])], { forwardOnly: true })
    expect(logProbabilities[0]![0]).toBeCloseTo(expected.logProbabilities[0]![0]!, 5)
    expect(logProbabilities[0]![1]).toBeCloseTo(expected.logProbabilities[1]![1]!, 5)
  })
})

describe('several targets for each token', () => {
  /** Three tokens with two targets each, of which one adds nothing. */
  const datum: Datum = {
    tokens: Int32Array.of(5, 9, 12),
    targets: Int32Array.of(9, 3, 12, 4, 40, 700_000),
    floats: { weights: Float32Array.of(0.75, 0.25, 0.5, 0.5, 1, 0) },
    columns: 2,
  }
  /** The same targets, one at a time. */
  const single = [0, 1].map((column) => ({
    tokens: datum.tokens,
    targets: datum.targets.filter((_, at) => at % 2 === column),
    floats: { weights: datum.floats['weights']!.filter((_, at) => at % 2 === column) },
  }))

  test('have the loss, the log-probabilities and the gradients of each alone', async () => {
    const [together, alone] = [await tinker.createModel(), await tinker.createModel({ model_seq_id: 1 })]
    const found = await tinker.pass(together, [long, datum])
    const expected = await tinker.pass(alone, [long, ...single])
    const [ofLong, ...columns] = expected.logProbabilities
    const inRows = Array.from(datum.targets, (_, at) => columns[at % 2]![Math.floor(at / 2)]!)
    for (const [at, value] of inRows.entries()) expect(found.logProbabilities[1]![at]).toBeCloseTo(value, 5)
    expect(found.logProbabilities[1]![5]).toBe(0)
    for (const [at, value] of ofLong!.entries()) expect(found.logProbabilities[0]![at]).toBeCloseTo(value, 5)
    expect(found.metrics['loss:sum']).toBeCloseTo(expected.metrics['loss:sum']!, 4)
    const norms = [await tinker.step(together), await tinker.step(alone)].map(({ metrics }) => metrics['grad_norm']!)
    expect(norms[0]! / norms[1]!).toBeCloseTo(1, 4)
    const [after, afterAlone] = [await tinker.pass(together, [long]), await tinker.pass(alone, [long])]
    for (const [at, value] of afterAlone.logProbabilities[0]!.entries()) expect(after.logProbabilities[0]![at]).toBeCloseTo(value, 3)
  })

  test('may be sent as sparse rows, in both dialects, and results have a row for each token', async () => {
    const id = await tinker.createModel()
    const expected = await tinker.pass(id, [datum], { forwardOnly: true })
    const sparse = (data: number[]) => ({ data, shape: [3, 2], sparse_crow_indices: [0, 2, 4, 5], sparse_col_indices: [0, 1, 0, 1, 0] })
    const loss_fn_inputs = { target_tokens: sparse([9, 3, 12, 4, 40]), weights: sparse([0.75, 0.25, 0.5, 0.5, 1]) }
    const model_input = { chunks: [{ type: 'encoded_text', tokens: [...datum.tokens] }] }
    const body = { model_id: id, forward_input: { data: [{ model_input, loss_fn_inputs }], loss_fn: 'cross_entropy' } }
    const promised = (await send(tiny.app, 'POST', '/api/v1/forward', body)) as { body: { request_id: string } }
    const result = await tinker.read<{ loss_fn_outputs: { logprobs: { data: number[]; shape: number[] } }[] }>(promised.body)
    expect(result.loss_fn_outputs[0]!.logprobs).toEqual({
      data: [...expected.logProbabilities[0]!].map((value) => expect.closeTo(value, 5)),
      dtype: 'float32',
      shape: [3, 2],
    })
  })

  test.each<[string, Partial<Datum>, string]>([
    ['for another loss', { floats: { logprobs: new Float32Array(6), advantages: new Float32Array(6) } }, 'which cross_entropy takes alone'],
    ['not for each token', { tokens: Int32Array.of(5, 9) }, 'target_tokens has 6 tokens, and model_input 2 with 2 targets each'],
    ['with too few weights', { floats: { weights: new Float32Array(4) } }, 'weights has 4 numbers, and target_tokens 6'],
  ])('are refused %s', async (_, change, reason) => {
    const id = await tinker.createModel()
    const lossFunction = change.floats?.['advantages'] ? 'ppo' : 'cross_entropy'
    await expect(tinker.pass(id, [{ ...datum, ...change }], { lossFunction })).rejects.toThrow(reason)
  })
})

test('the older dialect of JSON gives the same as the message', async () => {
  const id = await tinker.createModel()
  const request: ForwardBackwardRequest = { modelId: id, sequenceId: 0, data: [long], lossFunction: 'cross_entropy', forwardOnly: false }
  const expected = await tinker.pass(id, [long], { forwardOnly: true })
  for (const [path, forwardOnly] of [
    ['forward', true],
    ['forward_backward', false],
  ] as const) {
    const promised = await send(tiny.app, 'POST', `/api/v1/${path}`, toForwardBackwardJson({ ...request, forwardOnly }))
    const result = await tinker.read(promised.body as { request_id: string })
    const data = [...expected.logProbabilities[0]!]
    expect(result).toEqual({
      loss_fn_output_type: 'ArrayRecord',
      loss_fn_outputs: [{ logprobs: { data, dtype: 'float32', shape: [data.length] } }],
      metrics: expected.metrics,
    })
  }
  expect(
    (await tinker.read<{ metrics: { grad_norm: number } }>(await tiny.app.client.tinker.optimStep({ model_id: id, adam_params: {} })))
      .metrics.grad_norm,
  ).toBeGreaterThan(0)
})

describe('saved weights', () => {
  test('are a step of a model of the project, which is listed, served and dated as any other', async () => {
    const id = await tinker.createModel({ user_metadata: { heddle_model: 'adder', note: 'mine' } })
    await tinker.pass(id, [long])
    await tinker.step(id)
    const path = await tinker.saveForSampler(id, 'first')
    expect(path).toBe(`tinker://${id}/sampler_weights/first`)
    const { data: models } = await tiny.app.client.models.list({ project: tinker.project })
    expect(models).toEqual([expect.objectContaining({ name: 'adder', base_model: 'tiny' })])
    const { data: steps } = await tiny.app.client.checkpoints.list({ model_id: models[0]!.id })
    expect(steps.map(({ step }) => step)).toEqual([0, 1])
    expect(steps[1]!.metrics).toEqual({
      num_gradient_steps: 1,
      'loss/train': expect.any(Number),
      'loss/grad_norm': expect.any(Number),
      'loss/learning_rate': 0.01,
    })
    const chat = await send(tiny.app, 'POST', '/v1/chat/completions', {
      model: `local/${tinker.project}/adder:step1`,
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 2,
    })
    expect(chat).toMatchObject({ status: 200 })
    expect(await tiny.app.client.tinker.readRun({ run_id: id })).toMatchObject({
      training_run_id: id,
      base_model: 'tiny',
      is_lora: true,
      lora_rank: 4,
      last_checkpoint: null,
      last_sampler_checkpoint: {
        tinker_path: path,
        checkpoint_id: 'sampler_weights/first',
        heddle_step: 1,
        heddle_model_id: models[0]!.id,
      },
      user_metadata: { heddle_model: 'adder', note: 'mine' },
      heddle_model: `local/${tinker.project}/adder`,
    })
  })

  test('make no second step where nothing was trained in between', async () => {
    const id = await tinker.createModel()
    const stepOf = async (path: string) =>
      (await tiny.app.client.tinker.listRunWeights({ run_id: id })).checkpoints.find(({ tinker_path }) => tinker_path === path)?.heddle_step
    expect(await stepOf(await tinker.save(id, 'untrained'))).toBe(0)
    await tinker.pass(id, [long])
    await tinker.step(id)
    expect(await stepOf(await tinker.save(id, 'a'))).toBe(1)
    expect(await stepOf(await tinker.saveForSampler(id, 'b'))).toBe(1)
  })

  test('are where training continues to the bit, with the optimizer, in another session', async () => {
    const id = await tinker.createModel()
    const train = async (client: TinkerClient, model: string) => {
      await client.pass(model, [long, short])
      await client.step(model)
    }
    await train(tinker, id)
    const path = await tinker.save(id, 'between')
    await train(tinker, id)
    const expected = await tinker.pass(id, [long], { forwardOnly: true })
    const other = await openTinker(tiny.app, tinker.project)
    for (const [model_seq_id, optimizer] of [
      [0, true],
      [1, false],
    ] as const) {
      const promised = await tiny.app.client.tinker.loadWeights({ session_id: other.session_id, model_seq_id, path, optimizer })
      const { model_id } = await other.read<{ model_id: string }>(promised)
      await train(other, model_id)
      const found = await other.pass(model_id, [long], { forwardOnly: true })
      const isSame = JSON.stringify(valuesOf(found.logProbabilities)) === JSON.stringify(valuesOf(expected.logProbabilities))
      expect([optimizer, isSame]).toEqual([optimizer, optimizer])
      expect(await other.save(model_id, 'again')).toBe(`tinker://${model_id}/weights/again`)
    }
    await other.close()
  })

  test('are loaded into a model that is held, as older clients do', async () => {
    const id = await tinker.createModel()
    await tinker.pass(id, [long])
    await tinker.step(id)
    const path = await tinker.save(id, 'a')
    const expected = await tinker.pass(id, [long], { forwardOnly: true })
    const fresh = await tinker.createModel({ model_seq_id: 1 })
    const promised = await tiny.app.client.tinker.loadWeights({ ...tinker.nextOf(fresh), path, optimizer: false })
    await tinker.read(promised)
    expect(valuesOf((await tinker.pass(fresh, [long], { forwardOnly: true })).logProbabilities)).toEqual(
      valuesOf(expected.logProbabilities),
    )
    const wide = await tinker.createModel({ model_seq_id: 2, lora_config: { rank: 8 } })
    const refused = await tiny.app.client.tinker.loadWeights({ ...tinker.nextOf(wide), path, optimizer: false })
    await expect(tinker.read(refused)).rejects.toThrow('user: the weights at tinker://')
  })

  test('keep their name, unless it is to be replaced', async () => {
    const id = await tinker.createModel()
    await tinker.save(id, 'a')
    await expect(tinker.save(id, 'a')).rejects.toThrow(
      `user: tinker://${id}/weights/a is there already; choose another name, or set overwrite`,
    )
    await tinker.pass(id, [long])
    await tinker.step(id)
    const path = await tinker.save(id, 'a', { overwrite: true, user_metadata: { note: 'second' } })
    const { checkpoints } = await tiny.app.client.tinker.listRunWeights({ run_id: id })
    expect(checkpoints).toEqual([expect.objectContaining({ tinker_path: path, heddle_step: 1, user_metadata: { note: 'second' } })])
  })

  test('are listed over all runs, and removed by their address, which leaves the step of the model', async () => {
    const id = await tinker.createModel()
    await tinker.pass(id, [long])
    await tinker.step(id)
    const path = await tinker.save(id, 'a')
    const client = tiny.app.client.tinker
    const { checkpoints, cursor } = await client.listWeights({ limit: 1 })
    expect(checkpoints.map(({ tinker_path }) => tinker_path)).toEqual([path])
    expect(cursor!.total_count).toBeGreaterThanOrEqual(1)
    expect((await client.listRuns({ limit: 1 })).training_runs.map(({ training_run_id }) => training_run_id)).toEqual([id])
    expect(await client.readWeightsInfo({ tinker_path: path })).toMatchObject({ base_model: 'tiny', is_lora: true, lora_rank: 4 })
    await client.deleteWeights({ run_id: id, kind: 'weights', name: 'a' })
    expect((await client.listRunWeights({ run_id: id })).checkpoints).toEqual([])
    await expect(client.deleteWeights({ run_id: id, kind: 'weights', name: 'a' })).rejects.toMatchObject({ status: 404 })
    const { data } = await tiny.app.client.models.list({ project: tinker.project })
    expect((await tiny.app.client.checkpoints.list({ model_id: data[0]!.id })).data.map(({ step }) => step)).toEqual([0, 1])
  })

  test('are refused while a training job of the model has not ended, and then follow its step', async () => {
    const app = await startTrainingApp()
    const client = await openTinker(app)
    const id = await client.createModel({ base_model: 'table' })
    await client.pass(id, [aDatum([97, 98, 99])])
    await client.step(id)
    const { data } = await app.client.models.list({ project: client.project })
    const { release } = holdTraining(app)
    const job = await app.client.trainingJobs.create({ model_id: data[0]!.id, trajectory_groups: [aGroup('a', 'b')] })
    await expect(client.save(id, 'a')).rejects.toThrow(`user: the training job ${job.id} of the model has not ended`)
    release()
    expect(await untilEnded(app.client, job.id)).toMatchObject({ status: 'succeeded', step: 1 })
    await client.save(id, 'a')
    expect((await app.client.tinker.listRunWeights({ run_id: id })).checkpoints).toMatchObject([{ heddle_step: 2 }])
    await app.close()
  })
})

describe('a model', () => {
  test('is created once for its number in the session', async () => {
    const asked = { session_id: tinker.session_id, model_seq_id: 0, base_model: 'tiny' }
    const [first, second] = [await tiny.app.client.tinker.createModel(asked), await tiny.app.client.tinker.createModel(asked)]
    expect(second).toEqual(first)
    await tinker.read(first)
    expect((await tiny.app.client.models.list({ project: tinker.project })).data).toHaveLength(1)
    expect(await tiny.app.client.tinker.readInfo({ model_id: first.model_id! })).toMatchObject({
      model_name: 'tiny',
      is_lora: true,
      lora_rank: 4,
    })
  })

  test('trains every weight where its base model has no adapter', async () => {
    const app = await startTrainingApp()
    const client = await openTinker(app)
    const id = await client.createModel({ base_model: 'table' })
    expect(await app.client.tinker.readInfo({ model_id: id })).toMatchObject({ is_lora: false, lora_rank: null })
    await client.pass(id, [aDatum([97, 98, 99])])
    await client.step(id)
    expect(await client.save(id, 'a')).toBe(`tinker://${id}/weights/a`)
    await app.close()
  })

  test('has the name that the user gives, which no other model of the project has', async () => {
    await tinker.createModel({ user_metadata: { heddle_model: 'mine' } })
    await expect(tinker.createModel({ model_seq_id: 1, user_metadata: { heddle_model: 'mine' } })).rejects.toThrow(
      'has a model "mine" already; choose another heddle_model',
    )
    await expect(tinker.createModel({ model_seq_id: 2, user_metadata: { heddle_model: 'a/b' } })).rejects.toThrow(
      'user_metadata.heddle_model "a/b" contains "/"',
    )
  })

  test('is released by its client, and then holds nothing', async () => {
    const id = await tinker.createModel()
    await tinker.read(await tiny.app.client.tinker.unloadModel({ model_id: id }))
    await expect(tiny.app.client.tinker.readInfo({ model_id: id })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('is not held for training'),
    })
  })

  test('is named in everything that is read back as the client named it', async () => {
    const named = await openTinker(tiny.app)
    const id = await named.createModel({ base_model: 'org/tiny' })
    const { client } = tiny.app
    const { model_name, model_data } = await client.tinker.readInfo({ model_id: id })
    expect({ model_name, model_data }).toEqual({
      model_name: 'org/tiny',
      model_data: { arch: 'decoder', model_name: 'org/tiny', tokenizer_id: 'org/tiny' },
    })
    const path = await named.save(id, 'saved')
    const run = await client.tinker.readRun({ run_id: id })
    expect(run.base_model).toBe('org/tiny')
    expect((await client.tinker.readWeightsInfo({ tinker_path: path })).base_model).toBe('org/tiny')
    const opened = await client.tinker.createSamplingSession({
      session_id: named.session_id,
      sampling_session_seq_id: 0,
      model_path: path,
    })
    expect((await client.tinker.readSampler({ sampler_id: opened.sampling_session_id })).base_model).toBe('org/tiny')
    const [entity, project, name] = run.heddle_model.split('/')
    expect((await client.models.list({ entity, project, name })).data).toMatchObject([{ base_model: 'tiny' }])
    await named.close()
  })

  test('continues from weights under another name of their base model, and not of another base model', async () => {
    const named = await openTinker(tiny.app)
    const path = await named.save(await named.createModel({ base_model: 'org/tiny' }), 'saved')
    const load = (model_seq_id: number, base_model: string | null) =>
      tiny.app.client.tinker.loadWeights({ session_id: named.session_id, model_seq_id, path, optimizer: false, base_model })
    for (const [number, base_model, read] of [
      [1, 'tiny', 'tiny'],
      [2, null, 'org/tiny'],
    ] as const) {
      const { model_id } = await named.read<{ model_id: string }>(await load(number, base_model))
      expect((await tiny.app.client.tinker.readInfo({ model_id })).model_name).toBe(read)
    }
    await expect(load(3, 'org/table')).rejects.toThrow(/are weights of tiny|is not a base model/)
    await named.close()
  })

  test.each([
    [
      'a rank that the server does not train',
      { lora_config: { rank: 1_024 } },
      'rank 1024: this server trains adapters of rank 256 at most',
    ],
    ['another base model', { base_model: 'huge' }, 'base_model "huge" is not a base model; this server has tiny'],
    ['adapters of some layers alone', { lora_config: { rank: 4, train_mlp: false } }, 'train_mlp=False is not supported'],
    ['adapters of some layers alone', { lora_config: { rank: 4, train_attn: false } }, 'train_attn=False is not supported'],
    ['another optimizer', { optimizer_config: { type: 'dimuon' } }, 'optimizer "dimuon" is not supported'],
  ])('is refused by name with %s', async (_, more, reason) => {
    await expect(tinker.createModel(more)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(reason) })
  })

  test('beyond the most that the sessions of a project hold is refused, and another project has its own', async () => {
    const project = `p-${randomUUID()}`
    const [one, other] = [await openTinker(tiny.app, project), await openTinker(tiny.app, project)]
    for (const client of [one, other]) for (const model_seq_id of [0, 1]) await client.createModel({ model_seq_id })
    await expect(other.createModel({ model_seq_id: 2 })).rejects.toThrow(
      'the sessions of this project hold 4 models, the most of one project',
    )
    await tinker.createModel()
    await one.close()
    await other.createModel({ model_seq_id: 2 })
    await other.close()
  })
})

describe('a request is refused by name', () => {
  const chunk = (field: number) => new MessageWriter().message(field, (inner) => inner.bytes(1, Buffer.of(1))).finish()
  const aMessage = (datum: (writer: MessageWriter) => unknown) => (id: string) =>
    new MessageWriter().text(1, id).message(3, datum).text(4, 'cross_entropy').finish()

  test.each<[string, (id: string) => Uint8Array, string]>([
    ['with an image', aMessage((datum) => datum.bytes(1, chunk(2))), 'model_input has a chunk of image; only text is taken'],
    ['with audio', aMessage((datum) => datum.bytes(1, chunk(3))), 'model_input has a chunk of dmel (audio); only text is taken'],
    [
      'with tensors of three dimensions',
      aMessage((datum) =>
        datum.message(2, (entry) =>
          entry
            .text(1, 'target_tokens')
            .message(2, (tensor) => tensor.bytes(1, Buffer.alloc(16)).integer(3, 2).packedIntegers(4, [1, 2, 1])),
        ),
      ),
      'target_tokens has 3 dimensions (1 x 2 x 1); at most two are possible, a row for each token',
    ],
    ['without sequences', (id) => new MessageWriter().text(1, id).text(4, 'cross_entropy').finish(), 'data is empty'],
    ['that is not a message', () => Buffer.of(0xff), 'a message ends within an integer'],
  ])('%s', async (_, toBytes, reason) => {
    const bytes = toBytes(await tinker.createModel())
    const asked = tiny.app.client.tinker.forwardBackward({ bytes, content_type: 'application/x-protobuf' })
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(reason) })
  })

  test('whose loss is unknown', async () => {
    const id = await tinker.createModel()
    await expect(tinker.pass(id, [long], { lossFunction: 'grpo' })).rejects.toThrow('loss_fn "grpo" is not computed here')
  })

  test('by the engine in the result, and the next request is worked on', async () => {
    const id = await tinker.createModel()
    await expect(tinker.pass(id, [aDatum([1, 600])])).rejects.toThrow('user: token 600 is outside the vocabulary')
    await expect(tinker.pass(id, [aDatum(Array.from({ length: 900 }, () => 1))])).rejects.toThrow('the model takes 768')
    expect((await tinker.pass(id, [short])).metrics['loss:sum']).toBeGreaterThan(0)
  })

  test.each([
    ['another optimizer', { optimizer_params: { type: 'dimuon' } }, 'optimizer_params is not supported'],
    ['no optimizer', {}, 'adam_params is missing'],
    ['a rate below 0', { adam_params: { learning_rate: -1 } }, 'adam_params.learning_rate is -1; it must be 0 or above'],
    ['a beta of 1', { adam_params: { beta2: 1 } }, 'adam_params.beta2 is 1; it must be from 0 to below 1'],
  ])('with %s', async (_, more, reason) => {
    const model_id = await tinker.createModel()
    await expect(tiny.app.client.tinker.optimStep({ model_id, ...more })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(reason),
    })
  })

  test.each([
    ['save_weights_external', {}, 'save_weights_external is not supported by this server'],
    ['copy_weights', {}, 'copy_weights is not supported by this server'],
    ['create_custom_loss', {}, 'forward_backward_custom computes a custom loss in the client'],
    ['load_weights', { path: 'file:///etc/passwd', session_id: 's', model_seq_id: 0 }, 'is not an address of saved weights'],
    ['load_weights', { path: 'tinker://a/weights/b', weights_access_token: 't' }, 'weights_access_token is not supported'],
  ])('as %s with %j', async (path, body, reason) => {
    const { status, body: answer } = await send(tiny.app, 'POST', `/api/v1/${path}`, body)
    expect([status, answer]).toEqual([400, { detail: expect.stringContaining(reason) }])
  })
})
