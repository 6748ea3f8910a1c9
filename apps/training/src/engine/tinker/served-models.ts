import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { EngineError, type ModelVersion } from '../engine.ts'
import { orAborted } from '../or-aborted.ts'
import { readRemotePaths } from './remote-paths.ts'
import { TinkerRefusal } from './tinker-api.ts'
import type { OpenTinkerModel, TinkerModel, TinkerModelSettings } from './tinker-model.ts'

export interface ServedModelsOptions {
  open: OpenTinkerModel
  /** The server's name of a base model. */
  remoteName: (baseModel: string, signal: AbortSignal) => Promise<string>
  /** A name that no other saved weights have. */
  newName: () => string
}

/**
 * Models that remain loaded on the server because completions are sampled from their checkpoints: some servers sample only from loaded models, and
 * have slots for few. The least recently used models release their slots.
 */
export interface ServedModels {
  /** Opens a model; if the server has no slot for it, kept models that are not being sampled release theirs. */
  open: OpenTinkerModel
  /** Keeps a model, whose weights are those saved at this address for sampling. */
  keep(address: string, model: TinkerModel): Promise<void>
  /** Samples from a checkpoint, by the address that it has now. Weights whose model the server has not loaded are loaded into another, and sampled from then. */
  sampleFrom<T>(version: ModelVersion & { folder: string }, sample: (address: string) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Releases the slots of versions whose key begins with this text, once they are not being sampled. */
  unload(keyPrefix: string): Promise<void>
  close(): Promise<void>
}

interface CachedModel {
  model: TinkerModel
  /** Address of the weights to sample from. */
  address: string
  /** Key of the version that was sampled last; null before. */
  key: string | null
  samples: number
}

/** Servers have 32 slots by default, and each model in training takes one. */
const maxCached = 8

export function createServedModels({ open, remoteName, newName }: ServedModelsOptions): ServedModels {
  /** By the address in the files of the checkpoint; the least recently used first. */
  const kept = new Map<string, CachedModel>()
  const loading = new Map<string, Promise<string>>()
  const closing = new AbortController()

  const unused = () => [...kept].filter(([, { samples }]) => samples === 0)

  async function release(entries: readonly [string, CachedModel][]): Promise<void> {
    for (const [address] of entries) kept.delete(address)
    await Promise.all(entries.map(([, { model }]) => model.close()))
  }

  async function openWithRoom(settings: TinkerModelSettings, signal: AbortSignal): Promise<TinkerModel> {
    for (;;) {
      try {
        return await open(settings, signal)
      } catch (error) {
        const oldest = unused().slice(0, 1)
        if (oldest.length === 0 || !hasNoPlace(error)) throw error
        await release(oldest)
      }
    }
  }

  async function keep(address: string, model: TinkerModel, now = address): Promise<void> {
    kept.set(address, { model, address: now, key: null, samples: 0 })
    await release(unused().slice(0, Math.max(0, kept.size - maxCached)))
  }

  /** Loads the weights into a fresh model, and returns where they can be sampled from. */
  async function load({ baseModel, folder }: ModelVersion & { folder: string }, original: string): Promise<string> {
    const { signal } = closing
    const settings = { baseModel: await remoteName(baseModel, signal), rank: await readRank(folder), seed: 0 }
    const model = await openWithRoom({ ...settings, load: (await readRemotePaths(folder)).training }, signal)
    try {
      const address = await model.save('sampler', newName(), signal)
      const lost = kept.get(original)
      await keep(original, model, address)
      if (lost) await lost.model.close()
      return address
    } catch (error) {
      await model.close()
      throw error
    }
  }

  async function loadOnce(version: ModelVersion & { folder: string }, original: string): Promise<string> {
    const known = loading.get(original) ?? load(version, original).finally(() => loading.delete(original))
    loading.set(original, known)
    return known
  }

  /** While it is sampled, the model keeps its slot. */
  async function sampleAt<T>(original: string, key: string, sample: (address: string) => Promise<T>): Promise<T> {
    const model = kept.get(original)
    if (!model) return sample(original)
    kept.delete(original)
    kept.set(original, model)
    model.key = key
    model.samples++
    try {
      return await sample(model.address)
    } finally {
      model.samples--
    }
  }

  return {
    open: openWithRoom,
    keep,
    async sampleFrom(version, sample, signal) {
      const { sampler } = await readRemotePaths(version.folder)
      if (sampler === null)
        throw new EngineError('damaged', `${version.folder} holds the state of a training, which cannot be sampled from`)
      const tried = kept.get(sampler)?.address
      try {
        return await sampleAt(sampler, version.key, sample)
      } catch (error) {
        if (!isNotLoaded(error)) throw error
        // Another sample may have had it loaded meanwhile.
        if (kept.get(sampler)?.address === tried) await orAborted(loadOnce(version, sampler), signal)
        return await sampleAt(sampler, version.key, sample)
      }
    },
    unload: async (keyPrefix) => release(unused().filter(([, { key }]) => key?.startsWith(keyPrefix))),
    async close() {
      closing.abort(new EngineError('unavailable', 'this server is closing'))
      await Promise.allSettled(loading.values())
      await release([...kept])
    },
  }
}

/** Servers report this only in the message. */
function isNotLoaded(error: unknown): boolean {
  return error instanceof TinkerRefusal && (error.status === 400 || error.status === 404) && /not (loaded|found)/i.test(error.message)
}

function hasNoPlace(error: unknown): boolean {
  return error instanceof TinkerRefusal && error.status === 400 && /maximum number/i.test(error.message)
}

async function readRank(folder: string): Promise<number> {
  const path = join(folder, 'adapter_config.json')
  try {
    return z.object({ r: z.number() }).parse(JSON.parse(await readFile(path, 'utf8'))).r
  } catch (error) {
    throw new EngineError('damaged', `${path} does not say which rank the adapter has`, { cause: error })
  }
}
