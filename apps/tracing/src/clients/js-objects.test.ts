import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readCalls } from './testing/call-tree.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

interface Seen {
  settings: Record<string, unknown>
  prompts: { refs: [string, string] } & Record<string, unknown>
  retriever: { ref: string; value: Record<string, unknown> }
  deleted: unknown
}

let server: ServerUnderTest
let project_id: string
/** What the client itself read back. */
let seen: Seen
beforeAll(async () => {
  server = await startServer()
  project_id = server.newProject()
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  const output = await runProgram({ name: 'js-objects.mjs', args: [project_id, server.url, server.apiKey], env })
  seen = JSON.parse(output.split('\n').at(-1) ?? '') as Seen
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

const versionsOf = async (object_id: string) =>
  (await server.client.objects.query({ project_id, filter: { object_ids: [object_id] }, include_tags_and_aliases: true })).objs

test('the JavaScript client reads a published value by its ref, `latest`, an index and an alias', () => {
  const published = { temperature: 0.5, stop: ['\n'], 世界: 'ü🙂' }
  expect(seen.settings).toEqual({
    sameDigest: true,
    first: published,
    latest: published,
    byIndex: { temperature: 1 },
    byAlias: { temperature: 1 },
    missing: { status: 404, reason: 'Obj settings:v7 not found', deleted: false },
  })
})

test('the same value is published again as the same version, which is the latest again', async () => {
  expect(await versionsOf('settings')).toMatchObject([
    { version_index: 0, is_latest: 1, aliases: ['latest'] },
    { version_index: 1, is_latest: 0, aliases: ['prod'] },
  ])
})

test('the JavaScript client publishes prompts and reads them back as prompts', async () => {
  expect(seen.prompts).toMatchObject({
    text: 'Hello Ada!',
    description: 'says hello',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ],
  })
  const [greeting] = await versionsOf('greeting')
  expect(greeting).toMatchObject({ kind: 'object', base_object_class: 'Prompt', leaf_object_class: 'StringPrompt' })
  expect(seen.prompts.refs[0]).toBe(`weave:///${project_id}/object/greeting:${greeting?.digest}`)
})

test('an instance is published with refs to its prompt and its op, and calls refer to it', async () => {
  const { ref, value } = seen.retriever
  expect(value).toMatchObject({ _type: 'Retriever', limit: 3, prompt: seen.prompts.refs[0] })
  expect(value['search']).toMatch(new RegExp(`^weave:///${project_id}/op/search:[A-Za-z0-9]{43}$`))
  expect((await readCalls(server, project_id)).map(({ inputs }) => inputs)).toEqual([{ retriever: ref, question: 'Why?' }])
  const found = await server.client.calls.query({ project_id, filter: { input_refs: [ref] }, expand_columns: ['inputs.retriever'] })
  expect(found.calls).toMatchObject([{ inputs: { retriever: { _ref: ref, limit: 3 } } }])
})

test('the client learns that an object was deleted', () => {
  expect(seen.deleted).toEqual({ status: 404, reason: expect.stringMatching(/^gone:v0 was deleted at /), deleted: true })
})
