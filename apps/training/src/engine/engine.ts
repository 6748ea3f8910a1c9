import type { LinearName } from '../checkpoint-files/model-tensors.ts'
import type { Constraint } from '../constrained/constraint.ts'

/** A base model that an engine can sample from and train. */
export interface BaseModel {
  /** Its id for users, such as `heddle-nano`. */
  id: string
  /** Null where only a training server has the weights, and their shape is not known here. */
  parameters: number | null
  /** Tokens of prompt and completion together. */
  contextLength: number
  /** A folder in the Hugging Face layout: `config.json`, `tokenizer.json`, `tokenizer_config.json` with the chat template. */
  folder: string
  /** How models from it are trained; null trains every weight. */
  adapter: AdapterSettings | null
  /** Suitable learning rates of this model: the default of a job, and the suggestion for a rate that is far below. */
  learningRates: { rl: number; sft: number }
}

/** Low-rank adapters of linear layers (Hu et al. 2021): the weight plus alpha / rank times B A. */
export interface AdapterSettings {
  rank: number
  alpha: number
  /** Linear layers of each block that have one, in the order of `linearNames`. Absent: all. */
  modules?: readonly LinearName[]
}

/** Weights that never change: a base model, or a checkpoint of a model trained from it. */
export interface ModelVersion {
  /** Unique for these weights; the engine keeps loaded weights by it. */
  key: string
  baseModel: string
  /** The files of the checkpoint; null for the base model as it is. */
  folder: string | null
}

/** One sequence as the engine sees it. It attends to nothing but itself. */
export interface TokenSequence {
  tokens: Int32Array
  /** 1 where the log-probability of the token is needed, of equal length. 0 at the first position, which nothing predicts. */
  scored: Uint8Array
}

/** A sequence to learn from. */
export interface TrainedSequence extends TokenSequence {
  /** Scored instead of what `scored` marks. Values of results and coefficients are then aligned with these, not with the tokens of the sequence. */
  targets?: Targets
}

/** Target tokens at positions of a sequence, which may differ from the tokens that follow there. Both arrays have equal length. */
export interface Targets {
  /** Number of tokens of the sequence before each target, at least 1, ascending. One position may have several targets. */
  positions: Int32Array
  tokens: Int32Array
}

/** An alternative token at a position, with its log-probability in nats. */
export interface TokenAlternative {
  token: number
  logProbability: number
}

/** A sequence to score without training on it. */
export interface ScoredSequence extends TokenSequence {
  /** Alternatives reported for each scored token, 0 to 20. Default 0. */
  top?: number
}

/** Values of each sequence of a batch, aligned with its targets, or else with its tokens; 0 where nothing is scored. Natural logarithms, in nats. */
export interface ForwardResult {
  logProbabilities: Float32Array[]
  entropies: Float32Array[]
}

export interface ScoreResult extends ForwardResult {
  /** The likeliest tokens at each token of each sequence that requested them; empty where nothing is scored. */
  top?: TokenAlternative[][][]
}

/** AdamW with decoupled weight decay (Loshchilov and Hutter 2019). Gradients with a norm above `clip` are scaled down to it. */
export interface OptimizerSettings {
  learningRate: number
  beta1: number
  beta2: number
  epsilon: number
  weightDecay: number
  clip: number
}

export interface TrainingOptions {
  from: ModelVersion
  /** Null trains every weight. */
  adapter: AdapterSettings | null
  /** Seed of random initialisation. */
  seed: number
  /** A folder written by `saveState`, from which training continues with its optimizer. Null starts at `from` with a new optimizer. */
  resumeFrom: string | null
}

/** A job whose memory is estimated. */
export interface TrainingPlan {
  baseModel: string
  /** Null trains every weight. */
  adapter: AdapterSettings | null
  /** Tokens of the longest sequence. */
  longest: number
  /** Tokens that are sent to the engine at a time. */
  batchTokens: number
  /** Reference weights, such as those of a teacher; null for none. */
  reference: ReferenceWeights | null
}

/** Weights that only score. */
export interface ReferenceWeights {
  baseModel: string
  /** The base model as it is, an adapter of it, or other weights of its shape. */
  weights: 'base' | AdapterSettings | 'whole'
}

/** Bytes that a job takes, by what they are for. */
export interface TrainingMemory {
  /** Bytes of the initial weights and of the reference weights. */
  weights: number
  /** Bytes of the trained weights with their gradients, moments and transposes. */
  training: number
  /** Of one pass of each thread. */
  activations: number
  /** Bytes of model memory that the job needs. */
  needed: number
  /** Bytes of model memory available. */
  limit: number
  /** Estimated resident memory of the whole process, with its caches and its buffers for files. */
  process: number
  /** Memory limit of all processes of the server together; null if unknown. */
  machine: number | null
}

