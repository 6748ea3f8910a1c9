import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { unpackBytes } from '@heddle/training/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from '../server/start-server.ts'
import { toConfiguration } from '../settings/configuration.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommandHere } from '../testing/run-command.ts'

let server: TestServer
let project: string
const folder = mkdtempSync(join(tmpdir(), 'heddle-models-'))
beforeAll(async () => {
  server = await shareBuiltTestServer()
  project = server.newProject()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) =>
  runCommandHere([...args, '--url', server.url, '--project', project], { HEDDLE_API_KEY: server.apiKey, HEDDLE_DATA_DIR: folder })

/** Trains the model on two conversations; returns the id of the job. */
async function train(name: string, line: string): Promise<string> {
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })
  const [entity, own] = project.split('/') as [string, string]
  const { data } = await client.models.list({ entity, project: own, name })
  const { url } = await client.trainingData.create({ entity, project: own, bytes: Buffer.from(line), content_type: 'application/jsonl' })
  return (await client.trainingJobs.createSft({ model_id: data[0]!.id, training_data_url: url, config: { batch_size: 1 } })).id
}

const archived = async (file: string, name: string) => (await unpackBytes(readFileSync(file))).get(name)

const conversation = JSON.stringify({
  messages: [
    { role: 'user', content: 'say hi' },
    { role: 'assistant', content: 'hi' },
  ],
})

test('a model is registered, trained, shown and exported', { timeout: 120_000 }, async () => {
  expect(await run('models', 'list')).toMatchObject({ code: 0, out: '', note: expect.stringContaining('has no models yet') })
  const registered = await run('models', 'register', 'greeter', '--base-model', 'heddle-nano')
  expect(registered.out).toMatch(new RegExp(`^${project}/greeter {2}[0-9a-f-]{36}\n$`))

  const id = await train('greeter', `${conversation}\n${conversation}\n`)
  const watched = await run('jobs', 'watch', id)
  expect(watched).toMatchObject({ code: 0, out: 'succeeded: step 1\n' })
  expect(watched.note).toContain('2/2 gradient steps  loss ')
  expect((await run('jobs', 'list', 'greeter')).out).toMatch(new RegExp(`${id} +sft +succeeded +0 → 1`))

  expect((await run('models', 'list')).out).toMatch(/greeter +heddle-nano +1 /)
  expect((await run('models', 'show', 'greeter')).out).toMatch(/Learning rate {2}[\d.]+ for rewards, [\d.]+ for conversations/)

  const file = join(folder, 'greeter.tar.gz')
  expect(await run('models', 'export', 'greeter', '--out', file)).toMatchObject({ code: 0, note: expect.stringContaining('Wrote step 1') })
  expect([...readFileSync(file).subarray(0, 2)]).toEqual([0x1f, 0x8b])
  expect(await run('models', 'export', 'greeter', '--out', file)).toMatchObject({ code: 2, note: expect.stringContaining('cannot write') })

  const safetensors = join(folder, 'greeter-safetensors')
  expect(await run('models', 'export', 'greeter', '--format', 'safetensors', '--out', safetensors)).toMatchObject({
    code: 0,
    note: expect.stringContaining(`Wrote step 1 of greeter to ${safetensors}: README.md`),
  })
  expect(JSON.parse(readFileSync(join(safetensors, 'config.json'), 'utf8'))).toMatchObject({ model_type: 'llama', torch_dtype: 'bfloat16' })
  expect(await run('models', 'export', 'greeter', '--format', 'gguf', '--numbers', 'q8_0', '--out', safetensors)).toMatchObject({
    code: 2,
    note: expect.stringContaining('cannot write'),
  })
  const gguf = join(folder, 'greeter-gguf')
  expect(await run('models', 'export', 'greeter', '--format', 'gguf', '--numbers', 'q8_0', '--out', gguf)).toMatchObject({ code: 0 })
  expect(readFileSync(join(gguf, 'model-q8_0.gguf')).subarray(0, 4).toString()).toBe('GGUF')
  expect(readFileSync(join(gguf, 'Modelfile'), 'utf8')).toContain('FROM ./model-q8_0.gguf')
  const refused = join(folder, 'greeter-refused')
  expect(await run('models', 'export', 'greeter', '--format', 'peft', '--numbers', 'q8_0', '--out', refused)).toMatchObject({
    code: 1,
    note: expect.stringContaining('"q8_0" are not written as peft; use f32'),
  })
  expect(existsSync(refused)).toBe(false)

  expect((await run('models', 'import', 'copy', file)).out).toMatch(new RegExp(`^${project}/copy {2}[0-9a-f-]{36} {2}step 1\n$`))
  expect((await run('models', 'list')).out).toMatch(/copy +heddle-nano +1 /)
  const copied = join(folder, 'copy.tar.gz')
  await run('models', 'export', 'copy', '--out', copied)
  for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
    expect(await archived(copied, name)).toEqual(await archived(file, name))
  expect(await run('models', 'import', 'copy', file)).toMatchObject({
    code: 1,
    note: expect.stringContaining('the model has been trained'),
  })
  const missing = join(folder, 'nothing')
  expect(await run('models', 'import', 'other', missing)).toMatchObject({
    code: 2,
    note: expect.stringContaining(`the file ${missing} does not exist`),
  })
  expect(await run('models', 'import', 'other', folder)).toMatchObject({ code: 2, note: expect.stringContaining('--base-model') })
})

