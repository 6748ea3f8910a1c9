import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { plainSampling } from '../../plain-sampling.ts'
import type { AdapterSettings, Engine, ModelVersion, SampledToken, TokenSequence, TrainingSession } from '../../engine.ts'
import {
  type Datum,
  decodeForwardBackward,
  encodeForwardBackwardOutput,
  encodeSampleOutput,
  type ForwardBackwardRequest,
} from '../protobuf/messages.ts'

export interface TinkerServerOptions {
  /** What computes. */
  engine: Engine
  /** Temporary, for saved weights. */
  folder: string
  /** Default: one that is free. */
  port?: number
  /** How losses are added up. Default: as SkyRL does, the mean over datums of the means over targets. */
  addUp?: 'sum' | 'mean' | 'mean of sums'
  /** Completions of a request at most. Default: as many as it requests. */
  samples?: number
  /** Models at a time. Default: any number. */
  places?: number
  /** Default: protobuf. `json` is the older one, which refuses it. */
  dialect?: 'protobuf' | 'json'
  /** Samples only from models that hold a place, as SkyRL's JAX backend does. */
  samplesFromLoaded?: boolean
  /** Saved weights by their address, which outlive the server. Default: its own. */
  saved?: Map<string, SavedWeights>
  /** Leaves out the value that the first token of a prompt does not have, as SkyRL's JAX backend does. */
  skipsFirstToken?: boolean
  /** Called for each request with its path; a status that is returned is answered instead of the work, and 0 closes the connection. */
  fault?: (path: string) => number | undefined
}

export interface SavedWeights {
  folder: string
  baseModel: string
  modelId: string
}

export interface TinkerServer {
  url: string
  /** Paths of all requests, in order. */
  requests: string[]
  /** Models that hold a place. */
  models(): number
  /** Forgets every model, as after a restart. What was saved stays. */
  forgetModels(): Promise<void>
  close(): Promise<void>
}

interface ServedModel {
  session: TrainingSession
  from: ModelVersion
  adapter: AdapterSettings
  /** Since the last step. */
  data: Datum[]
  /** One request at a time. */
  work: Promise<unknown>
  /** Bodies of the requests that arrived, by their number. */
  seen: Map<number, { body: string; requestId: string }>
}

type Result = { bytes: Uint8Array } | { json: object }
type SampledVersion = ModelVersion & { modelId: string | null }
type Json = Record<string, unknown>

/** Before the name of every model, as on servers that name models by their folder. */
const modelPrefix = '/models/'
const never = new AbortController().signal

