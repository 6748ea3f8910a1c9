import type { SampledToken, SamplingSettings } from '../../engine.ts'
import { createRandom, type Random } from '../random.ts'
import { chooseToken } from './choose-token.ts'
import type { CompletionConstraint } from './completion-constraint.ts'
import type { KeyValueCache } from './key-value-cache.ts'

export interface CompletionRequest {
  /** At least one token. */
  prompt: Int32Array
  settings: SamplingSettings
  seed: bigint
  constraint: CompletionConstraint | null
}

/** A completion that is being sampled. */
export class Completion {
  readonly cache: KeyValueCache
  /** Tokens that are in the cache. */
  cached = 0
  finish: SampledToken['finish'] = null
  private readonly request: CompletionRequest
  private readonly random: Random
  private readonly inPrompt: ReadonlySet<number>
  private readonly counts = new Map<number, number>()
  /** Sampled, and not reported until it is known whether anything may follow it. */
  private held: Omit<SampledToken, 'completion'> | null = null
  private readonly sampled: number[] = []

  constructor(request: CompletionRequest, cache: KeyValueCache) {
    this.request = request
    this.cache = cache
    this.random = createRandom(request.seed)
    this.inPrompt = new Set(request.prompt)
  }

  /** Tokens that are known and not in the cache. */
  get pending(): Int32Array {
    const { prompt } = this.request
    return this.cached < prompt.length ? prompt.subarray(this.cached) : Int32Array.of(this.sampled.at(-1) ?? 0)
  }

  /** The tokens that are in the cache. */
  get cachedTokens(): Int32Array {
    return Int32Array.from([...this.request.prompt, ...this.sampled].slice(0, this.cached))
  }

  /** Pending tokens that may be added to the cache: the last one only when it is known which tokens may follow it. */
  get readyTokens(): number {
    const { constraint } = this.request
    return this.pending.length - (constraint && !constraint.isReady ? 1 : 0)
  }

  /** Samples the next token. `logits` are those after all pending tokens. Null: it is reported by `takeHeld`, once its constraint is ready. */
  sample(logits: Float32Array): Omit<SampledToken, 'completion'> | null {
    const { settings, constraint } = this.request
    const counts = { prompt: this.inPrompt, completion: this.counts, length: this.sampled.length }
    const choice = chooseToken({ logits, settings, counts, allowed: constraint && constraint.readAllowed(), uniform: this.random.next() })
    this.sampled.push(choice.token)
    this.counts.set(choice.token, (this.counts.get(choice.token) ?? 0) + 1)
    const isStop = settings.stopTokens.includes(choice.token)
    const isFull = this.sampled.length >= settings.maxTokens || this.request.prompt.length + this.sampled.length >= this.cache.capacity
    this.finish = isStop ? 'stop' : isFull ? 'length' : null
    const token = { ...choice, finish: this.finish }
    // Without stop tokens nothing can follow the end of the constraint, which is known only after it has accepted the token.
    const isHeld = constraint !== null && settings.stopTokens.length === 0
    if (isHeld || this.finish === null) constraint?.accept(choice.token)
    if (!isHeld) return token
    this.held = token
    this.finish = null
    return null
  }

  /** The token that was held back, when it is known what may follow it. @throws EngineError when that cannot be found out */
  takeHeld(): Omit<SampledToken, 'completion'> | null {
    const { constraint } = this.request
    if (this.held === null || !constraint?.isReady) return null
    const held = this.held
    this.held = null
    constraint.readAllowed()
    this.finish = constraint.mustEnd ? 'stop' : held.finish
    return { ...held, finish: this.finish }
  }

  /** Whether `takeHeld` has something to report. */
  get hasHeld(): boolean {
    return this.held !== null && this.request.constraint?.isReady === true
  }

  close(): void {
    this.request.constraint?.close()
  }
}
