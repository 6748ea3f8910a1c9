import type { TokenConstraint } from '../../../constrained/token-constraint.ts'
import { EngineError, type SampledToken, type SamplingSettings } from '../../engine.ts'
import { createRandom, type Random } from '../model/random.ts'
import { chooseToken } from './choose-token.ts'
import type { KeyValueCache } from './key-value-cache.ts'

export interface CompletionRequest {
  /** At least one token. */
  prompt: Int32Array
  settings: SamplingSettings
  seed: bigint
  constraint: TokenConstraint | null
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
  private mask: Uint8Array | null = null
  private sampled = 0
  private last = 0

  constructor(request: CompletionRequest, cache: KeyValueCache) {
    this.request = request
    this.cache = cache
    this.random = createRandom(request.seed)
    this.inPrompt = new Set(request.prompt)
  }

  /** Tokens that are known and not in the cache. */
  get pending(): Int32Array {
    const { prompt } = this.request
    return this.cached < prompt.length ? prompt.subarray(this.cached) : Int32Array.of(this.last)
  }

  /** Samples the next token. `logits` are those after all pending tokens. */
  sample(logits: Float32Array): Omit<SampledToken, 'completion'> {
    const { settings, constraint } = this.request
    const counts = { prompt: this.inPrompt, completion: this.counts, length: this.sampled }
    const allowed = constraint && this.readAllowed(constraint, logits.length)
    const choice = chooseToken({ logits, settings, counts, allowed, uniform: this.random.next() })
    constraint?.accept(choice.token)
    this.last = choice.token
    this.sampled++
    this.counts.set(choice.token, (this.counts.get(choice.token) ?? 0) + 1)
    // Without stop tokens nothing can follow the end of what the constraint allows.
    const isComplete = settings.stopTokens.length === 0 && constraint?.mustEnd === true
    const isStop = isComplete || settings.stopTokens.includes(choice.token)
    const isFull = this.sampled >= settings.maxTokens || this.request.prompt.length + this.sampled >= this.cache.capacity
    this.finish = isStop ? 'stop' : isFull ? 'length' : null
    return { ...choice, finish: this.finish }
  }

  /** 1 for each token that may follow. */
  private readAllowed(constraint: TokenConstraint, vocabularySize: number): Uint8Array {
    this.mask ??= new Uint8Array(vocabularySize)
    if (constraint.writeAllowed(this.mask) === 0) {
      throw new EngineError('unsupported', 'the vocabulary of the model has no token that continues what the constraint allows')
    }
    return this.mask
  }
}
