import { randomUUID } from 'node:crypto'
import { type BaseModel, type Engine, EngineError } from '../engine.ts'
import { createForwardBackward } from './forward-backward.ts'
import { type GradientScale, measureGradientScale } from './gradient-scale.ts'
import { createFindRemoteModel } from './remote-models.ts'
import { readRemotePaths } from './remote-paths.ts'
import { createServedModels } from './served-models.ts'
import { createTinkerApi, type TinkerApiOptions } from './tinker-api.ts'
import { createOpenTinkerModel } from './tinker-model.ts'
import { createTinkerSampling } from './tinker-sampling.ts'
import { createTinkerSession } from './tinker-session.ts'
import { createTinkerTraining } from './tinker-training.ts'

export interface TinkerEngineOptions extends TinkerApiOptions {
  /** The models served from those of the server. Their folders hold the tokenizer; the server's weights are used. */
  baseModels: readonly BaseModel[]
}

const measured = { rank: 1, seed: 1, load: null }
const still = { learningRate: 0, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: Infinity }

/**
 * Runs and trains models on a server that speaks the Tinker training API. How it adds losses up is measured before the first training. Checkpoints are brought
 * home as adapters; what the server keeps is needed to sample from them and to train on.
 */
export function createTinkerEngine(options: TinkerEngineOptions): Engine {
  const api = createTinkerApi(options)
  const session = createTinkerSession(api)
  const findRemote = createFindRemoteModel(api)
  const remoteName = (id: string, signal: AbortSignal) => findRemote(findModel(id).id, signal)
  const forwardBackward = createForwardBackward(api)
  const newName = () => `heddle-${randomUUID()}`
  const served = createServedModels({ open: createOpenTinkerModel({ api, session, forwardBackward }), remoteName, newName })
  const sampling = createTinkerSampling({ api, session, served, remoteName })
  const scales = new Map<string, Promise<GradientScale>>()

  function findModel(id: string): BaseModel {
    const found = options.baseModels.find((model) => model.id === id)
    if (found) return found
    throw new EngineError(
      'unknown-model',
      `unknown base model "${id}"; known are ${options.baseModels.map((model) => model.id).join(', ')}`,
    )
  }

  async function measureScale(baseModel: string, signal: AbortSignal): Promise<GradientScale> {
    const model = await served.open({ ...measured, baseModel }, signal)
    try {
      return await measureGradientScale({
        forward: async (datum) => (await model.forward([datum], signal))[0]!,
        async gradientNorm(data) {
          await model.backward(data, signal)
          return await model.step(still, signal)
        },
      })
    } finally {
      await model.close()
    }
  }

  async function scaleFor(baseModel: string, signal: AbortSignal): Promise<GradientScale> {
    const known = scales.get(baseModel) ?? measureScale(baseModel, signal)
    scales.set(baseModel, known)
    try {
      return await known
    } catch (error) {
      scales.delete(baseModel)
      throw error
    }
  }

  return {
    baseModels: async () => options.baseModels,
    async openTraining({ from, adapter, seed, resumeFrom }, signal) {
      const baseModel = await remoteName(from.baseModel, signal)
      if (adapter === null)
        throw new EngineError('unsupported', 'a training server trains adapters alone; give the base model adapter settings')
      const scale = await scaleFor(baseModel, signal)
      const folder = resumeFrom ?? from.folder
      const load = folder === null ? null : (await readRemotePaths(folder)).training
      const model = await served.open({ baseModel, rank: adapter.rank, seed, load }, signal)
      return createTinkerTraining({ api, model, served, scale, newName })
    },
    generate: sampling.generate,
    score: sampling.score,
    choosesModules: false,
    library: null,
    estimateTraining: async () => null,
    unload: (keyPrefix) => served.unload(keyPrefix),
    async health() {
      try {
        await api.get('healthz', AbortSignal.timeout(5_000))
        return { ok: true, detail: { url: options.url, dialect: forwardBackward.dialect() } }
      } catch (error) {
        return { ok: false, detail: { url: options.url, error: (error as Error).message } }
      }
    },
    async close() {
      await served.close()
      session.close()
    },
  }
}
