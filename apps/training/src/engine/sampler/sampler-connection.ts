import { EngineError } from '../engine.ts'
import { plainSampling } from '../plain-sampling.ts'
import type { Json, SamplerApi } from './sampler-api.ts'
import type { SamplerDialect } from './sampler-dialect.ts'
import { createSglang } from './sglang.ts'
import { createVllm } from './vllm.ts'

/** A server that was recognized, and reports log-probabilities that can be trained on. */
export interface SamplerConnection {
  dialect: SamplerDialect
  /** Null for a base model that the server does not serve. */
  find(baseModel: string): ServedModel | null
}

export interface ServedModel {
  /** As requests name it. */
  id: string
  /** The folder or repository that it was loaded from. */
  root: string
  owner: string
  isAdapter: boolean
  /** Tokens of prompt and completion together; null where the server does not report it. */
  contextLength: number | null
}

/** A token that every vocabulary has. */
const anyPrompt = Int32Array.of(1)
/** Above it a token is certain, up to rounding. */
const certainLogProbability = -0.05

/** @throws EngineError `unavailable` */
export async function readServedModels(api: SamplerApi, signal: AbortSignal): Promise<ServedModel[]> {
  const { data } = await api.get('v1/models', signal)
  if (!Array.isArray(data))
    throw new EngineError('unavailable', `the sampler at ${api.url} does not list its models in v1/models; is it vLLM or SGLang?`)
  return (data as (Json | null)[]).map((model) => ({
    id: String(model?.['id'] ?? ''),
    root: String(model?.['root'] ?? ''),
    owner: String(model?.['owned_by'] ?? ''),
    isAdapter: typeof model?.['parent'] === 'string',
    contextLength: typeof model?.['max_model_len'] === 'number' ? model['max_model_len'] : null,
  }))
}

/** @throws EngineError `unavailable` for a server that is neither vLLM nor SGLang, or that reports log-probabilities of another distribution than it samples from */
export async function connectSampler(api: SamplerApi, signal: AbortSignal): Promise<SamplerConnection> {
  const bases = (await readServedModels(api, signal)).filter(({ isAdapter }) => !isAdapter)
  const dialect = recognize(api, bases)
  await assertLogProbabilities(api, { dialect, baseModel: bases[0]!.id }, signal)
  return {
    dialect,
    find: (baseModel) => bases.find(({ id, root }) => [id, root].some((name) => isNamed(name, baseModel))) ?? null,
  }
}

/** What follows the last slash counts: `/models/qwen3-4b`, `org/qwen3-4b`. */
const isNamed = (name: string, baseModel: string) => name === baseModel || name.replace(/\/+$/, '').endsWith(`/${baseModel}`)

function recognize(api: SamplerApi, [first]: readonly ServedModel[]): SamplerDialect {
  switch (first?.owner) {
    case 'vllm':
      return createVllm(api)
    case 'sglang':
      return createSglang(api)
    default: {
      const owner = first === undefined ? 'it lists no model' : `its models are owned by ${JSON.stringify(first.owner.slice(0, 100))}`
      throw new EngineError('unavailable', `the sampler at ${api.url} is neither vLLM nor SGLang, which return token ids: ${owner}`)
    }
  }
}

/** Samples one token of which the server is certain, and checks that its log-probability is almost 0. */
async function assertLogProbabilities(
  api: SamplerApi,
  { dialect, baseModel }: { dialect: SamplerDialect; baseModel: string },
  signal: AbortSignal,
): Promise<void> {
  const settings = { ...plainSampling, ...dialect.certain, maxTokens: 1 }
  const request = { baseModel, adapter: null, prompt: anyPrompt, settings, seed: 1 }
  for await (const { tokens } of dialect.sample(request, { signal }))
    for (const { logProbability } of tokens)
      if (!(logProbability > certainLogProbability))
        throw new EngineError(
          'unavailable',
          `the sampler at ${api.url} reports log-probabilities of another distribution than it samples from, which cannot be trained on; ${dialect.logProbabilitiesHint}`,
        )
}
