import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError, type ModelVersion } from '../engine.ts'
import { orAborted } from '../or-aborted.ts'
import { inTime } from './in-time.ts'
import type { SamplerDialect } from './sampler-dialect.ts'

export interface ServedAdaptersOptions {
  dialect: Pick<SamplerDialect, 'load' | 'unload' | 'adaptersHint'>
  /** Where the server reads adapters, by the same path as here. */
  folder: string
  /** Adapters that remain loaded while none of their completions is sampled. Default 16. */
  maxIdle?: number
}

/** Adapters that the server has loaded from the shared folder. */
export interface ServedAdapters {
  /** Loads an adapter, which stays loaded until it is released. @throws EngineError */
  hold(version: AdapterVersion, signal: AbortSignal): Promise<HeldAdapter>
  /** Loads the adapter again at its next use, as after a restart of the server. */
  forget(version: AdapterVersion): void
  /** Unloads adapters whose key begins with this text, and removes their files. */
  unload(keyPrefix: string): Promise<void>
}

export type AdapterVersion = ModelVersion & { folder: string }

export interface HeldAdapter {
  /** As the server calls it. */
  name: string
  /** To be called once. */
  release(): void
}

interface LoadedAdapter {
  name: string
  ready: Promise<void>
  users: number
  /** To be removed when its last use ends. */
  isUnwanted: boolean
}

/** The files of PEFT that inference servers read. */
const files = ['adapter_config.json', 'adapter_model.safetensors'] as const
const loadTimeoutMs = 120_000
const defaultIdle = 16

export function hasAdapter(version: ModelVersion): version is AdapterVersion {
  return version.folder !== null && files.every((name) => existsSync(join(version.folder!, name)))
}

export function createServedAdapters({ dialect, folder, maxIdle = defaultIdle }: ServedAdaptersOptions): ServedAdapters {
  /** By the key of the version, the least recently used first. */
  const loaded = new Map<string, LoadedAdapter>()
  /** By the name of the adapter. */
  const removals = new Map<string, Promise<void>>()

  /** Not ended by the request that began it: others may wait for it. */
  async function load(name: string, from: string): Promise<void> {
    await removals.get(name)?.catch(() => undefined)
    const path = join(folder, name)
    if (!existsSync(path)) await copyAdapter(from, path)
    try {
      await inTime(loadTimeoutMs, `the sampler did not load ${path}`, (signal) => dialect.load({ name, path }, signal))
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      const reason = `${error.message}; the sampler must see ${path}, as HEDDLE_SAMPLER_FOLDER says: ${dialect.adaptersHint}`
      throw new EngineError('unavailable', reason, { cause: error })
    }
  }

  /** Unloads an adapter and removes its files; a use that comes meanwhile waits for the end. */
  function remove(name: string): Promise<void> {
    const removal = (async () => {
      // A server that restarted does not know it.
      await dialect.unload(name, AbortSignal.timeout(loadTimeoutMs)).catch(() => undefined)
      await rm(join(folder, name), { recursive: true, force: true })
    })()
    removals.set(name, removal)
    return removal.finally(() => removals.delete(name))
  }

  async function removeIdle(): Promise<void> {
    const idle = [...loaded].filter(([, { users }]) => users === 0)
    const tooMany = idle.length - maxIdle
    const leaving = idle.filter(([, { isUnwanted }], at) => isUnwanted || at < tooMany)
    for (const [key] of leaving) loaded.delete(key)
    await Promise.all(leaving.map(([, { name }]) => remove(name)))
  }

  function open({ key, folder: from }: AdapterVersion): LoadedAdapter {
    const name = nameOf(key)
    const entry = loaded.get(key) ?? { name, ready: load(name, from), users: 0, isUnwanted: false }
    loaded.delete(key)
    loaded.set(key, entry)
    entry.ready.catch(() => loaded.get(key) === entry && loaded.delete(key))
    return entry
  }

  return {
    async hold(version, signal) {
      const entry = open(version)
      entry.users++
      const release = () => {
        entry.users--
        void removeIdle().catch(() => undefined)
      }
      try {
        await orAborted(entry.ready, signal)
        return { name: entry.name, release }
      } catch (error) {
        release()
        throw error
      }
    },
    forget: ({ key }) => void loaded.delete(key),
    async unload(keyPrefix) {
      for (const [key, entry] of loaded) if (key.startsWith(keyPrefix)) entry.isUnwanted = true
      await removeIdle()
      // Adapters of an earlier run of this server.
      const known = new Set([...loaded.values()].map(({ name }) => name))
      const stored = await readdir(folder).catch(() => [])
      await Promise.all(stored.filter((name) => name.startsWith(nameOf(keyPrefix)) && !known.has(name)).map(remove))
    },
  }
}

const nameOf = (key: string) => `heddle-${key.replaceAll('/', '-')}`

/** The copy appears when it is complete. */
async function copyAdapter(from: string, path: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  await mkdir(unfinished, { recursive: true })
  try {
    for (const name of files) await copyFile(join(from, name), join(unfinished, name))
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}
