import { randomUUID } from 'node:crypto'
import { type Operation, training } from '@heddle/core-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup } from '../testing/sampled-choice.ts'
import { send } from '../testing/send.ts'
import { startTrainingApp, type TestClient, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'
import { type Place, sampleRequests } from './testing/sample-requests.ts'

const operations = Object.entries(training).flatMap(([resource, group]) =>
  Object.keys(group as Record<string, Operation>).map((key) => ({ name: `${resource}.${key}`, resource, key })),
)
const marker = 'the-secret-of-the-other-tenant'

let app: TrainingApp
let place: Place
beforeAll(async () => {
  app = await startTrainingApp()
  place = await aFilledProject()
})
afterAll(() => app.close())

/** A model with a trained step, a job, a log, a recorded trajectory and training data, in which the marker stands. */
async function aFilledProject(): Promise<Place> {
  const project = `p-${randomUUID()}`
  const { id: model_id } = await app.client.models.create({ project, name: 'agent', base_model: 'table' })
  const group = { ...aGroup('a', 'b'), metadata: { note: marker } }
  const { id: job_id } = await app.client.trainingJobs.create({ model_id, trajectory_groups: [group] })
  expect(await untilEnded(app.client, job_id)).toMatchObject({ status: 'succeeded', step: 1 })
  await app.client.trajectories.log({ model_id, split: 'train', trajectory_groups: [group] })
  const address = `heddle-artifact:///local/${project}/agent`
  const question = { model: address, messages: [{ role: 'user', content: marker }], max_tokens: 1 }
  const recording = { 'x-heddle-trajectory-id': 't', 'x-heddle-group-id': 'g' }
  expect((await send(app, 'POST', '/v1/chat/completions', question, recording)).status).toBe(200)
  const { id: response_id } = await app.client.responses.create({ model: address, input: marker, max_output_tokens: 1 })
  const line = JSON.stringify({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: marker },
    ],
  })
  const { url } = await app.client.trainingData.create({ project, bytes: Buffer.from(line), content_type: 'application/jsonl' })
  const { id: file_id } = await app.client.trainingFiles.create({
    'openai-project': project,
    purpose: 'fine-tune',
    files: [{ field: 'file', filename: 'a.jsonl', content_type: 'application/jsonl', bytes: Buffer.from(line) }],
  })
  const { id: fine_tuning_job_id } = await app.client.fineTuningJobs.create({ model: 'table', training_file: file_id })
  await untilEnded(app.client, fine_tuning_job_id.replace('ftjob-', ''))
  const { data } = await app.client.checkpoints.list({ model_id })
  const { tinker } = app.client
  const { session_id } = await tinker.createSession({ project_id: project, display_name: marker })
  const { request_id, model_id: run_id = '' } = await tinker.createModel({ session_id, model_seq_id: 0, base_model: 'table' })
  await tinker.retrieveFuture({ request_id })
  const first = await tinker.saveWeights({ model_id: run_id, path: 'first', user_metadata: { note: marker } })
  await tinker.retrieveFuture(first)
  const { sampling_session_id: sampler_id } = await tinker.createSamplingSession({
    session_id,
    sampling_session_seq_id: 0,
    base_model: 'table',
  })
  return {
    entity: 'local',
    project,
    model_id,
    address,
    checkpoint_id: data[0]!.id,
    job_id,
    event_id: (await allEvents(app.client, job_id))[0]!.id,
    trajectory_id: 't',
    group_id: 'g',
    response_id,
    file_id,
    fine_tuning_job_id,
    training_data_url: url,
    session_id,
    run_id,
    sampler_id,
    request_id,
  }
}

type AnyClient = Record<string, Record<string, (input: object) => AsyncIterable<unknown> | Promise<unknown>>>

interface Outcome {
  status: number
  /** All that was said. */
  text: string
}

async function outcomeOf(client: TestClient, { resource, key }: { resource: string; key: string }, input: object): Promise<Outcome> {
  try {
    const answer = await (client as unknown as AnyClient)[resource]![key]!(input)
    const items: unknown[] = []
    if (Symbol.asyncIterator in Object(answer)) for await (const item of answer as AsyncIterable<unknown>) items.push(item)
    return { status: 200, text: JSON.stringify([answer, items]) }
  } catch (error) {
    const { status, message } = error as { status: number; message: string }
    return { status, text: message }
  }
}

