import { randomUUID } from 'node:crypto'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openAiClient } from '../../testing/openai-client.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { sqlTrainingFilesStore } from './training-files-store.sql.ts'

let app: TrainingApp
let openai: OpenAI
const project = `p-${randomUUID()}`
const at = 1_700_000_000
const clientOf = (apiKey: string, options: Parameters<typeof openAiClient>[1] = {}) => openAiClient({ ...app, apiKey }, options)
beforeAll(async () => {
  app = await startTrainingApp({ service: { clock: () => at * 1_000_000 } })
  openai = clientOf(app.apiKey, { project })
})
afterAll(() => app.close())

const conversation = (answer: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: answer },
    ],
  })
const pair = JSON.stringify({
  input: { messages: [{ role: 'user', content: 'go' }] },
  preferred_output: [{ role: 'assistant', content: 'a' }],
  non_preferred_output: [{ role: 'assistant', content: 'b' }],
})
const upload = async (text: string | Buffer, client = openai) =>
  client.files.create({ file: await toFile(Buffer.from(text), 'orders.jsonl'), purpose: 'fine-tune' })

test('a file of conversations is uploaded, read, downloaded and deleted by the published client', async () => {
  const text = `${conversation('a')}\n\n${conversation('b')}\n`
  const file = await upload(text)
  expect(file).toEqual({
    id: expect.stringMatching(/^file-/) as string,
    object: 'file',
    bytes: Buffer.byteLength(text),
    created_at: at,
    filename: 'orders.jsonl',
    purpose: 'fine-tune',
    status: 'processed',
    status_details: null,
  })
  expect(await openai.files.retrieve(file.id)).toEqual(file)
  expect(await openai.files.waitForProcessing(file.id)).toEqual(file)
  expect(await (await openai.files.content(file.id)).text()).toBe(text)
  expect(await openai.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
  await expect(openai.files.retrieve(file.id)).rejects.toThrow(`404 file_id: file "${file.id}" not found`)
  await expect(openai.files.delete(file.id)).rejects.toThrow(OpenAI.NotFoundError)
})

test('deleting a file keeps the bytes of another one with the same content', async () => {
  const [first, second] = [await upload(conversation('same')), await upload(conversation('same'))]
  await openai.files.delete(first.id)
  expect(await (await openai.files.content(second.id)).text()).toBe(conversation('same'))
  const held = await app.database.selectFrom('blob_references').select('holder').where('holder', 'like', 'training-file:%').execute()
  expect(held.map(({ holder }) => holder)).toContain(`training-file:${second.id}`)
  expect(held.map(({ holder }) => holder)).not.toContain(`training-file:${first.id}`)
})

describe('each line is checked', () => {
  test.each([
    ['preference pairs', pair, 'processed', null],
    ['a line that is not JSON', `${conversation('a')}\nno`, 'error', 'line 2 of the training data is not a JSON object'],
    [
      'a line without an answer',
      '{"messages":[{"role":"user","content":"go"}]}',
      'error',
      'line 1 of the training data ends with a message',
    ],
    ['a conversation among pairs', `${pair}\n${conversation('a')}`, 'error', 'line 2 of the training data'],
    ['an empty file', '\n', 'error', 'the file has no lines'],
    ['bytes that are not UTF-8', Buffer.from([0x50, 0x41, 0x52, 0x31, 0xff, 0xfe]), 'error', 'line 1 of the training data'],
  ])('%s', async (_what, text, status, details) => {
    const file = await upload(text)
    expect(file.status).toBe(status)
    expect(file.status_details).toEqual(details === null ? null : expect.stringContaining(details))
  })

  test('a file with many wrong lines names the first and counts the others', async () => {
    const { status_details } = await upload('no\n'.repeat(30))
    expect(status_details?.split('\n')).toHaveLength(21)
    expect(status_details).toMatch(/10 more lines cannot be learned$/)
  })
})

test('files are listed newest first, in pages and in either order', async () => {
  const client = clientOf(app.apiKey, { project: `local/p-${randomUUID()}` })
  const ids: string[] = []
  for (const answer of ['a', 'b', 'c']) ids.push((await upload(conversation(answer), client)).id)
  const listed: string[] = []
  for await (const { id } of client.files.list({ limit: 2 })) listed.push(id)
  expect(listed).toEqual(ids.toReversed())
  expect((await client.files.list({ order: 'asc', limit: 1 })).data.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  expect((await client.files.list({ purpose: 'fine-tune' })).data).toHaveLength(3)
  expect((await client.files.list({ purpose: 'batch' })).data).toEqual([])
  await expect(client.files.list({ after: 'file-none' })).rejects.toThrow('404 after: file "file-none" was not found in this list')
})

describe('the project of a file', () => {
  test('is the only one of the key where the request names none, and must be named where there are several', async () => {
    const entity = `e-${randomUUID()}`
    const { secret } = await app.identity.createKey({ name: 'owner', role: 'admin', entity })
    const client = clientOf(secret)
    await expect(upload(conversation('a'), client)).rejects.toThrow('400 the API key has access to no project yet; name one in the header')
    const first = await upload(conversation('a'), clientOf(secret, { project: 'one' }))
    const second = await upload(conversation('b'), client)
    await upload(conversation('c'), clientOf(secret, { project: 'two' }))
    await expect(upload(conversation('d'), client)).rejects.toMatchObject({ status: 400, param: 'OpenAI-Project' })
    const inFirst = (await clientOf(secret, { project: 'one' }).files.list({ order: 'asc' })).data
    expect(inFirst.map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await client.files.list()).data).toHaveLength(3)
  })

  test('of another tenant gives no access to its files', async () => {
    const { id } = await upload(conversation('secret'))
    const { secret } = await app.identity.createKey({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    const stranger = clientOf(secret)
    await expect(stranger.files.retrieve(id)).rejects.toThrow(OpenAI.NotFoundError)
    await expect(stranger.files.content(id)).rejects.toThrow(OpenAI.NotFoundError)
    await expect(stranger.files.delete(id)).rejects.toThrow(OpenAI.NotFoundError)
    expect((await stranger.files.list()).data).toEqual([])
    await expect(clientOf(secret, { project: `local/${project}` }).files.list()).rejects.toThrow(OpenAI.PermissionDeniedError)
  })
})

test('a file beyond the limit is refused, and one that is larger than other bodies may be is taken', async () => {
  const small = await app.anotherServer({ limits: { maxBodyBytes: 1_000 } })
  const client = clientOf(small.apiKey, { project, fetch: (input, init) => small.service.fetch(new Request(input, init)) })
  expect((await upload(conversation('a'.repeat(5_000)), client)).status).toBe('processed')
  await expect(upload(conversation('a'.repeat(9_000)), client)).rejects.toMatchObject({ status: 413 })
})

test.each([
  ['another purpose', { purpose: 'batch' }, 'purpose', 'purpose "batch" is not supported'],
  [
    'an expiry',
    { purpose: 'fine-tune', expires_after: { anchor: 'created_at', seconds: 3600 } },
    'expires_after[anchor]',
    'expires_after[anchor] is not supported',
  ],
] as const)('%s is refused by its name', async (_what, fields, param, message) => {
  const file = await toFile(Buffer.from(conversation('a')), 'a.jsonl')
  await expect(openai.files.create({ ...fields, file })).rejects.toMatchObject({
    status: 400,
    param,
    message: expect.stringContaining(message) as string,
  })
})

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

test.each(dialects)('a project has a bounded number of files on $dialect', async ({ postgresUrl }) => {
  const stored = await startTrainingApp(postgresUrl === undefined ? {} : { postgresUrl })
  try {
    const name = `p-${randomUUID()}`
    const create = () =>
      stored.client.trainingFiles.create({
        'openai-project': name,
        purpose: 'fine-tune',
        files: [{ field: 'file', filename: 'a.jsonl', content_type: 'application/jsonl', bytes: Buffer.from(pair) }],
      })
    const { id } = await create()
    const store = sqlTrainingFilesStore(stored.database, 1)
    const work = { signal: undefined }
    const row = await store.find(work, id)
    expect(row).toMatchObject({ id, kind: 'preferences', examples: 1, error: null, size_bytes: Buffer.byteLength(pair) })
    const scope = await stored.identity.openForWork(`local/${name}`, { caller: 'test', signal: new AbortController().signal })
    await expect(store.create(scope, { ...row!, id: 'file-2' })).rejects.toMatchObject({ status: 409 })
    expect((await store.list(work, [`local/${name}`], { order: 'desc', after: null, limit: 10 })).map((each) => each.id)).toEqual([id])
    expect([await store.delete(scope, id), await store.delete(scope, id)]).toEqual([true, false])
  } finally {
    await stored.close()
  }
})
