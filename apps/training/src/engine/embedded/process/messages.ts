import type { NativeChoice } from '../kernels/native/native-choice.ts'
import type {
  AdapterSettings,
  EngineErrorKind,
  ForwardResult,
  GenerateRequest,
  GenerationProgress,
  ModelVersion,
  OptimizerSettings,
  SampledToken,
  ScoredSequence,
  ScoreResult,
  TrainedSequence,
} from '../../engine.ts'

/** Configuration of the engine's process. */
export interface EngineProcessConfig {
  /** Folder of each base model by its id. */
  baseModels: Readonly<Record<string, string>>
  /** Memory of all weights, caches and training together. */
  memoryBytes: number
  /** Completions that are sampled at a time. */
  maxCompletions: number
  /** Completions that wait. */
  maxWaitingCompletions: number
  /** Threads that train; 1 is the thread that samples as well. */
  threads: number
  /** The library that computes large products; null without one. */
  native: NativeChoice | null
}

/** Sessions are named by the client, so that one can be closed before it is known to be open. */
interface OfSession {
  session: number
}

/** Requests and their results. `generate` answers with the tokens as they are sampled, then with null. */
export interface EngineCalls {
  openTraining: {
    args: OfSession & { from: ModelVersion; adapter: AdapterSettings | null; seed: number; resumeFrom: string | null }
    result: null
  }
  forward: { args: OfSession & { batch: readonly TrainedSequence[] }; result: ForwardResult }
  backward: { args: OfSession & { coefficients: readonly Float32Array[] }; result: null }
  step: { args: OfSession & { optimizer: OptimizerSettings }; result: { gradientNorm: number } }
  saveCheckpoint: { args: OfSession & { folder: string }; result: null }
  saveState: { args: OfSession & { folder: string }; result: null }
  /** The bytes that are held and not used once it is closed: 0 while another is open. */
  closeTraining: { args: OfSession; result: { spareBytes: number } }
  generate: { args: { request: GenerateRequest }; result: null }
  score: { args: { version: ModelVersion; batch: readonly ScoredSequence[] }; result: ScoreResult }
  unload: { args: { keyPrefix: string }; result: null }
  health: { args: null; result: Record<string, unknown> }
}

export type EngineCall = keyof EngineCalls

/** Values that are the same after the serialization of `node:child_process`, which keeps typed arrays, maps and big integers. */
export type ToEngine =
  | { kind: 'call'; id: number; call: EngineCall; args: EngineCalls[EngineCall]['args'] }
  /** Ends a call: it is answered with an error that is not read. */
  | { kind: 'cancel'; id: number }

export interface FailedCall {
  kind: EngineErrorKind
  message: string
  /** The invariant that did not hold, which the server counts. */
  invariant?: string
}

export type FromEngine =
  | { kind: 'ready' }
  | { kind: 'tokens'; id: number; tokens: readonly SampledToken[] }
  | { kind: 'progress'; id: number; progress: GenerationProgress }
  | { kind: 'result'; id: number; result: EngineCalls[EngineCall]['result'] }
  | { kind: 'failed'; id: number; error: FailedCall }
