import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded/embedded-engine.ts'
import type { BaseModel, Engine, ModelVersion, SampledToken, SamplingSettings } from '../engine.ts'
import { plainSampling } from '../plain-sampling.ts'
import { createSampledEngine } from './sampled-engine.ts'
import { type SamplerServer, type SamplerServerOptions, startSamplerServer } from './testing/sampler-server.ts'

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const never = new AbortController().signal
const adapter = { rank: 4, alpha: 8 }
const base: ModelVersion = { key: 'tiny', baseModel: 'tiny', folder: null }
const kinds = ['vLLM', 'SGLang'] as const

let folder: string
let embedded: EmbeddedEngine
let trained: ModelVersion & { folder: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-sampler-'))
  const learningRates = { rl: 1e-2, sft: 1e-2 }
  const model: BaseModel = { id: 'tiny', folder: join(folder, 'tiny'), parameters: 1_000, contextLength: 128, adapter, learningRates }
  writeRandomModel(model.folder, { config: aConfig() })
  const other = { ...model, id: 'elsewhere' }
  embedded = createEmbeddedEngine({ entry, baseModels: [model, other], memoryBytes: 64 * 2 ** 20, threads: 2 })
  trained = await train('tiny', adapter)
})

afterAll(async () => {
  await embedded.close()
  rmSync(folder, { recursive: true })
})

/** One step that changes the weights much, and its checkpoint. */
async function train(baseModel: string, settings: typeof adapter | null): Promise<ModelVersion & { folder: string }> {
  const from = { key: baseModel, baseModel, folder: null }
  const session = await embedded.openTraining({ from, adapter: settings, seed: 1, resumeFrom: null }, never)
  const sequence = { tokens: Int32Array.of(1, 2, 3, 4, 5), scored: Uint8Array.of(0, 1, 1, 1, 1) }
  for (let step = 0; step < 3; step++) {
    await session.forward([sequence], never)
    await session.backward([Float32Array.of(0, -1, -1, -1, -1)], never)
    await session.step({ learningRate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }, never)
  }
  const checkpoint = mkdtempSync(join(folder, 'checkpoint-'))
  await session.saveCheckpoint(checkpoint, never)
  await session.close()
  return { key: `${randomUUID()}/1/`, baseModel, folder: checkpoint }
}

async function start(options: Partial<SamplerServerOptions> = {}) {
  const server = await startSamplerServer({ engine: embedded, kind: 'vLLM', ...options })
  onTestFinished(() => server.close())
  const shared = mkdtempSync(join(folder, 'shared-'))
  return { server, engine: restart(server, shared), shared }
}

/** A new engine over a server and a folder that others have used. */
function restart(server: SamplerServer, shared: string): Engine {
  return createSampledEngine({
    engine: { ...embedded, close: async () => undefined },
    outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
    url: `${server.url}/v1`,
    apiKey: 'sampler-secret',
    folder: shared,
    sleep: async () => undefined,
  })
}

const ask = (settings: Partial<SamplingSettings> = {}, version = base) => ({
  version,
  prompt: Int32Array.of(1, 2, 3),
  settings: { ...plainSampling, maxTokens: 5, ...settings },
  seeds: [1n, 2n],
})

async function collect(stream: AsyncIterable<readonly SampledToken[]>): Promise<SampledToken[]> {
  const tokens: SampledToken[] = []
  for await (const some of stream) tokens.push(...some)
  return tokens.toSorted((left, right) => left.completion - right.completion)
}

const here = (settings: Partial<SamplingSettings>, version: ModelVersion) =>
  collect(embedded.generate(ask(settings, { ...version, key: `${version.key}here` }), never))

const pathsOf = ({ requests }: SamplerServer) => requests.map(({ path }) => path)

