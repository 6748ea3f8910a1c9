import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import { cacheBytes, copyCache, type KeyValueCache } from './key-value-cache.ts'

/** Shorter prefixes are computed as fast as they are found. */
const minTokens = 16
/** The share of the memory of models that ended completions may hold, and how many of them. */
const maxShare = 1 / 8
const maxKept = 64

interface Prefix {
  /** Those whose keys and values are in the cache. */
  tokens: Int32Array
  cache: KeyValueCache
}

/** Keys and values of completions that have ended, for prompts that begin with the same tokens: the next turn of a conversation does. */
export class PrefixCache {
  private readonly memory: KernelMemory
  private readonly config: ModelConfig
  /** Least recently used first. */
  private readonly kept: Prefix[] = []

  constructor(memory: KernelMemory, config: ModelConfig) {
    this.memory = memory
    this.config = config
  }

  /** Takes over the memory of a cache, and frees it when others are more recent. */
  keep(tokens: Int32Array, cache: KeyValueCache): void {
    const earlier = this.kept.findIndex((prefix) => prefix.tokens.length === sharedLength(prefix.tokens, tokens))
    if (earlier >= 0) this.drop(earlier)
    this.kept.push({ tokens, cache })
    while (this.kept.length > maxKept || this.bytes > this.memory.maxBytes * maxShare) this.drop(0)
  }

  /** Copies the longest cached prefix of a prompt's first `limit` tokens to a cache. Returns its length in tokens. */
  copyTo(cache: KeyValueCache, prompt: Int32Array, limit: number): number {
    const lengths = this.kept.map(({ tokens }) => Math.min(limit, sharedLength(tokens, prompt)))
    const longest = Math.max(0, ...lengths)
    if (longest < minTokens) return 0
    const index = lengths.indexOf(longest)
    const [prefix] = this.kept.splice(index, 1)
    this.kept.push(prefix!)
    copyCache(this.memory, { config: this.config, from: prefix!.cache, to: cache, tokens: longest })
    return longest
  }

  /** False if there was nothing to free. */
  clear(): boolean {
    const hadSome = this.kept.length > 0
    while (this.kept.length > 0) this.drop(0)
    return hadSome
  }

  private get bytes(): number {
    return this.kept.reduce((sum, { cache }) => sum + cacheBytes(this.config, cache.capacity), 0)
  }

  private drop(index: number): void {
    const [prefix] = this.kept.splice(index, 1)
    this.memory.free(prefix!.cache.block)
  }
}

/** Tokens with which both begin. */
function sharedLength(a: Int32Array, b: Int32Array): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length++
  return length
}
