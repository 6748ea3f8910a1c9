import type { SamplingSettings, TokenAlternative } from '../engine.ts'
import type { SamplerRefusal } from './sampler-api.ts'

/** A completion that a server is to sample. */
export interface SampleRequest {
  /** The server's name of the base model. */
  baseModel: string
  /** Name of a loaded adapter; null for the base model as it is. */
  adapter: string | null
  prompt: Int32Array
  settings: SamplingSettings
  /** A server with the same seed may still sample differently, since it computes requests together. */
  seed: number
}

/** Tokens that arrived together. */
export interface SampledPart {
  tokens: { token: number; logProbability: number; top: TokenAlternative[] }[]
  /** Set on the last part. */
  finish: 'stop' | 'length' | null
}

export interface SampleOptions {
  signal: AbortSignal
  /** Called when the server has accepted the request. */
  onAccepted?: () => void
}

/** What differs between inference servers. Prompts and completions are token ids, so that what was sampled is what is trained on. */
export interface SamplerDialect {
  readonly name: 'vLLM' | 'SGLang'
  /** How the server must be started to load adapters, for error messages. */
  readonly adaptersHint: string
  /** Settings that show in one sampled token whether log-probabilities are of the distribution that is sampled: it is then certain. */
  readonly certain: Partial<SamplingSettings>
  /** How the server must be started for that, for error messages. */
  readonly logProbabilitiesHint: string
  /** Returns once the adapter can be sampled from, also if it could before. @throws EngineError */
  load(adapter: { name: string; path: string }, signal: AbortSignal): Promise<void>
  /** @throws EngineError */
  unload(name: string, signal: AbortSignal): Promise<void>
  /** Whether the server refused a completion since it has no adapter of this name, as after its restart. */
  isUnknownAdapter(refusal: SamplerRefusal): boolean
  /** @throws EngineError `unsupported` that names what the server cannot do */
  sample(request: SampleRequest, options: SampleOptions): AsyncGenerator<SampledPart>
}
