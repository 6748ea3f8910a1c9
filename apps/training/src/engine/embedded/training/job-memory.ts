import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import type { AdapterSettings, ReferenceWeights, TrainingMemory } from '../../engine.ts'
import type { Kernels } from '../kernels/kernels.ts'
import { modelBytes } from '../model/model-weights.ts'
import {
  bytesOf,
  layOutAdapter,
  layOutModel,
  listAdapterParameters,
  listBaseParameters,
  type MatrixFormat,
  type ModelParameters,
} from '../model/parameters.ts'
import { packRows } from '../passes/packed-rows.ts'
import { activationBytes, scoringBytes, threadBytes } from '../passes/pass-bytes.ts'
import { scoredAtATime } from '../passes/score.ts'
import { mayKeep, rowsOfPart } from './batch-parts.ts'
import { countGradientBuffers, trainedModelBytes } from './trained-model.ts'

export interface JobOnModel {
  config: ModelConfig
  /** In which frozen matrices are kept. */
  format: MatrixFormat
  /** Null trains every weight. */
  adapter: AdapterSettings | null
  /** Tokens of the longest sequence. */
  longest: number
  /** Tokens that are sent to the engine at a time. */
  batchTokens: number
  reference: ReferenceOnModel | null
}

/** Weights that the job is compared with. */
export interface ReferenceOnModel {
  config: ModelConfig
  format: MatrixFormat
  weights: ReferenceWeights['weights']
  /** Whether its base model is that of the job. */
  sharesBase: boolean
}

export interface EngineMemory {
  threads: number
  /** Limit of the memory of models. */
  maxBytes: number
  /** Kernels that say how much they need. */
  kernels: Kernels
  /** Bytes that the processes of the server may use; null where that is not known. */
  machine: number | null
  /** Whether a native library computes large products. */
  usesLibrary: boolean
}

/** What Node takes, with what it loads, and for each further thread: measured on x64. */
const processBytes = 80 * 2 ** 20
const helperBytes = 24 * 2 ** 20
/** What a native library takes, and for each thread: measured with OpenBLAS on x64. */
const libraryBytes = 32 * 2 ** 20
const libraryThreadBytes = 16 * 2 ** 20

/** Memory of a job in the process of the embedded engine, by what it is for. */
export function estimateJobMemory(job: JobOnModel, { threads, maxBytes, kernels, machine, usesLibrary }: EngineMemory): TrainingMemory {
  const { config, format, adapter } = job
  const base = layOutModel(config, format)
  const trained = adapter ? layOutAdapter(base, adapter) : layOutModel(config, 'F32')
  const changing = adapter ? listAdapterParameters(trained) : listBaseParameters(trained)
  const buffers = countGradientBuffers(bytesOf(changing))
  const weights = modelBytes(config, format)
  const training = trainedModelBytes(base, adapter)
  // A version of an adapter is loaded in addition to the trained one, and the copy of all weights is made while the originals are in use.
  const versions = adapter ? weights + bytesOf(changing) : weights

  const longest = Math.max(1, Math.min(job.longest, config.contextLength))
  const rows = rowsOfBatch(longest, Math.max(longest, rowsOfPart(job.batchTokens, buffers)))
  const ofPart = activationBytes(trained, rows)
  const passes = Math.min(threads, buffers)
  const activations = passes * threadBytes(trained, rows, kernels)
  const reference = job.reference && referenceBytes(job.reference, longest, kernels)
  const compared = reference ? reference.own + reference.scoring : 0
  // Frozen weights remain; those of which all are trained, and those of a reference, are evicted where the passes need their place.
  const needed =
    rounding +
    (adapter
      ? versions + training + Math.max(activations, compared)
      : training + Math.max(versions, activations, compared + (job.reference?.sharesBase ? versions : 0)))
  const free = maxBytes - needed
  const kept = keptBytes({ bytes: ofPart, parts: Math.ceil(job.batchTokens / rows.tokens.length) }, free, maxBytes)
  // A pass does not touch its own place for activations that are kept.
  const weightsOfAll = versions + (reference?.own ?? 0)
  const models = Math.min(maxBytes, weightsOfAll + training + activations + Math.max(0, kept - passes * ofPart))
  const ofLibrary = usesLibrary ? libraryBytes + libraryThreadBytes * threads : 0
  const process = models + readBytes(base) + (reference?.reading ?? 0) + processBytes + helperBytes * (threads - 1) + ofLibrary
  return { weights: weightsOfAll, training, activations, needed, limit: maxBytes, process, machine }
}

/** Bytes that reading a model's files takes beside its weights, until they are collected: the largest parameter, as read and as numbers. */
function readBytes(model: ModelParameters): number {
  return 2 * 4 * Math.max(...listBaseParameters(model).map(({ length }) => length))
}

/** Bytes of the weights that a reference has beside those of the job, of reading them, and of scoring with it. */
function referenceBytes(
  { config, format, weights, sharesBase }: ReferenceOnModel,
  longest: number,
  kernels: Kernels,
): { own: number; reading: number; scoring: number } {
  const isWhole = weights === 'whole'
  const base = layOutModel(config, isWhole ? 'F32' : format)
  const isRead = isWhole || !sharesBase
  const model = typeof weights === 'object' ? layOutAdapter(base, weights) : base
  const ofBase = isRead ? modelBytes(config, isWhole ? 'F32' : format) : 0
  const ofAdapter = typeof weights === 'object' ? bytesOf(listAdapterParameters(model)) : 0
  const rows = rowsOfBatch(longest, Math.max(longest, scoredAtATime))
  return { own: ofBase + ofAdapter, reading: isRead ? readBytes(base) : 0, scoring: scoringBytes(model, rows, kernels) }
}

/** Of allocations, to multiples of 64 bytes. */
const rounding = 64 * 16

/** A batch of about `rows` rows: sequences of `length` tokens, all scored. */
function rowsOfBatch(length: number, rows: number) {
  const count = Math.max(1, Math.floor(rows / length))
  return packRows(
    Array.from({ length: count }, () => ({ tokens: new Int32Array(length + 1), scored: new Uint8Array(length + 1).fill(1, 1) })),
  )
}

/** Activations of parts that stay in memory where it has room for them. */
function keptBytes({ bytes, parts }: { bytes: number; parts: number }, free: number, maxBytes: number): number {
  let kept = 0
  while (kept < parts * bytes && mayKeep(bytes, { freeBytes: free - kept, maxBytes })) kept += bytes
  return kept
}