/** All that is stored of the place. */
async function contentOf({ model_id, job_id, session_id, run_id }: Place): Promise<unknown> {
  const { client } = app
  return {
    model: await client.models.read({ model_id }),
    checkpoints: await client.checkpoints.list({ model_id }),
    jobs: await client.trainingJobs.list({ model_id }),
    job: await client.trainingJobs.read({ job_id }),
    logged: await client.trajectories.list({ model_id }),
    recorded: await client.recordedTrajectories.list({ model_id }),
    files: await client.trainingFiles.list({}),
    session: await client.tinker.readSession({ session_id }),
    weights: await client.tinker.listRunWeights({ run_id }),
  }
}

test('there is a request of each operation', () => {
  expect(Object.keys(sampleRequests).toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
})

const naming = operations.filter(({ name }) => sampleRequests[name] !== null)
/** Projects of another tenant are refused by their name, whether they exist or not. */
const byName: Record<string, number> = {
  'fineTuningJobs.list': 403,
  'models.create': 403,
  'models.list': 403,
  'trainingData.create': 403,
  'trainingFiles.create': 403,
  'trainingFiles.list': 403,
  'tinker.createSession': 403,
  // Clients of sessions know by this status that one is over.
  'tinker.heartbeat': 410,
  'tinker.readSession': 410,
  'tinker.finishSession': 410,
  'tinker.createModel': 410,
  'tinker.createSamplingSession': 410,
}

describe('a key of another tenant', () => {
  test.each(naming)('is told by $name with the ids of ours what it is told of ids that are not there', async (operation) => {
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    const before = await contentOf(place)
    const toInput = sampleRequests[operation.name]!
    const foreign = await outcomeOf(stranger, operation, toInput(place))
    const absent: Place = {
      ...place,
      model_id: randomUUID(),
      job_id: randomUUID(),
      response_id: `resp_${randomUUID()}`,
      file_id: `file-${randomUUID()}`,
      fine_tuning_job_id: `ftjob-${randomUUID()}`,
      session_id: randomUUID(),
      run_id: `${randomUUID()}:train:0`,
      sampler_id: `${randomUUID()}:sample:0`,
      request_id: randomUUID(),
      address: 'heddle-artifact:///local/nowhere/agent',
      project: 'nowhere',
    }
    const expected = await outcomeOf(stranger, operation, toInput(absent))
    expect(foreign.status).toBe(byName[operation.name] ?? 404)
    const plain = ({ status, text }: Outcome, { model_id, job_id, project, response_id, file_id, fine_tuning_job_id, ...more }: Place) => {
      const ofTinker = [more.request_id, more.run_id, more.sampler_id, more.session_id]
      const ids = [...ofTinker, model_id, fine_tuning_job_id, job_id, project, response_id, file_id]
      return [status, ids.reduce((plainer, id, at) => plainer.replaceAll(id, `ID ${at}`), text)]
    }
    expect(plain(foreign, place)).toEqual(plain(expected, absent))
    expect(foreign.text).not.toContain(marker)
    expect(await contentOf(place)).toEqual(before)
  })

  test('cannot learn from training data or weights of ours with a model of its own', async () => {
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    const { id: model_id } = await stranger.models.create({ project: 'own', name: 'agent', base_model: 'table' })
    const { training_data_url } = place
    const attempt = stranger.trainingJobs.createSft({ model_id, training_data_url })
    const absent = stranger.trainingJobs.createSft({ model_id, training_data_url: training_data_url.replace(place.project, 'nowhere') })
    await expect(absent).rejects.toMatchObject({ status: 400 })
    await expect(attempt).rejects.toMatchObject({ status: 400 })
    const kl_ref_adapter_path = `${place.address}:step1`
    const request = { model_id, trajectory_groups: [aGroup('a', 'b')], experimental_config: { kl_penalty_coef: 0.1, kl_ref_adapter_path } }
    const { id: job_id } = await stranger.trainingJobs.create(request)
    const job = await untilEnded(stranger, job_id)
    expect(job).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('names no checkpoint of a model in elsewhere/own'),
    })
  })
})