/** A server that speaks the protobuf dialect of the Tinker training API over an engine of ours. */
export async function startTinkerServer({
  engine,
  folder,
  port = 0,
  addUp = 'mean',
  skipsFirstToken = false,
  samples = Infinity,
  places = Infinity,
  dialect = 'protobuf',
  samplesFromLoaded = false,
  saved = new Map(),
  fault,
}: TinkerServerOptions): Promise<TinkerServer> {
  const models = new Map<string, ServedModel>()
  const futures = new Map<string, Promise<Result>>()
  const samplers = new Map<string, SampledVersion>()
  const requests: string[] = []

  function promise(work: Promise<Result>): string {
    const id = randomUUID()
    work.catch(() => undefined)
    futures.set(id, work)
    return id
  }

  /** Work of a model, once for each number. */
  function enqueue(
    { id, number, body }: { id: string; number: number; body: string },
    work: (model: ServedModel) => Promise<Result>,
  ): Json | number {
    const model = models.get(id)
    if (!model) return 404
    const seen = model.seen.get(number)
    if (seen) return seen.body === body ? { request_id: seen.requestId } : 409
    const done = model.work.then(() => work(model))
    model.work = done.catch(() => undefined)
    const requestId = promise(done)
    model.seen.set(number, { body, requestId })
    return { request_id: requestId }
  }

  async function createModel({ base_model, lora_config }: Json): Promise<Json> {
    const id = randomUUID()
    if (models.size >= places)
      return { model_id: id, request_id: promise(Promise.reject(new Error(`maximum number of models (${places}) reached`))) }
    const baseModel = String(base_model).replace(modelPrefix, '')
    const from = { key: baseModel, baseModel, folder: null }
    const { rank, seed } = lora_config as { rank: number; seed: number }
    const alpha = (await engine.baseModels()).find((model) => model.id === baseModel)?.adapter?.alpha ?? 32
    const adapter = { rank, alpha }
    const session = await engine.openTraining({ from, adapter, seed, resumeFrom: null }, never)
    models.set(id, { session, from, adapter, data: [], work: Promise.resolve(), seen: new Map() })
    return { model_id: id, request_id: promise(Promise.resolve({ json: { model_id: id } })) }
  }

  async function load(model: ServedModel, path: string): Promise<Result> {
    await model.session.close()
    const { from, adapter } = model
    const resumeFrom = saved.get(path)?.folder ?? null
    if (resumeFrom === null) throw new Error(`no saved weights at ${path}`)
    model.session = await engine.openTraining({ from, adapter, seed: 1, resumeFrom }, never)
    return { json: {} }
  }

  async function save(id: string, model: ServedModel, { path, kind }: { path: string; kind: 'weights' | 'sampler' }): Promise<Result> {
    const target = await mkdtemp(join(folder, 'saved-'))
    if (kind === 'weights') await model.session.saveState(target, never)
    else await model.session.saveCheckpoint(target, never)
    const address = kind === 'weights' ? `tinker://${id}/weights/${path}` : `tinker://${id}/${path}`
    saved.set(address, { folder: target, baseModel: model.from.baseModel, modelId: id })
    return { json: { path: address } }
  }

  async function sample({ sampling_session_id: id, num_samples, sampling_params, prompt, prompt_logprobs }: Json): Promise<Result> {
    const version = samplers.get(String(id))!
    if (samplesFromLoaded && version.modelId !== null && !models.has(version.modelId))
      throw new Error(`Model ${version.modelId} not loaded`)
    const tokens = Int32Array.from((prompt as { chunks: { tokens: number[] }[] }).chunks.flatMap((chunk) => chunk.tokens))
    const params = sampling_params as { max_tokens: number; seed?: number; temperature?: number; stop?: number[] }
    const settings = { ...plainSampling, maxTokens: params.max_tokens, temperature: params.temperature ?? 1, stopTokens: params.stop ?? [] }
    const seeds = Array.from({ length: Math.min(Number(num_samples), samples) }, (_, index) => BigInt((params.seed ?? 0) + index))
    const completions: SampledToken[][] = seeds.map(() => [])
    for await (const some of engine.generate({ version, prompt: tokens, settings, seeds }, never))
      for (const token of some) completions[token.completion]!.push(token)
    const sequences = completions.map((sampled) => ({
      stopReason: sampled.at(-1)?.finish ?? ('length' as const),
      tokens: Int32Array.from(sampled, ({ token }) => token),
      logProbabilities: Float32Array.from(sampled, ({ logProbability }) => logProbability),
    }))
    const promptLogProbabilities = prompt_logprobs ? await scorePrompt(version, tokens) : null
    if (dialect === 'protobuf') return { bytes: encodeSampleOutput({ sequences, promptLogProbabilities }) }
    return {
      json: {
        sequences: sequences.map(({ stopReason, tokens: sampled, logProbabilities }) => ({
          stop_reason: stopReason,
          tokens: [...sampled],
          logprobs: [...logProbabilities],
        })),
        prompt_logprobs: promptLogProbabilities && [...promptLogProbabilities],
      },
    }
  }

  async function scorePrompt(version: ModelVersion, tokens: Int32Array): Promise<Float32Array> {
    const { logProbabilities } = await engine.score(version, [{ tokens, scored: allScored(tokens.length) }], never)
    const values = logProbabilities[0]!.map((value, at) => (at === 0 ? Number.NaN : value))
    return skipsFirstToken ? values.slice(1) : values
  }

  function pass(request: ForwardBackwardRequest, body: string): Json | number {
    return enqueue({ id: request.modelId, number: request.sequenceId, body }, async (model) => {
      if (!request.forwardOnly) model.data.push(...request.data)
      const results = await model.session.forward(request.data.map(toSequence), never)
      const logProbabilities = results.logProbabilities.map((values) => values.slice(1))
      if (dialect === 'protobuf') return { bytes: encodeForwardBackwardOutput({ logProbabilities, metrics: {} }) }
      return { json: { loss_fn_outputs: logProbabilities.map((values) => ({ logprobs: { data: [...values] } })) } }
    })
  }

  async function answer(path: string, bytes: Buffer): Promise<Json | Result | number> {
    if (dialect === 'protobuf' && path === 'forward_backward') return pass(decodeForwardBackward(bytes), bytes.toString('base64'))
    if (path === 'forward_backward' && !isJson(bytes)) return 500
    const body = (bytes.length > 0 ? JSON.parse(bytes.toString()) : {}) as Json
    const own = { id: String(body['model_id']), number: Number(body['seq_id']), body: bytes.toString() }
    switch (path) {
      case 'forward':
      case 'forward_backward':
        if (dialect === 'protobuf') return 404
        return 'model_id' in body ? pass(fromJson(body, requests.length), own.body) : 422
      case 'healthz':
        return { status: 'ok' }
      case 'get_server_capabilities':
        return { supported_models: (await engine.baseModels()).map(({ id }) => ({ model_name: `${modelPrefix}${id}` })) }
      case 'create_session':
        return { session_id: randomUUID() }
      case 'session_heartbeat':
        return {}
      case 'create_model':
        return await createModel(body)
      case 'unload_model':
        await models.get(own.id)?.session.close()
        models.delete(own.id)
        return {}
      case 'load_weights':
        return enqueue(own, (model) => load(model, String(body['path'])))
      case 'optim_step':
        return enqueue(own, async (model) => ({
          json: { metrics: { 'skyrl.ai/grad_norm': await makeStep(model, addUp, body['adam_params'] as Json) } },
        }))
      case 'save_weights':
        return enqueue(own, (model) => save(own.id, model, { path: String(body['path']), kind: 'weights' }))
      case 'save_weights_for_sampler':
        return enqueue(own, (model) => save(own.id, model, { path: String(body['path']), kind: 'sampler' }))
      case 'create_sampling_session': {
        const id = randomUUID()
        const path = body['model_path'] as string | undefined
        const weights = path === undefined ? null : saved.get(path)
        if (weights === undefined) return 404
        const baseModel = weights?.baseModel ?? String(body['base_model']).replace(modelPrefix, '')
        samplers.set(id, { key: path ?? baseModel, baseModel, folder: weights?.folder ?? null, modelId: weights?.modelId ?? null })
        return { sampling_session_id: id }
      }
      case 'asample':
        return { request_id: promise(sample(body)) }
      case 'retrieve_future':
        return (await futures.get(String(body['request_id']))) ?? 404
      default:
        return path.endsWith('/archive')
          ? { bytes: await archiveOf(saved.get(`tinker://${path.split('/')[1]}/${path.split('/')[3]}`)!.folder) }
          : 404
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.replace('/api/v1/', '')
    requests.push(path)
    const bytes = await buffer(request)
    const status = fault?.(path)
    if (status === 0) return void request.socket.destroy()
    const result = status ?? (await answer(path, bytes).catch((error: Error) => ({ failed: error.message })))
    if (typeof result === 'number')
      return void response.writeHead(result, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: `status ${result}` }))
    if ('failed' in result) return void response.writeHead(400).end(JSON.stringify({ detail: result.failed }))
    if ('bytes' in result && result.bytes instanceof Uint8Array) {
      return void response
        .writeHead(200, { 'content-type': path.endsWith('/archive') ? 'application/gzip' : 'application/x-protobuf' })
        .end(result.bytes)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify('json' in result ? result.json : result))
  }

  async function forgetModels(): Promise<void> {
    for (const { session } of models.values()) await session.close()
    models.clear()
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    models: () => models.size,
    forgetModels,
    async close() {
      await forgetModels()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const isJson = (bytes: Buffer) => bytes[0] === '{'.charCodeAt(0)

/** Requests of the older dialect have no numbers, so each counts as another. */
function fromJson(body: Json, number: number): ForwardBackwardRequest {
  const forwardOnly = 'forward_input' in body
  const input = body[forwardOnly ? 'forward_input' : 'forward_backward_input'] as {
    loss_fn: string
    data: { model_input: { chunks: { tokens: number[] }[] }; loss_fn_inputs: Record<string, { data: number[] }> }[]
  }
  const data = input.data.map(({ model_input, loss_fn_inputs: { target_tokens: targets, ...floats } }) => ({
    tokens: Int32Array.from(model_input.chunks.flatMap(({ tokens }) => tokens)),
    targets: Int32Array.from(targets!.data),
    floats: Object.fromEntries(Object.entries(floats).map(([name, tensor]) => [name, Float32Array.from(tensor.data)])),
  }))
  return { modelId: String(body['model_id']), sequenceId: -number, data, lossFunction: input.loss_fn, forwardOnly }
}

/** Gradients of everything since the last step, then AdamW. */
async function makeStep(model: ServedModel, addUp: 'sum' | 'mean' | 'mean of sums', adam: Json): Promise<number> {
  const data = model.data
  model.data = []
  const { logProbabilities } = await model.session.forward(data.map(toSequence), never)
  const coefficients = data.map(({ targets, floats }, at) => {
    const each = { sum: 1, mean: 1 / (data.length * targets.length), 'mean of sums': 1 / data.length }[addUp]
    const own = Float32Array.from(targets, (_, t) => {
      const ratio = Math.exp(logProbabilities[at]![t + 1]! - floats['logprobs']![t]!)
      return -floats['advantages']![t]! * ratio * each
    })
    return Float32Array.of(0, ...own)
  })
  await model.session.backward(coefficients, never)
  const { learning_rate, beta1, beta2, eps, weight_decay, grad_clip_norm } = adam as Record<
    'learning_rate' | 'beta1' | 'beta2' | 'eps' | 'weight_decay' | 'grad_clip_norm',
    number
  >
  const settings = { learningRate: learning_rate, beta1, beta2, epsilon: eps, weightDecay: weight_decay, clip: grad_clip_norm || Infinity }
  return (await model.session.step(settings, never)).gradientNorm
}

function toSequence({ tokens, targets }: Datum): TokenSequence {
  const whole = Int32Array.of(...tokens, ...targets.slice(-1))
  return { tokens: whole, scored: allScored(whole.length) }
}

function allScored(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at === 0 ? 0 : 1))
}

async function archiveOf(folder: string): Promise<Uint8Array> {
  const archive = pack()
  for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
    archive.entry({ name: `./${name}` }, await readFile(join(folder, name)))
  archive.entry({ name: '../outside.txt' }, 'never unpacked')
  archive.finalize()
  return gzipSync(await buffer(archive))
}
