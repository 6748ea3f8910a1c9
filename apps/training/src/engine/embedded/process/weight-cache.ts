import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, type ModelVersion } from '../../engine.ts'
import { type KernelMemory, OutOfMemoryError } from '../kernels/kernel-memory.ts'
import { type LoadedWeights, loadAdapter, loadModel } from '../model/model-weights.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { DecodeTeam } from '../sampling/decode-team.ts'
import { Sampler } from '../sampling/sampler.ts'

/** Weights that never change, in memory until they are evicted as the least recently used. */
export interface CachedWeights {
  readonly key: string
  readonly model: ModelParameters
  /** Samples from these weights; created on first use. @throws OutOfMemoryError */
  sampler(): Sampler
}

interface Entry extends CachedWeights {
  uses: number
  /** Frees the prefix caches kept for later prompts. False if there were none. */
  freePrefixes(): boolean
  close(): void
}

/** A cache of weights with least-recently-used eviction. */
export class WeightCache {
  private readonly memory: KernelMemory
  private readonly folders: ReadonlyMap<string, string>
  private readonly team: DecodeTeam
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>()
  /** Unloaded while they were in use: freed by the last `release`. */
  private readonly retired = new Set<Entry>()

  /** @param folders of the base models by their ids */
  constructor(memory: KernelMemory, folders: ReadonlyMap<string, string>, team: DecodeTeam) {
    this.memory = memory
    this.team = team
    this.folders = folders
  }

  get loadedKeys(): string[] {
    return [...this.entries.keys()]
  }

  /** The weights of a version, which remain in memory until `release`. @throws EngineError, ModelFileError, OutOfMemoryError */
  acquire(version: ModelVersion): CachedWeights {
    const key = keyOf(version)
    const entry = this.entries.get(key) ?? this.load(version)
    this.entries.delete(key)
    this.entries.set(key, entry)
    entry.uses++
    return entry
  }

  release(weights: CachedWeights): void {
    const entry = weights as Entry
    entry.uses--
    if (entry.uses === 0 && this.retired.delete(entry)) entry.close()
  }

  /** Unloads weights by the prefix of their key: immediately, or when their last use ends. */
  unload(keyPrefix: string): void {
    for (const [key, entry] of this.entries) {
      if (!key.startsWith(keyPrefix)) continue
      this.entries.delete(key)
      if (entry.uses === 0) entry.close()
      else this.retired.add(entry)
    }
  }

  /** Repeats an allocation while unused weights can be evicted. @throws OutOfMemoryError */
  withEviction<T>(allocate: () => T): T {
    for (;;) {
      try {
        return allocate()
      } catch (error) {
        if (!(error instanceof OutOfMemoryError) || !this.evict()) throw error
      }
    }
  }

  /** Whether so many bytes can be allocated, after evicting unused weights where needed. */
  hasRoom(bytes: number): boolean {
    try {
      this.memory.free(this.withEviction(() => this.memory.allocateDirty(bytes)))
      return true
    } catch (error) {
      if (error instanceof OutOfMemoryError) return false
      throw error
    }
  }

  /** Frees the prefix caches kept for later prompts, or else the least recently used weights. False when all are in use. */
  private evict(): boolean {
    for (const entry of [...this.entries.values(), ...this.retired]) if (entry.freePrefixes()) return true
    for (const [key, entry] of this.entries) {
      if (entry.uses > 0) continue
      this.entries.delete(key)
      entry.close()
      return true
    }
    return false
  }

  private load(version: ModelVersion): Entry {
    const { baseModel, folder } = version
    const base = this.folders.get(baseModel)
    if (base === undefined) {
      const known = [...this.folders.keys()].join(', ') || 'none'
      throw new EngineError('unknown-model', `unknown base model "${baseModel}" (known: ${known})`)
    }
    if (folder === null) return this.createEntry(version, this.loadWhole(base), null)
    if (!existsSync(join(folder, 'adapter_config.json'))) return this.createEntry(version, this.loadWhole(folder), null)
    const below = this.acquire({ key: '', baseModel, folder: null })
    try {
      return this.createEntry(
        version,
        this.withEviction(() => loadAdapter(this.memory, folder, below.model)),
        below,
      )
    } catch (error) {
      this.release(below)
      throw error
    }
  }

  private loadWhole(folder: string): LoadedWeights {
    return this.withEviction(() => loadModel(this.memory, folder))
  }

  private createEntry(version: ModelVersion, { model, block }: LoadedWeights, below: CachedWeights | null): Entry {
    // Base models are sampled by all projects.
    const keepsPrefixes = version.folder !== null
    let sampler: Sampler | null = null
    return {
      key: keyOf(version),
      model,
      uses: 0,
      sampler: () => (sampler ??= this.withEviction(() => new Sampler(this.memory, model, this.team, { keepsPrefixes }))),
      freePrefixes: () => sampler?.freePrefixes() ?? false,
      close: () => {
        sampler?.close()
        this.memory.free(block)
        if (below) this.release(below)
      },
    }
  }
}

/** All users of a base model share one entry. */
function keyOf({ key, baseModel, folder }: ModelVersion): string {
  return folder === null ? `base model ${baseModel}` : key
}
