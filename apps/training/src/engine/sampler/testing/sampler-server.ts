import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Constraint } from '../../../constrained/constraint.ts'
import type { Engine, ModelVersion, SampledToken, SamplingSettings } from '../../engine.ts'
import { plainSampling } from '../../plain-sampling.ts'

export interface SamplerServerOptions {
  /** What samples. */
  engine: Engine
  /** Whose requests and responses it has. */
  kind: 'vLLM' | 'SGLang'
  /** Models that it lists. Default: those of the engine. */
  models?: object[]
  /** Tokens of prompt and completion together. Default 128. */
  contextLength?: number
  /** Reports log-probabilities of the unchanged distribution, as vLLM does by default. */
  reportsRaw?: boolean
  /** Sends a part of a stream with all tokens so far, as SGLang does by default. Default true. */
  isCumulative?: boolean
  /** The form that a structural tag describes. */
  readStructuralTag?: (tag: string) => Constraint
  /** Stops streaming after this many tokens, until the client disconnects. Default: it streams to the end. */
  stallsAfter?: number
  /** Changes the parts of a vLLM stream. */
  change?: (choice: Json) => Json
  /** Called for each request with its path; an answer that is returned is sent instead of the work. Status 0 closes the connection. */
  fault?: (path: string) => { status: number; body?: string } | undefined
}

export interface SamplerServer {
  url: string
  requests: { path: string; key: string | undefined; body: Json }[]
  /** Adapters that it has loaded, with their paths. */
  adapters: Map<string, string>
  /** Completions whose connection closed before their end. */
  aborted(): number
  close(): Promise<void>
}

type Json = Record<string, unknown>

