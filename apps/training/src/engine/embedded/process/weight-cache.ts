import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, type ModelVersion } from '../../engine.ts'
import { type KernelMemory, OutOfMemoryError } from '../kernels/kernel-memory.ts'
import { openAdapter, type OpenedWeights, openModel } from '../model/model-weights.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { DecodeTeam } from '../sampling/decode-team.ts'
import { Sampler } from '../sampling/sampler.ts'
import type { Work } from '../work.ts'

/** Weights that never change, in memory until they are evicted as the least recently used. */
export interface CachedWeights {
  readonly key: string
  readonly model: ModelParameters
  /** Samples from these weights; created on first use. @throws OutOfMemoryError */
  sampler(): Sampler
}

interface Entry extends CachedWeights {
  uses: number
  /** Settles once the weights are loaded. */
  ready: Promise<void>
  /** Frees the prefix caches kept for later prompts. False if there were none. */
  freePrefixes(): boolean
  close(): void
}

export interface WeightCacheOptions {
  memory: KernelMemory
  /** Folders of the base models by their ids. */
  folders: ReadonlyMap<string, string>
  team: DecodeTeam
  /** Runs the work of loading among that of others. */
  runWork: (work: Work<void>) => Promise<void>
}

/** A cache of weights with least-recently-used eviction. */
export class WeightCache {
  private readonly memory: KernelMemory
  private readonly folders: ReadonlyMap<string, string>
  private readonly team: DecodeTeam
  private readonly runWork: WeightCacheOptions['runWork']
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>()
  /** Unloaded while they were in use: freed by the last `release`. */
  private readonly retired = new Set<Entry>()

  constructor({ memory, folders, team, runWork }: WeightCacheOptions) {
    this.memory = memory
    this.folders = folders
    this.team = team
    this.runWork = runWork
  }

  get loadedKeys(): string[] {
    return [...this.entries.keys()]
  }

  /** The weights of a version once they are loaded; they remain in memory until `release`. @throws EngineError, ModelFileError, OutOfMemoryError */
  async acquire(version: ModelVersion): Promise<CachedWeights> {
    const entry = this.hold(version)
    try {
      await entry.ready
      return entry
    } catch (error) {
      this.release(entry)
      throw error
    }
  }

  private hold(version: ModelVersion): Entry {
    const key = keyOf(version)
    const entry = this.entries.get(key) ?? this.open(version)
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

  /** Allocates the memory of weights, and begins to load them. */
  private open(version: ModelVersion): Entry {
    const { baseModel, folder } = version
    const base = this.folders.get(baseModel)
    if (base === undefined) {
      const known = [...this.folders.keys()].join(', ') || 'none'
      throw new EngineError('unknown-model', `unknown base model "${baseModel}" (known: ${known})`)
    }
    if (folder === null) return this.createEntry(version, this.openWhole(base), null)
    if (!existsSync(join(folder, 'adapter_config.json'))) return this.createEntry(version, this.openWhole(folder), null)
    const below = this.hold({ key: '', baseModel, folder: null })
    try {
      return this.createEntry(
        version,
        this.withEviction(() => openAdapter(this.memory, folder, below.model)),
        below,
      )
    } catch (error) {
      this.release(below)
      throw error
    }
  }

  private openWhole(folder: string): OpenedWeights {
    return this.withEviction(() => openModel(this.memory, folder))
  }

  private createEntry(version: ModelVersion, { model, block, read }: OpenedWeights, below: Entry | null): Entry {
    // Base models are sampled by all projects.
    const keepsPrefixes = version.folder !== null
    let sampler: Sampler | null = null
    const entry: Entry = {
      key: keyOf(version),
      model,
      // Loading is a use.
      uses: 1,
      ready: this.load(below, read),
      sampler: () => (sampler ??= this.withEviction(() => new Sampler(this.memory, model, this.team, { keepsPrefixes }))),
      freePrefixes: () => sampler?.freePrefixes() ?? false,
      close: () => {
        sampler?.close()
        this.memory.free(block)
        if (below) this.release(below)
      },
    }
    const release = () => this.release(entry)
    entry.ready.then(release, () => {
      this.retire(entry)
      release()
    })
    return entry
  }

  private async load(below: Entry | null, read: () => Work<void>): Promise<void> {
    await below?.ready
    await this.runWork(read())
  }

  /** The next request loads them again. */
  private retire(entry: Entry): void {
    if (this.entries.get(entry.key) !== entry) return
    this.entries.delete(entry.key)
    this.retired.add(entry)
  }
}

/** All users of a base model share one entry. */
function keyOf({ key, baseModel, folder }: ModelVersion): string {
  return folder === null ? `base model ${baseModel}` : key
}
