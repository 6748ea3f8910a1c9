import { EngineError, type OptimizerSettings } from '../engine.ts'
import { decodeForwardBackwardOutput, type Datum, datumBytes, encodeForwardBackward } from './protobuf/messages.ts'
import { type TinkerApi, textField } from './tinker-api.ts'
import type { TinkerSession } from './tinker-session.ts'

/** Larger batches go in several requests. */
const maxDatums = 1_024
const maxBytes = 4 * 2 ** 20

export interface TinkerModelOptions {
  api: TinkerApi
  session: TinkerSession
  /** As the server calls it. */
  baseModel: string
  rank: number
  seed: number
  /** Address of saved weights to begin with, with the state of the optimizer; null for a fresh adapter. */
  load: string | null
  signal: AbortSignal
}

/** An adapter under training on the server. One request at a time; their numbers count up, by which the server knows one that arrives again. */
export interface TinkerModel {
  /** Log-probabilities of the targets of each datum. */
  forward(data: readonly Datum[], signal: AbortSignal): Promise<Float32Array[]>
  /** Adds the gradients of a policy loss whose ratio is 1 at these log-probabilities: minus the advantages. */
  backward(data: readonly Datum[], signal: AbortSignal): Promise<void>
  /** Applies the gradients and clears them; returns their norm. */
  step(optimizer: OptimizerSettings, signal: AbortSignal): Promise<number>
  /** Returns the address under which the weights are kept. */
  save(kind: 'training' | 'sampler', name: string, signal: AbortSignal): Promise<string>
  readonly id: string
  /** Gives its place on the server back. */
  close(): Promise<void>
}

/** @throws EngineError `unavailable` also when the server has no place for another model */
export async function openTinkerModel(options: TinkerModelOptions): Promise<TinkerModel> {
  const { api, session, baseModel, rank, seed, load, signal } = options
  const created = await api.post(
    'create_model',
    {
      session_id: await session.id(signal),
      model_seq_id: session.nextNumber('model'),
      base_model: baseModel,
      lora_config: { rank, seed, train_mlp: true, train_attn: true, train_unembed: false },
    },
    { signal },
  )
  const id = textField(created, 'model_id')
  let sequence = 0
  const next = () => ({ model_id: id, seq_id: ++sequence })
  const ask = async (path: string, body: object, askSignal: AbortSignal, isRepeatable: boolean) => {
    const promised = await api.post(path, { ...next(), ...body }, { signal: askSignal, isRepeatable })
    const result = await api.result(textField(promised, 'request_id'), askSignal)
    if (result.kind === 'json') return result.value
    throw new EngineError('unavailable', `the training server answered ${path} with a message in place of JSON`)
  }
  await api.result(textField(created, 'request_id'), signal)
  if (load !== null) await ask('load_weights', { path: load, optimizer: true }, signal, false)

  async function forwardBackward(data: readonly Datum[], forwardOnly: boolean, ownSignal: AbortSignal): Promise<Float32Array[]> {
    const results: Float32Array[] = []
    for (const part of cutIntoRequests(data)) {
      const { model_id: modelId, seq_id: sequenceId } = next()
      const request = { modelId, sequenceId, data: part, lossFunction: forwardOnly ? 'cross_entropy' : 'importance_sampling', forwardOnly }
      const promised = await api.post('forward_backward', encodeForwardBackward(request), { signal: ownSignal })
      const result = await api.result(textField(promised, 'request_id'), ownSignal)
      if (result.kind === 'json')
        throw new EngineError('unavailable', 'the training server speaks the JSON dialect, which is not supported')
      results.push(...decodeForwardBackwardOutput(result.bytes).logProbabilities)
    }
    if (results.length === data.length) return results
    throw new EngineError('unavailable', `the training server returned ${results.length} results for ${data.length} sequences`)
  }

  return {
    id,
    forward: (data, ownSignal) => forwardBackward(data, true, ownSignal),
    backward: async (data, ownSignal) => void (await forwardBackward(data, false, ownSignal)),
    async step({ learningRate, beta1, beta2, epsilon, weightDecay, clip }, ownSignal) {
      // 0 is no clipping. Servers older than this field pass it over.
      const grad_clip_norm = Number.isFinite(clip) ? clip : 0
      const adam = { learning_rate: learningRate, beta1, beta2, eps: epsilon, weight_decay: weightDecay, grad_clip_norm }
      return readGradientNorm(await ask('optim_step', { adam_params: adam }, ownSignal, true))
    },
    async save(kind, name, ownSignal) {
      return textField(
        await ask(kind === 'training' ? 'save_weights' : 'save_weights_for_sampler', { path: name }, ownSignal, false),
        'path',
      )
    },
    async close() {
      // A server that cannot be reached drops the model with its session.
      await api.post('unload_model', { model_id: id }, { signal: AbortSignal.timeout(10_000), isRepeatable: false }).catch(() => undefined)
    },
  }
}

function* cutIntoRequests(data: readonly Datum[]): Generator<Datum[]> {
  let part: Datum[] = []
  let bytes = 0
  for (const datum of data) {
    const size = datumBytes(datum)
    if (part.length > 0 && (part.length === maxDatums || bytes + size > maxBytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(datum)
    bytes += size
  }
  if (part.length > 0) yield part
}

/** Servers put their name before that of the metric. @throws EngineError when there is none: a step could then not be checked */
function readGradientNorm({ metrics }: Record<string, unknown>): number {
  const entries = typeof metrics === 'object' && metrics !== null ? Object.entries(metrics) : []
  const norm: unknown = entries.find(([name]) => name === 'grad_norm' || name.endsWith('/grad_norm'))?.[1]
  if (norm === null || typeof norm === 'string') return Number(norm ?? Number.NaN)
  if (typeof norm === 'number') return norm
  throw new EngineError('unsupported', 'the training server reports no gradient norm, by which a step is checked')
}
