import { createHash } from 'node:crypto'
import type { Handlers, training } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { OptimizerSettings } from '../../engine/engine.ts'
import { toForwardBackwardResult } from '../../engine/tinker/json/messages.ts'
import { encodeForwardBackwardOutput, type ForwardBackwardOutput } from '../../engine/tinker/protobuf/messages.ts'
import type { SaveTarget } from './held-models/held-model.ts'
import { readPass } from './held-models/read-pass.ts'
import type { TinkerResult } from './sessions/pending-results.ts'
import type { SequencedRequest } from './sessions/sequenced-work.ts'
import { jsonResult } from './settle.ts'
import type { TinkerDeps } from './tinker-deps.ts'
import { checkedWeightsName, toAddress } from './weights-address.ts'

type Names = 'forwardBackward' | 'forward' | 'optimStep' | 'saveWeights' | 'saveWeightsForSampler'

const secondMicros = 1_000_000

/** Requests of one model, worked on in their order. */
export function trainingHandlers({ sessions, enqueue, clock, newId }: TinkerDeps): Pick<Handlers<typeof training.tinker, Context>, Names> {
  async function pass({ bytes, content_type }: { bytes: Uint8Array; content_type?: string | undefined }, context: Context) {
    const read = readPass(bytes, content_type)
    const opened = await sessions.openModel(context, read.modelId)
    const request = { number: read.sequenceId, digest: digestOf(bytes), bytes: bytes.byteLength }
    return enqueue(opened, request, async (held) => passResult(await held.pass(read)))
  }

  function readSaved(
    { path, ttl_seconds, user_metadata }: { path: string | null; ttl_seconds: number | null; user_metadata: Record<string, string> | null },
    kind: SaveTarget['kind'],
    overwrites: boolean,
  ): SaveTarget {
    return {
      kind,
      name: path === null ? newId() : checkedWeightsName(path),
      user_metadata,
      expires_at: ttl_seconds === null ? null : clock() + ttl_seconds * secondMicros,
      overwrites,
    }
  }

  return {
    forwardBackward: pass,
    forward: pass,

    async optimStep(input, context) {
      const { model_id, adam_params, optimizer_params } = input
      if (optimizer_params !== null)
        throw badRequest('optimizer_params is not supported: AdamW is the only optimizer here; send adam_params')
      if (adam_params === null) throw badRequest('adam_params is missing; send its learning_rate')
      const settings = toSettings(adam_params)
      const opened = await sessions.openModel(context, model_id)
      return enqueue(opened, toRequest(input), async (held) => {
        const norm = await held.optimize(settings)
        return jsonResult({ type: 'optim_step', metrics: Number.isFinite(norm) ? { grad_norm: norm } : { skipped_step: 1 } })
      })
    },

    async saveWeights(input, context) {
      const opened = await sessions.openModel(context, input.model_id)
      const as = readSaved(input, 'weights', input.overwrite)
      return enqueue(opened, toRequest(input), async (held) => {
        await held.save(as)
        return jsonResult({ type: 'save_weights', path: toAddress({ ...as, run_id: held.run.id }) })
      })
    },

    async saveWeightsForSampler(input, context) {
      const { sampling_session_seq_id: number, kind } = input
      if (kind !== null && kind !== 'snapshot')
        throw badRequest(
          `kind ${JSON.stringify(kind.slice(0, 100))} is not supported; weights of a sampler do not change here: use snapshot`,
        )
      const opened = await sessions.openModel(context, input.model_id)
      const as = input.path === null && number !== null ? null : readSaved(input, 'sampler_weights', true)
      return enqueue(opened, toRequest(input), async (held) => {
        const step = await held.save(as)
        if (as) return jsonResult({ type: 'save_weights_for_sampler', path: toAddress({ ...as, run_id: held.run.id }) })
        const id = `${opened.session.id}:sample:${number}`
        const target = { modelId: held.run.model_id, step }
        sessions.addSampler(opened.session, { id, baseModel: held.run.named_base_model, path: null, target, requested: new Map() })
        return jsonResult({ type: 'save_weights_for_sampler', sampling_session_id: id })
      })
    },
  }
}

const digestOf = (content: Uint8Array | string) => createHash('sha256').update(content).digest('base64')

function toRequest(input: { seq_id: number | null }): SequencedRequest {
  const text = JSON.stringify(input)
  return { number: input.seq_id === 0 ? null : input.seq_id, digest: digestOf(text), bytes: text.length }
}

function passResult(output: ForwardBackwardOutput): TinkerResult {
  return {
    toJson: () => toForwardBackwardResult(output),
    toMessage: () => encodeForwardBackwardOutput(output),
    bytes: output.logProbabilities.reduce((sum, { byteLength }) => sum + byteLength, 0),
  }
}

interface Adam {
  learning_rate: number
  beta1: number
  beta2: number
  eps: number
  weight_decay: number
  grad_clip_norm: number
}

/** @throws ApiError 400 that names what is out of range */
function toSettings(adam: Adam): OptimizerSettings {
  const { learning_rate, beta1, beta2, eps, weight_decay, grad_clip_norm } = adam
  const wrong: [keyof Adam, boolean, string][] = [
    ['learning_rate', learning_rate < 0, '0 or above'],
    ['beta1', beta1 < 0 || beta1 >= 1, 'from 0 to below 1'],
    ['beta2', beta2 < 0 || beta2 >= 1, 'from 0 to below 1'],
    ['eps', eps <= 0, 'above 0'],
    ['weight_decay', weight_decay < 0, '0 or above'],
  ]
  const found = wrong.find(([, isWrong]) => isWrong)
  if (found) throw badRequest(`adam_params.${found[0]} is ${adam[found[0]]}; it must be ${found[2]}`)
  const clip = grad_clip_norm > 0 ? grad_clip_norm : Infinity
  return { learningRate: learning_rate, beta1, beta2, epsilon: eps, weightDecay: weight_decay, clip }
}
