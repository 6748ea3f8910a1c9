import { EngineError, type OptimizerSettings } from '../engine.ts'
import type { ForwardBackward } from './forward-backward.ts'
import { type Datum, datumBytes } from './protobuf/messages.ts'
import { type TinkerApi, textField } from './tinker-api.ts'
import type { TinkerSession } from './tinker-session.ts'

/** Larger batches are split into several requests. */
const maxDatums = 1_024
const maxBytes = 4 * 2 ** 20

export interface TinkerModelSettings {
  /** As the server calls it. */
  baseModel: string
  rank: number
  seed: number
  /** Address of saved weights to begin with, with the state of the optimizer; null for a fresh adapter. */
  load: string | null
}

/** @throws EngineError `unavailable` also if the server has no slot for another model */
export type OpenTinkerModel = (settings: TinkerModelSettings, signal: AbortSignal) => Promise<TinkerModel>

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
  /** Releases its slot on the server. */
  close(): Promise<void>
}

export interface TinkerModelDeps {
  api: TinkerApi
  session: TinkerSession
  forwardBackward: ForwardBackward
}

export function createOpenTinkerModel(deps: TinkerModelDeps): OpenTinkerModel {
  const { api, session } = deps
  return async ({ baseModel, rank, seed, load }, signal) => {
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
    const model = toModel(textField(created, 'model_id'), deps)
    try {
      await api.result(textField(created, 'request_id'), signal)
      if (load !== null) await model.load(load, signal)
      return model
    } catch (error) {
      await model.close()
      throw error
    }
  }
}

interface CreatedModel extends TinkerModel {
  /** Only as the first request. */
  load(address: string, signal: AbortSignal): Promise<void>
}

function toModel(id: string, { api, forwardBackward }: TinkerModelDeps): CreatedModel {
  let sequence = 0

  async function ask(path: string, body: object, { signal, isRepeatable }: { signal: AbortSignal; isRepeatable: boolean }) {
    const promised = await api.post(path, { model_id: id, seq_id: ++sequence, ...body }, { signal, isRepeatable })
    const result = await api.result(textField(promised, 'request_id'), signal)
    if (result.kind === 'json') return result.value
    throw new EngineError('unavailable', `the training server answered ${path} with a message in place of JSON`)
  }

  async function pass(data: readonly Datum[], forwardOnly: boolean, signal: AbortSignal): Promise<Float32Array[]> {
    const results: Float32Array[] = []
    const lossFunction = forwardOnly ? 'cross_entropy' : 'importance_sampling'
    for (const part of cutIntoRequests(data))
      results.push(...(await forwardBackward.send({ modelId: id, sequenceId: ++sequence, data: part, lossFunction, forwardOnly }, signal)))
    return results
  }

  return {
    id,
    load: async (address, signal) => void (await ask('load_weights', { path: address, optimizer: true }, { signal, isRepeatable: false })),
    forward: (data, signal) => pass(data, true, signal),
    backward: async (data, signal) => void (await pass(data, false, signal)),
    async step({ learningRate, beta1, beta2, epsilon, weightDecay, clip }, signal) {
      // 0 disables clipping. Servers older than this field ignore it.
      const grad_clip_norm = Number.isFinite(clip) ? clip : 0
      const adam = { learning_rate: learningRate, beta1, beta2, eps: epsilon, weight_decay: weightDecay, grad_clip_norm }
      const isRepeatable = forwardBackward.dialect() !== 'json'
      return readGradientNorm(await ask('optim_step', { adam_params: adam }, { signal, isRepeatable }))
    },
    async save(kind, name, signal) {
      const path = kind === 'training' ? 'save_weights' : 'save_weights_for_sampler'
      return textField(await ask(path, { path: name }, { signal, isRepeatable: false }), 'path')
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

/** Servers prefix their name to that of the metric. @throws EngineError if there is none: a step could then not be checked */
function readGradientNorm({ metrics }: Record<string, unknown>): number {
  const entries = typeof metrics === 'object' && metrics !== null ? Object.entries(metrics) : []
  const norm: unknown = entries.find(([name]) => name === 'grad_norm' || name.endsWith('/grad_norm'))?.[1]
  if (norm === null || typeof norm === 'string') return Number(norm ?? Number.NaN)
  if (typeof norm === 'number') return norm
  throw new EngineError('unsupported', 'the training server reports no gradient norm, by which a step is checked')
}