/** Weights in training. Takes one request at a time. When `signal` aborts, the request rejects with its reason and the session is closed. */
export interface TrainingSession {
  /** Keeps the batch for the next `backward`. @throws EngineError `too-large` if it cannot fit in memory, `unsupported` if it takes no `targets` */
  forward(batch: readonly TrainedSequence[], signal: AbortSignal): Promise<ForwardResult>
  /** Adds the gradient of the sum of coefficient times log-probability over the batch of the last `forward`. Coefficients are aligned like its results. */
  backward(coefficients: readonly Float32Array[], signal: AbortSignal): Promise<void>
  /** Applies the gradients and clears them. A norm that is not finite changes no weight and is returned. */
  step(optimizer: OptimizerSettings, signal: AbortSignal): Promise<{ gradientNorm: number }>
  /** Writes a checkpoint that other tools can load into an existing, empty folder, and syncs its files. */
  saveCheckpoint(folder: string, signal: AbortSignal): Promise<void>
  /** Writes everything that an exact continuation needs: weights, moments, number of steps, threads. */
  saveState(folder: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface SamplingSettings {
  maxTokens: number
  /** 0 takes the likeliest token. */
  temperature: number
  topP: number
  /** 0: all. */
  topK: number
  minP: number
  frequencyPenalty: number
  presencePenalty: number
  /** 1: none. */
  repetitionPenalty: number
  logitBias: ReadonlyMap<number, number>
  /** Tokens that end the completion; they are sampled, reported and scored. */
  stopTokens: readonly number[]
  minTokens: number
  constraint: Constraint | null
  /** Alternatives reported with each token, 0 to 20. */
  topLogProbabilities: number
}

export interface GenerateRequest {
  version: ModelVersion
  prompt: Int32Array
  settings: SamplingSettings
  /** One completion for each. Equal requests with equal seeds get equal completions, whatever else is sampled. */
  seeds: readonly bigint[]
}

/** A sampled token with its log-probability under the distribution it was sampled from. */
export interface SampledToken {
  /** Index of the completion in `seeds`. */
  completion: number
  token: number
  logProbability: number
  top: readonly TokenAlternative[]
  /** Set on the last token of a completion: a stop token, the length limit, or the end of the constraint. */
  finish: 'stop' | 'length' | null
}

/**
 * The state of a generation once its weights are loaded. `waiting`: other generations are sampled first. `prompt`: the prompt is computed. `tokens`:
 * tokens are sampled. `remote`: a server works on it and does not report progress; the engine has its own limits for that.
 */
export interface GenerationProgress {
  part: 'waiting' | 'prompt' | 'tokens' | 'remote'
}

export interface EngineHealth {
  ok: boolean
  /** What is not well, without addresses, where more is known than that the engine is unavailable. */
  reason?: string
  detail: Record<string, unknown>
}

/**
 * Runs and trains models. It handles tokens and coefficients, and does not depend on trajectories, rewards or jobs: every objective means the same on
 * every engine.
 */
export interface Engine {
  /** Whether an adapter may cover only some linear layers; otherwise it covers all. */
  readonly choosesModules: boolean
  /** Name and version, or else file name, of the library that multiplies matrices. Null: the engine's own kernels do, or models run on another server. */
  readonly library: string | null
  baseModels(): Promise<readonly BaseModel[]>
  openTraining(options: TrainingOptions, signal: AbortSignal): Promise<TrainingSession>
  /**
   * Ends when every completion is finished. Leaving the iteration stops the sampling. While no token arrives, `onProgress` is called about once per
   * second of progress; never before the weights are loaded. @throws EngineError
   */
  generate(
    request: GenerateRequest,
    signal: AbortSignal,
    onProgress?: (progress: GenerationProgress) => void,
  ): AsyncIterable<readonly SampledToken[]>
  /** Log-probabilities under weights that are not being trained. @throws EngineError `unsupported` where it reports no alternatives */
  score(version: ModelVersion, batch: readonly ScoredSequence[], signal: AbortSignal): Promise<ScoreResult>
  /** Memory of a job on this machine. Null where the weights are elsewhere. @throws EngineError, ModelFileError */
  estimateTraining(plan: TrainingPlan): Promise<TrainingMemory | null>
  /** Unloads weights whose key begins with this text, once nothing uses them. */
  unload(keyPrefix: string): Promise<void>
  health(): Promise<EngineHealth>
  close(): Promise<void>
}

/** `unknown-model` and `too-large` are the caller's fault; after `unavailable` the same request may succeed later; `damaged` names a corrupt file. */
export type EngineErrorKind = 'unknown-model' | 'too-large' | 'unavailable' | 'damaged' | 'unsupported'

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly kind: EngineErrorKind

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