describe.each(kinds)('completions by %s', (kind) => {
  const sampling = kind === 'vLLM' ? '/v1/completions' : '/generate'

  test.each([
    ['of the base model', {}],
    ['with alternatives', { topLogProbabilities: 3 }],
    ['at temperature 0', { temperature: 0 }],
    ['with biases and stop tokens', { logitBias: new Map([[7, 3]]), stopTokens: [7], maxTokens: 40 }],
  ] as [string, Partial<SamplingSettings>][])('have the tokens and log-probabilities of the sampler, %s', async (_, settings) => {
    const { engine } = await start({ kind })
    for (const version of [base, trained]) {
      const found = await collect(engine.generate(ask(settings, version), never))
      const expected = await here(settings, version)
      expect(found.map(({ token, finish }) => [token, finish])).toEqual(expected.map(({ token, finish }) => [token, finish]))
      for (const [at, { logProbability, top }] of found.entries()) {
        expect(logProbability).toBeCloseTo(expected[at]!.logProbability, 5)
        expect(top.map(({ token }) => token)).toEqual(expected[at]!.top.map(({ token }) => token))
      }
    }
  })

  test('of a step are sampled with its adapter, which is loaded once from the shared folder', async () => {
    const { engine, server, shared } = await start({ kind })
    await Promise.all([1, 2, 3].map(() => collect(engine.generate(ask({}, trained), never))))
    const [name] = readdirSync(shared)
    expect([...server.adapters]).toEqual([[name, join(shared, name!)]])
    expect(readdirSync(join(shared, name!)).toSorted()).toEqual(['adapter_config.json', 'adapter_model.safetensors'])
    expect(pathsOf(server).filter((path) => path.endsWith('/load_lora_adapter'))).toHaveLength(1)
  })

  test('arrive token by token, and end at the sampler when they are left', async () => {
    const { engine, server } = await start({ kind, stallsAfter: 50 })
    for await (const tokens of engine.generate({ ...ask({ maxTokens: 100 }), seeds: [1n] }, never)) {
      expect(tokens).toHaveLength(1)
      break
    }
    await expect.poll(() => server.aborted()).toBe(1)
    const left = new AbortController()
    const reading = collect(engine.generate(ask({ maxTokens: 100 }), left.signal))
    await expect.poll(() => pathsOf(server).filter((path) => path === sampling).length).toBeGreaterThan(2)
    left.abort(new Error('left'))
    await expect(reading).rejects.toThrow('left')
  })

  test('load the adapter again after the server has restarted', async () => {
    const { engine, server } = await start({ kind })
    const before = await collect(engine.generate(ask({}, trained), never))
    server.adapters.clear()
    expect(await collect(engine.generate(ask({}, trained), never))).toEqual(before)
    expect(server.adapters.size).toBe(1)
  })

  test('find the adapter that an earlier run of Heddle has loaded, and leave nothing of it when the model is deleted', async () => {
    const { engine, server, shared } = await start({ kind })
    const before = await collect(engine.generate(ask({}, trained), never))
    const next = restart(server, shared)
    expect(await collect(next.generate(ask({}, trained), never))).toEqual(before)
    const last = restart(server, shared)
    await collect(last.generate(ask(), never))
    await last.unload(trained.key)
    expect([server.adapters.size, readdirSync(shared)]).toEqual([0, []])
  })

  test('of many steps keep sixteen unused adapters loaded', { timeout: 60_000 }, async () => {
    const { engine, server, shared } = await start({ kind })
    const steps = Array.from({ length: 20 }, (_, step) => ({ ...trained, key: `many/${step}/` }))
    for (const version of steps) await collect(engine.generate(ask({ maxTokens: 1 }, version), never))
    const newest = steps.slice(4).map(({ key }) => `heddle-${key.replaceAll('/', '-')}`)
    await expect.poll(() => [[...server.adapters.keys()], readdirSync(shared).length]).toEqual([newest, 16])
  })

  test('end where the context of the sampler does, and a prompt beyond it is refused', async () => {
    const { engine } = await start({ kind, contextLength: 7 })
    const tokens = await collect(engine.generate(ask({ maxTokens: 100 }), never))
    expect(tokens.filter(({ finish }) => finish === 'length').map(({ completion }) => completion)).toEqual([0, 1])
    expect(tokens).toHaveLength(8)
    const long = { ...ask(), prompt: Int32Array.from({ length: 7 }, () => 1) }
    await expect(collect(engine.generate(long, never))).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringContaining('takes 7 with the completion; start it for a longer context') as string,
    })
  })

  test('of a deleted model leave nothing at the sampler and in the folder', async () => {
    const { engine, server, shared } = await start({ kind })
    await collect(engine.generate(ask({}, trained), never))
    await engine.unload(trained.key)
    expect([server.adapters.size, readdirSync(shared)]).toEqual([0, []])
  })

  test('are refused where the sampler cannot read the folder, which the error names', async () => {
    const { engine } = await start({
      kind,
      fault: (path) => (path.endsWith('load_lora_adapter') ? { status: 400, body: 'No adapter' } : undefined),
    })
    await expect(collect(engine.generate(ask({}, trained), never))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /^the sampler at http:\/\/127\.0\.0\.1:\d+ answered .*load_lora_adapter with 400: No adapter; .*HEDDLE_SAMPLER_FOLDER/,
      ) as string,
    })
  })

  test('carry the key, which no error repeats', async () => {
    const { engine, server } = await start({ kind, fault: () => ({ status: 401, body: 'Bearer sampler-secret is wrong' }) })
    const error = await collect(engine.generate(ask(), never)).catch((reason: unknown) => reason as Error)
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('(HEDDLE_SAMPLER_API_KEY is not its key)') as string,
    })
    expect((error as Error).message).not.toContain('sampler-secret')
    expect(server.requests[0]?.key).toBe('Bearer sampler-secret')
  })
})

test('other base models than those of the sampler, and models without an adapter, are sampled by the engine', async () => {
  const { engine, server } = await start({ models: [{ id: 'org/tiny', root: 'org/tiny', owned_by: 'vllm' }] })
  const elsewhere = { key: 'elsewhere', baseModel: 'elsewhere', folder: null }
  const whole = await train('tiny', null)
  expect(existsSync(join(whole.folder, 'model.safetensors'))).toBe(true)
  for (const version of [elsewhere, whole]) expect(await collect(engine.generate(ask({}, version), never))).toEqual(await here({}, version))
  expect(pathsOf(server).filter((path) => path === '/v1/completions')).toHaveLength(1)
})

