import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../testing/send.ts'
import { startTrainingApp, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'

let app: TrainingApp
let now = Date.now() * 1000
const project = `sft-${randomUUID().slice(0, 8)}`
const lines = ['yes', 'no', 'hi'].map((word) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `Say ${word}.` },
      { role: 'assistant', content: word },
    ],
  }),
)
const conversations = `${lines.join('\n')}\n`

beforeAll(async () => {
  app = await startTrainingApp({ service: { isAlone: true, clock: () => now } })
})
afterAll(() => app.close())

const basic = (apiKey: string) => ({ authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}` })

/** What the tracking client reads of the answers. */
interface TrackingData {
  [document: string]: unknown
  createArtifact: { artifact: { id: string } }
  createArtifactManifest: { artifactManifest: { file: { uploadUrl: string } } }
  createArtifactFiles: { files: { edges: { node: { uploadUrl: string } }[] } }
  createRunFiles: { files: { uploadUrl: string }[] }
  commitArtifact: { artifact: { id: string } }
  TypeInfo: { inputFields: { name: string }[] }
}

/** Sends a document as the tracking client does: the name beside it, or in its text alone. */
async function ask(name: string, variables: unknown, { text = `query ${name} { it }`, apiKey = app.apiKey, headers = {} } = {}) {
  const body = { query: text, operationName: text.includes(`${name} `) ? '' : name, variables }
  const response = await send(app, 'POST', '/graphql', body, { ...basic(apiKey), ...headers })
  expect(response.status).toBe(200)
  return response.body as { data: TrackingData; errors?: { message: string; extensions?: { code: string } }[] }
}

async function createArtifact(collection: string, entityName = 'local') {
  const input = {
    aliases: [{ alias: 'latest', artifactCollectionName: collection }],
    artifactCollectionName: collection,
    artifactTypeName: 'dataset',
    clientID: 'n5wrdwlc',
    digest: '9f86d081',
    entityName,
    projectName: project,
    metadata: '{"format":"jsonl","num_trajectories":3}',
  }
  return ask('CreateArtifact', { input }, { text: 'mutation CreateArtifact ($input: CreateArtifactInput!) { createArtifact }' })
}

const artifactIdOf = (answer: Awaited<ReturnType<typeof createArtifact>>) => answer.data.createArtifact.artifact.id

async function openFiles(artifactID: string, names: readonly string[], headers = {}): Promise<string[]> {
  const artifactFiles = names.map((name) => ({ artifactID, artifactManifestID: artifactID, md5: 'N/AQaP/R5O/EmlRA7d/DFg==', name }))
  const answer = await ask('CreateArtifactFiles', { input: { artifactFiles, storageLayout: 'V2' } }, { headers })
  expect(answer.errors).toBeUndefined()
  return answer.data.createArtifactFiles.files.edges.map(({ node }) => {
    expect(node).toMatchObject({ uploadHeaders: [], uploadMultipartUrls: null, artifact: { id: artifactID } })
    return node.uploadUrl
  })
}

/** Uploads as the client does: without a key. */
const put = (url: string, content: string) => app.service.fetch(new Request(url, { method: 'PUT', body: content }))

async function upload(collection: string, files: Readonly<Record<string, string>>): Promise<string> {
  const urls = await openFiles(artifactIdOf(await createArtifact(collection)), Object.keys(files))
  for (const [at, content] of Object.values(files).entries()) expect((await put(urls[at]!, content)).status).toBe(200)
  return `wandb-artifact:///local/${project}/${collection}:v0`
}

const newModel = async () =>
  (await app.client.models.create({ project, name: `m-${randomUUID()}`, base_model: 'table', return_existing: true })).id