/** An inference server with the interface of vLLM 0.32 or SGLang 0.5 over an engine of ours, which reads adapters by their path. */
export async function startSamplerServer(options: SamplerServerOptions): Promise<SamplerServer> {
  const { engine, kind, fault, isCumulative = true, change = (choice: Json) => choice } = options
  const requests: SamplerServer['requests'] = []
  const adapters = new Map<string, string>()
  let aborted = 0
  let loads = 0
  const keys = new Map<string, string>()

  async function listModels(): Promise<object[]> {
    const owned_by = kind.toLowerCase()
    const bases = (await engine.baseModels()).map(({ id }) => ({
      id,
      root: `/models/${id}`,
      owned_by,
      parent: null,
      max_model_len: options.contextLength ?? 128,
    }))
    const loaded = [...adapters].map(([id, root]) => ({ id, root, owned_by, parent: bases[0]!.id }))
    return [...(options.models ?? bases), ...loaded]
  }

  function load({ lora_name, lora_path }: Json): { status: number; body: object | string } {
    const [name, path] = [String(lora_name), String(lora_path)]
    if (adapters.has(name))
      return refusal(
        400,
        kind === 'vLLM'
          ? `The lora adapter '${name}' has already been loaded.`
          : `LoRA with name ${name} already exists. Loaded LoRAs: dict_keys(['${name}'])`,
      )
    if (!existsSync(join(path, 'adapter_config.json')))
      return refusal(kind === 'vLLM' ? 404 : 400, `Loading lora ${name} failed: No adapter found for ${path}`)
    adapters.set(name, path)
    keys.set(name, `${name}/${++loads}`)
    return kind === 'vLLM'
      ? { status: 200, body: `Success: LoRA adapter '${name}' added successfully.` }
      : { status: 200, body: { success: true } }
  }

  function refusal(status: number, message: string): { status: number; body: object } {
    if (kind === 'SGLang') return { status, body: { success: false, error_message: message } }
    return { status, body: { error: { message, type: 'BadRequestError', param: null, code: status } } }
  }

  async function versionOf(model: string | null): Promise<ModelVersion | null> {
    const baseModel = (await engine.baseModels())[0]!.id
    const isBase = model === null || model.split('/').at(-1) === baseModel
    if (isBase) return { key: baseModel, baseModel, folder: null }
    const folder = adapters.get(model)
    return folder === undefined ? null : { key: keys.get(model)!, baseModel, folder }
  }

  async function* sample(
    version: ModelVersion,
    settings: SamplingSettings,
    { prompt, seed, signal }: ToSample,
  ): AsyncGenerator<SampledToken> {
    const reported = options.reportsRaw ? { ...settings, topK: 0, temperature: 1 } : settings
    const request = { version, prompt: Int32Array.from(prompt), settings: reported, seeds: [BigInt(seed)] }
    for await (const tokens of engine.generate(request, signal)) yield* tokens
  }

  function readConstraint({ structured_outputs, json_schema, structural_tag }: Json): Constraint | null {
    const { json, structural_tag: tag = structural_tag } = (structured_outputs ?? {}) as Json
    if (typeof tag === 'string') return options.readStructuralTag!(tag)
    const schema: unknown = json ?? (typeof json_schema === 'string' ? JSON.parse(json_schema) : undefined)
    return schema === undefined ? null : { kind: 'json-schema', schema }
  }

  async function answer(path: string, body: Json, response: ServerResponse): Promise<void> {
    const send = ({ status, body: said }: { status: number; body: object | string }) =>
      void response
        .writeHead(status, { 'content-type': typeof said === 'string' ? 'text/plain' : 'application/json' })
        .end(typeof said === 'string' ? said : JSON.stringify(said))
    const unprefixed = kind === 'vLLM' ? path.replace(/^\/v1/, '') : path
    switch (unprefixed) {
      case '/v1/models':
      case '/models':
        return send({ status: 200, body: { object: 'list', data: await listModels() } })
      case '/load_lora_adapter':
        return send(load(body))
      case '/unload_lora_adapter':
        adapters.delete(String(body['lora_name']))
        return send({ status: 200, body: 'Success' })
      case kind === 'vLLM' ? '/completions' : '/generate':
        return await stream(body, response, send)
      default:
        return send({ status: 404, body: { detail: 'Not Found' } })
    }
  }

  async function stream(body: Json, response: ServerResponse, send: (answer: { status: number; body: object }) => void): Promise<void> {
    const isVllm = kind === 'vLLM'
    const name = (isVllm ? body['model'] : body['lora_path']) as string | undefined
    const version = await versionOf(name ?? null)
    if (version === null && isVllm) return send(refusal(404, `The model \`${name}\` does not exist.`))
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const event = (data: object) => response.write(`data: ${JSON.stringify(data)}\n\n`)
    if (version === null) {
      event({ error: { message: `The following requested LoRA adapters are not loaded: ${name}` } })
      return void response.end('data: [DONE]\n\n')
    }
    const left = new AbortController()
    response.once('close', () => {
      if (!response.writableEnded) aborted++
      left.abort()
    })
    const params = isVllm ? body : (body['sampling_params'] as Json)
    const unconstrained = isVllm ? readVllm(params) : readSglang(params, Number(body['top_logprobs_num']))
    const settings = { ...unconstrained, constraint: readConstraint(params) }
    const prompt = (isVllm ? body['prompt'] : body['input_ids']) as number[]
    const sampled: SampledToken[] = []
    for await (const token of sample(version, settings, {
      prompt,
      seed: Number(params['seed'] ?? params['sampling_seed']),
      signal: left.signal,
    })) {
      sampled.push(token)
      event(isVllm ? { choices: [change(vllmChoice(token, settings))] } : sglangPart(isCumulative ? sampled : [token], sampled.length))
      if (sampled.length === options.stallsAfter && !left.signal.aborted) await once(left.signal, 'abort')
    }
    response.end('data: [DONE]\n\n')
  }

  const server = createServer((request: IncomingMessage, response) => {
    void (async () => {
      const path = request.url ?? ''
      const read = await text(request)
      const body = (read === '' ? {} : JSON.parse(read)) as Json
      requests.push({ path, key: request.headers.authorization, body })
      const failed = fault?.(path)
      if (failed?.status === 0) return void response.destroy()
      if (failed) return void response.writeHead(failed.status).end(failed.body ?? '')
      await answer(path, body, response)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    adapters,
    aborted: () => aborted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface ToSample {
  prompt: number[]
  seed: number
  signal: AbortSignal
}

function readVllm(params: Json): SamplingSettings {
  const number = (name: string) => Number(params[name])
  return {
    ...plainSampling,
    maxTokens: number('max_tokens'),
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    minP: number('min_p'),
    frequencyPenalty: number('frequency_penalty'),
    presencePenalty: number('presence_penalty'),
    repetitionPenalty: number('repetition_penalty'),
    minTokens: number('min_tokens'),
    logitBias: readBias(params['logit_bias']),
    stopTokens: params['stop_token_ids'] as number[],
    topLogProbabilities: number('logprobs'),
  }
}

function readSglang(params: Json, topLogProbabilities: number): SamplingSettings {
  const temperature = Number(params['temperature'])
  return {
    ...plainSampling,
    maxTokens: Number(params['max_new_tokens']),
    temperature,
    minTokens: Number(params['min_new_tokens']),
    logitBias: readBias(params['logit_bias']),
    stopTokens: params['stop_token_ids'] as number[],
    topLogProbabilities,
  }
}

const readBias = (bias: unknown) =>
  new Map(Object.entries((bias ?? {}) as Record<string, number>).map(([id, value]) => [Number(id), value]))

/** The sampled token is among the alternatives, if need be as one more. Where fewer can be sampled than requested, others are added with -9999. */
function vllmChoice({ token, logProbability, top, finish }: SampledToken, { topLogProbabilities }: SamplingSettings): Json {
  const possible = [{ token, logProbability }, ...top]
  const others = Array.from({ length: topLogProbabilities }, (_, id) => ({ token: id, logProbability: -9_999 }))
    .filter((other) => possible.every((each) => each.token !== other.token))
    .slice(0, topLogProbabilities - top.length)
  const alternatives = [...possible, ...others].map((each) => [`token_id:${each.token}`, each.logProbability])
  return {
    index: 0,
    text: '',
    logprobs: {
      text_offset: [0],
      token_logprobs: [logProbability],
      tokens: [`token_id:${token}`],
      top_logprobs: [topLogProbabilities === 0 ? { [`token_id:${token}`]: logProbability } : Object.fromEntries(alternatives)],
    },
    finish_reason: finish,
    stop_reason: finish === 'stop' ? token : null,
  }
}

function sglangPart(tokens: readonly SampledToken[], total: number): Json {
  const { finish, token } = tokens.at(-1)!
  return {
    text: '',
    output_ids: tokens.map((each) => each.token),
    meta_info: {
      id: 'request',
      finish_reason: finish === null ? null : finish === 'stop' ? { type: 'stop', matched: token } : { type: 'length', length: total },
      prompt_tokens: 1,
      completion_tokens: total,
      output_token_logprobs: tokens.map((each) => [each.logProbability, each.token, null]),
      output_top_logprobs: tokens.map((each) => each.top.map((other) => [other.logProbability, other.token, null])),
    },
  }
}