test.each([
  ['vLLM', '--logprobs-mode processed_logprobs'],
  ['SGLang', 'SGLANG_RETURN_ORIGINAL_LOGPROB'],
] as const)('%s with log-probabilities of another distribution is refused, with what to change', async (kind, hint) => {
  const { engine } = await start({ kind, reportsRaw: true })
  await expect(collect(engine.generate(ask(), never))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining(hint) as string,
  })
})

test('a server of another kind is refused by its name', async () => {
  const { engine } = await start({ models: [{ id: 'tiny', owned_by: 'llamacpp' }] })
  await expect(collect(engine.generate(ask(), never))).rejects.toThrow(
    /neither vLLM nor SGLang, which return token ids: its models are owned by "llamacpp"/,
  )
})

test('a server that returns texts of tokens in place of ids is refused', async () => {
  const { engine } = await start({ change: (choice) => ({ ...choice, logprobs: { tokens: ['the'], token_logprobs: [-1] } }) })
  await expect(collect(engine.generate(ask(), never))).rejects.toThrow('does not return the ids of tokens')
})

test.each([
  ['top_p', { topP: 0.9 }],
  ['top_k', { topK: 2 }],
  ['min_p', { minP: 0.1 }],
])('SGLang, whose log-probabilities are those before %s, is not given it', async (name, settings) => {
  const { engine } = await start({ kind: 'SGLang' })
  await expect(collect(engine.generate(ask(settings), never))).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining(`leave ${name} out, or use vLLM`) as string,
  })
})

test('tokens that vLLM lists although they cannot be sampled are no alternatives', async () => {
  const { engine } = await start()
  const settings = { topK: 2, topLogProbabilities: 4 }
  const found = await collect(engine.generate(ask(settings), never))
  expect(found.map(({ top }) => top.map(({ token }) => token))).toEqual(
    (await here(settings, base)).map(({ top }) => top.map(({ token }) => token)),
  )
  expect(found.every(({ top }) => top.length === 2)).toBe(true)
})

test('SGLang may send only new tokens', async () => {
  const { engine } = await start({ kind: 'SGLang', isCumulative: false })
  expect((await collect(engine.generate(ask(), never))).map(({ token }) => token)).toEqual((await here({}, base)).map(({ token }) => token))
})

test('a request that fails for a passing reason is sent three times, and then names server, path and status', async () => {
  let failures = 2
  const { engine, server } = await start({ fault: (path) => (path === '/v1/completions' && failures-- > 0 ? { status: 503 } : undefined) })
  expect(await collect(engine.generate(ask(), never))).toHaveLength(10)
  failures = Infinity
  const before = server.requests.length
  await expect(collect(engine.generate({ ...ask(), seeds: [1n] }, never))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^the sampler at http:\/\/127\.0\.0\.1:\d+ answered v1\/completions with 503: $/) as string,
  })
  expect(server.requests.length - before).toBe(3)
})

test('what the sampler refuses is the error of the request', async () => {
  const body = JSON.stringify({ error: { message: 'min_p is too large', code: 400 } })
  let isReady = false
  const { engine } = await start({ fault: (path) => (isReady && path === '/v1/completions' ? { status: 400, body } : undefined) })
  await collect(engine.generate(ask(), never))
  isReady = true
  await expect(collect(engine.generate(ask(), never))).rejects.toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('with 400: min_p is too large') as string,
  })
})

test('a completion whose end did not arrive is not taken for a whole one', async () => {
  const { engine } = await start({ change: (choice) => ({ ...choice, finish_reason: null }) })
  await expect(collect(engine.generate(ask(), never))).rejects.toThrow('ended its response before the completion had ended; try again')
})

test('its health is that of engine and sampler', async () => {
  let fault: SamplerServerOptions['fault'] = () => undefined
  const { engine, server } = await start({ fault: (path) => fault?.(path) })
  expect(await engine.health()).toMatchObject({ ok: true, detail: { sampler: { url: server.url, models: ['tiny', 'elsewhere'] } } })
  fault = () => ({ status: 0 })
  expect(await engine.health()).toMatchObject({
    ok: false,
    reason: 'the inference server does not answer',
    detail: { sampler: { error: expect.stringContaining('did not answer v1/models') as string } },
  })
})

test('training and scores are left to the engine', async () => {
  const { engine, server } = await start()
  const sequence = { tokens: Int32Array.of(1, 2, 3), scored: Uint8Array.of(0, 1, 1) }
  const both: Engine[] = [engine, embedded]
  const [mine, its] = await Promise.all(both.map((each) => each.score(trained, [sequence], never)))
  expect(mine).toEqual(its)
  expect(server.requests).toEqual([])
})