test('conversations that the tracking client stores are what a fine-tuning job learns from', async () => {
  const model_id = await newModel()
  const name = 'm-228771'
  const run = { project, entity: 'local', name }
  const viewer = { id: expect.any(String), entity: 'local', username: expect.any(String), flags: '{}', teams: { edges: [] } }
  expect((await ask('Viewer', null, { text: '{ viewer { id } }' })).data).toMatchObject({ viewer })
  expect((await ask('Viewer', null)).data).toMatchObject({ viewer })
  expect((await ask('ServerFeaturesQuery', null)).data).toEqual({ serverInfo: { features: [] } })
  expect((await ask('RunResumeStatus', run)).data['model']).toMatchObject({ name: project, entity: { name: 'local' }, bucket: null })
  expect((await ask('UpsertBucket', { id: null, ...run, displayName: null })).data['upsertBucket']).toMatchObject({
    bucket: { name, displayName: name, config: null, historyLineCount: 0, project: { name: project, entity: { name: 'local' } } },
    inserted: true,
  })
  expect((await ask('OrganizationCoreWeaveOrganizationID', { entityName: 'local' })).data).toEqual({ entity: { organization: null } })
  expect((await ask('ArtifactType', run, { text: 'query ArtifactType($name: String!) { project }' })).data).toEqual({
    project: { artifact: null },
  })
  expect((await ask('InputFields', {})).data.TypeInfo.inputFields).toContainEqual({ name: 'artifactCollectionName' })

  const collection = `${name}-sft-data-e1cfa8dae59a`
  const created = await createArtifact(collection)
  expect(created.data.createArtifact.artifact).toMatchObject({ state: 'PENDING', artifactSequence: { latestArtifact: null } })
  const artifactID = artifactIdOf(created)
  const manifest = { artifactID, name: 'wandb_manifest.json', entityName: 'local', projectName: project, includeUpload: true }
  const { file } = (await ask('CreateArtifactManifest', manifest)).data.createArtifactManifest.artifactManifest
  const [url = ''] = await openFiles(artifactID, ['train.jsonl'])
  expect((await put(url, conversations)).status).toBe(200)
  expect((await put(file.uploadUrl, '{"version":1}')).status).toBe(200)
  expect((await ask('CommitArtifact', { artifactID })).data.commitArtifact.artifact).toMatchObject({ id: artifactID })
  expect((await ask('ArtifactByID', { id: artifactID })).data).toEqual({ artifact: null })
  const files = ['config.yaml', 'output.log']
  const runFiles = (await ask('CreateRunFiles', { entity: 'local', project, run: name, files })).data.createRunFiles.files
  for (const each of runFiles) expect((await put(each.uploadUrl, 'x')).status).toBe(200)
  const log = { files: { 'output.log': { offset: 0, content: ['a line'] } } }
  expect(await send(app, 'POST', `/files/local/${project}/${name}/file_stream`, log, basic(app.apiKey))).toMatchObject({
    status: 200,
    body: {},
  })

  const { status, body } = await send(app, 'POST', '/v1/preview/sft-training-jobs', {
    model_id,
    training_data_url: `wandb-artifact:///local/${project}/${collection}:v0`,
    config: { learning_rate: 5e-5, assistant_turns: 'all', metric_logging: { enabled: true, target_training_step: 1 } },
  })
  expect(status).toBe(200)
  const job = await untilEnded(app.client, (body as { id: string }).id)
  expect(job).toMatchObject({ status: 'succeeded', kind: 'sft', step: 1 })
  const [started] = await allEvents(app.client, job.id)
  expect(started!.data).toMatchObject({
    num_sequences: 2,
    notes: expect.arrayContaining([expect.stringContaining('rows of the run of this model')]),
  })
})