describe('a refused import', () => {
  const named = { base_model_name_or_path: 'heddle-nano' }
  const anAdapterFolder = (name: string, config: object) => {
    const own = join(folder, name)
    mkdirSync(own)
    writeFileSync(join(own, 'adapter_config.json'), JSON.stringify(config))
    return own
  }
  const namesOf = async () => (JSON.parse((await run('models', 'list', '--json')).out) as { name: string }[]).map(({ name }) => name)

  test.each<[string, () => string, string]>([
    ['no archive', () => put('weights.bin', Buffer.from('weights')), 'not a tar.gz'],
    ['an empty archive', () => put('empty.tar.gz', gzipSync(Buffer.alloc(1_024))), 'neither an adapter'],
    ['an adapter of another kind', () => anAdapterFolder('other-kind', { ...named, peft_type: 'IA3' }), 'peft_type'],
    [
      'an adapter of another rank',
      () => anAdapterFolder('rank', { ...named, peft_type: 'LORA', r: 3, lora_alpha: 1 }),
      '"r" in adapter_config.json is 3',
    ],
    ['a base model that is not served', () => put('elsewhere.tar.gz', gzipSync(Buffer.alloc(1_024))), 'no-such-model'],
  ])('leaves no model: %s', async (title, path, message) => {
    const base = title.includes('not served') ? 'no-such-model' : 'heddle-nano'
    const before = await namesOf()
    expect(await run('models', 'import', 'refused', path(), '--base-model', base)).toMatchObject({
      code: expect.toBeOneOf([1, 2]),
      note: expect.stringContaining(message),
    })
    expect(await namesOf()).toEqual(before)
  })

  test('leaves a model that was registered before', async () => {
    await run('models', 'register', 'known', '--base-model', 'heddle-nano')
    expect((await run('models', 'import', 'known', put('bad.tar.gz', Buffer.from('x')), '--base-model', 'heddle-nano')).code).toBe(1)
    expect(await namesOf()).toContain('known')
  })

  test('for its size names the size, the limit and the setting, before the weights are sent', { timeout: 120_000 }, async () => {
    const small = await startServer(
      toConfiguration({
        environment: {},
        flags: { dataDir: join(folder, 'small'), apiKey: server.apiKey, port: '0', maxCheckpointBytes: '1048576' },
      }),
      createServerLog('error', { write: () => undefined }),
    )
    try {
      const file = put('large.tar.gz', randomBytes(64 * 2 ** 20))
      const args = ['models', 'import', 'large', file, '--base-model', 'heddle-nano', '--url', small.server.url, '--project', project]
      expect(await runCommandHere(args, { HEDDLE_API_KEY: server.apiKey, HEDDLE_DATA_DIR: folder })).toMatchObject({
        code: 1,
        note: expect.stringContaining(
          'Request too large: it has 67108864 bytes, at most 1048576 are accepted here (HEDDLE_MAX_CHECKPOINT_BYTES)',
        ),
      })
    } finally {
      await small.close()
    }
  })

  function put(name: string, content: Uint8Array): string {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
})

test('the watch of a job of reinforcement learning ends with the rewards of the steps of its model', { timeout: 120_000 }, async () => {
  await run('models', 'register', 'learner', '--base-model', 'heddle-nano')
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })
  const [entity, own] = project.split('/') as [string, string]
  const { data } = await client.models.list({ entity, project: own, name: 'learner' })
  const trajectories = [0.25, 0.75].map((reward) => ({
    reward,
    messages_and_choices: [
      { role: 'user', content: 'say hi' },
      { role: 'assistant', content: 'hi' },
    ],
  }))
  const { id } = await client.trainingJobs.create({
    model_id: data[0]!.id,
    trajectory_groups: [{ trajectories }],
    experimental_config: { allow_training_without_logprobs: true },
  })
  expect((await run('jobs', 'watch', id)).out).toMatch(/^succeeded: step 1\nreward 0\.5 {2}▁\n$/)
})

test('a job that fails ends the command with 1 and the reason', { timeout: 120_000 }, async () => {
  await run('models', 'register', 'broken', '--base-model', 'heddle-nano')
  const id = await train('broken', '{"messages": 1}\n')
  expect(await run('jobs', 'watch', id)).toMatchObject({ code: 1, out: expect.stringMatching(/^failed: line 1/) })
})

test('a model that is not there is named', async () => {
  const shown = await run('models', 'show', 'nobody')
  expect(shown).toMatchObject({ code: 2, note: expect.stringContaining(`project ${project} has no model "nobody"`) })
  const file = join(folder, 'nobody.tar.gz')
  expect((await run('models', 'export', 'nobody', '--out', file)).code).toBe(2)
  expect(existsSync(file)).toBe(false)
})