describe('the run of a model', () => {
  const rowsOf = (answer: Awaited<ReturnType<typeof ask>>) => (answer.data['project'] as { run: Record<string, unknown> | null }).run
  const names = { entity: 'local', project }
  /** Queries begin with a comment in some clients. */
  const text = (name: string) => ({ text: `#graphql\n  query ${name} ($project: String!) { project }` })

  async function fineTune(model_id: string, metric_logging: { enabled: boolean; target_training_step?: number } | null) {
    const training_data_url = await upload(`run-${randomUUID()}`, { 'train.jsonl': conversations })
    const { id } = await app.client.trainingJobs.createSft({ model_id, training_data_url, config: { metric_logging } })
    await untilEnded(app.client, id)
    return (await allEvents(app.client, id)).filter(({ type }) => type === 'gradient_step')
  }

  test('has the gradient steps of the jobs that were to log their metrics, and goes with the model', async () => {
    const model_id = await newModel()
    const { name } = await app.client.models.read({ model_id })
    await fineTune(model_id, null)
    await fineTune(model_id, { enabled: false })
    expect(rowsOf(await ask('Run', { ...names, name }, text('Run')))).toBeNull()
    const [first, second] = await fineTune(model_id, { enabled: true, target_training_step: 3 })
    const [third] = await fineTune(model_id, { enabled: true, target_training_step: 4 })

    const run = { name, state: 'finished', historyLineCount: 4, historyKeys: { lastStep: 3, keys: { 'sft/loss': expect.anything() } } }
    expect(rowsOf(await ask('Run', { ...names, name }, text('Run')))).toMatchObject(run)
    expect(rowsOf(await ask('RunHistoryKeys', { ...names, name }, text('RunHistoryKeys')))).toMatchObject(run)
    const { history } = rowsOf(await ask('RunFullHistory', { ...names, name, samples: 500 }, text('RunFullHistory'))) as {
      history: string[]
    }
    const rows = history.map((row) => JSON.parse(row) as Record<string, number>)
    expect(rows.map((row) => [row['_step'], row['training_step'], row['sft/gradient_step']])).toEqual([
      [0, 3, 1],
      [1, 3, 2],
      [2, 4, 1],
      [3, 4, 2],
    ])
    expect(rows.slice(0, 3).map((row) => row['sft/loss'])).toEqual([first, second, third].map((event) => event!.data['loss']))

    const page = { ...names, run: name, minStep: 1, maxStep: 3, pageSize: 2 }
    expect(rowsOf(await ask('HistoryPage', page))).toEqual({ history: history.slice(1, 3) })
    const spec = JSON.stringify({ keys: ['_step', 'sft/loss'], minStep: 1, maxStep: 1, samples: 5 })
    expect(rowsOf(await ask('SampledHistoryPage', { ...names, run: name, spec }))).toEqual({
      sampledHistory: [[{ _step: 1, 'sft/loss': rows[1]!['sft/loss'] }]],
    })
    const missing = JSON.stringify({ keys: ['_step', 'reward'] })
    expect(rowsOf(await ask('RunSampledHistory', { ...names, name, specs: [missing] }))).toEqual({ sampledHistory: [[]] })

    expect(await app.client.models.delete({ model_id })).toMatchObject({ deleted_run: true })
    expect(rowsOf(await ask('Run', { ...names, name }, text('Run')))).toBeNull()
  })

  test('is read by keys of its project alone, and not with a specification that is not JSON', async () => {
    const { secret: apiKey } = await app.identity.createKey({ name: 'reader', role: 'reader', entity: 'acme' })
    expect(await ask('HistoryPage', { ...names, run: 'm' }, { apiKey })).toMatchObject({
      errors: [{ extensions: { code: 'PERMISSION_ERROR' } }],
    })
    expect(await ask('RunSampledHistory', { ...names, name: 'm', specs: ['{'] })).toMatchObject({
      errors: [{ message: 'specs must be texts of JSON' }],
    })
  })
})

test('an upload that is repeated changes nothing, and a file that is not a list of conversations is not kept', async () => {
  const [url = '', other = ''] = await openFiles(artifactIdOf(await createArtifact('twice')), ['train.jsonl', 'metadata.json'])
  for (const content of [conversations, conversations]) expect((await put(url, content)).status).toBe(200)
  expect((await put(other, '{}')).status).toBe(200)
  const kept = await app.database.selectFrom('training_data').select('name').where('name', 'like', 'twice/%').execute()
  expect(kept).toEqual([{ name: 'twice/train.jsonl' }])
})

test.each([
  ['train.jsonl before others', { 'other.jsonl': '[]', 'train.jsonl': conversations, 'trajectories.jsonl': '[]' }],
  ['trajectories.jsonl after it', { 'trajectories.jsonl': conversations, 'other.jsonl': '[]', 'metadata.json': '{}' }],
  ['the only list of conversations', { 'talks.jsonl': conversations, 'metadata.json': '{}' }],
])('a job learns from %s', async (_name, files) => {
  const training_data_url = await upload(`chosen-${randomUUID()}`, files)
  const { id } = await app.client.trainingJobs.createSft({ model_id: await newModel(), training_data_url, config: null })
  expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded' })
})

test('an artifact with several lists of conversations, or with none, is refused by name', async () => {
  const model_id = await newModel()
  const several = await upload('several', { 'b.jsonl': conversations, 'a.jsonl': conversations })
  await expect(app.client.trainingJobs.createSft({ model_id, training_data_url: several, config: null })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('a.jsonl, b.jsonl'),
  })
  const none = await upload('none', { 'metadata.json': '{}' })
  await expect(app.client.trainingJobs.createSft({ model_id, training_data_url: none, config: null })).rejects.toMatchObject({
    status: 400,
  })
})

test('an upload address ends after an hour, and an invented one never began', async () => {
  const [url = ''] = await openFiles(artifactIdOf(await createArtifact('late')), ['train.jsonl'])
  expect(
    (
      await put(
        url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        conversations,
      )
    ).status,
  ).toBe(404)
  now += 3_600_000_001
  expect((await put(url, conversations)).status).toBe(404)
})

test('upload addresses are at the scheme and host by which the client came', async () => {
  const [url = ''] = await openFiles(artifactIdOf(await createArtifact('proxied')), ['train.jsonl'], { 'x-forwarded-proto': 'https' })
  expect(url).toMatch(/^https:\/\/heddle\.test\/files\/artifacts\/[\w-]{43}$/)
})

test('upload addresses are below the base path', async () => {
  const below = await app.anotherServer({ basePath: '/tools/heddle' })
  const variables = { entity: 'local', project, run: 'r1', files: ['wandb-metadata.json'] }
  const { body } = await send(below, 'POST', '/graphql', { query: 'mutation CreateRunFiles { it }', variables })
  const [file] = (body as { data: TrackingData }).data.createRunFiles.files
  expect(file?.uploadUrl).toMatch(/^http:\/\/heddle\.test\/tools\/heddle\/files\/artifacts\/[\w-]{43}$/)
})

test('a key opens no uploads in a project that it may not write to', async () => {
  const { secret: apiKey } = await app.identity.createKey({ name: 'other', role: 'writer', entity: 'acme' })
  const artifactID = artifactIdOf(await createArtifact('private'))
  const files = { artifactFiles: [{ artifactID, name: 'train.jsonl' }] }
  const denied = { errors: [{ extensions: { code: 'PERMISSION_ERROR' } }] }
  expect(await ask('CreateArtifactFiles', files, { apiKey })).toMatchObject(denied)
  expect(await ask('CreateArtifactManifest', { artifactID }, { apiKey })).toMatchObject(denied)
  expect(await ask('CreateRunFiles', { entity: 'local', project, files: ['a'] }, { apiKey })).toMatchObject(denied)
  expect((await send(app, 'POST', '/graphql', { query: '{ viewer { id } }' }, basic('wrong'.repeat(10)))).status).toBe(401)
})

test.each([
  ['CreateArtifact', { input: { artifactCollectionName: 'a/b', entityName: 'local', projectName: 'p' } }, 'artifactCollectionName'],
  ['CreateArtifactFiles', { input: { artifactFiles: [{ artifactID: 'art1', name: 'a' }] } }, 'artifactID "art1"'],
  ['CreateArtifactFiles', { input: { artifactFiles: Array.from({ length: 101 }, () => null) } }, '101 values'],
  ['CommitArtifact', { artifactID: 7 }, 'artifactID'],
  ['UpsertBucket', { name: 'run' }, 'project_id'],
  ['AnotherDocument', {}, 'unsupported'],
])('%s that cannot be answered is an error that the client can show', async (name, variables, message) => {
  expect(await ask(name, variables)).toMatchObject({ errors: [{ message: expect.stringContaining(message) }] })
})
