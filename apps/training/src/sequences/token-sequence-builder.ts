/** A conversation as tokens. Arrays have equal length. */
export interface SampledSequence {
  tokens: Int32Array
  /** 1 on tokens that the policy sampled. */
  mask: Uint8Array
  /** As they were sent, in nats; NaN where they are missing. */
  logProbabilities: Float64Array
}

/** Tokens with their log-probabilities; NaN where these are missing. */
export interface SampledTokens {
  tokens: Int32Array
  logProbabilities: Float64Array
}

/** Builds a sequence from context and samples. */
export class SequenceBuilder {
  #length = 0
  #tokens = new Int32Array(256)
  #mask = new Uint8Array(256)
  #logProbabilities = new Float64Array(256)

  get length(): number {
    return this.#length
  }

  addContext(tokens: Int32Array): void {
    const from = this.#grow(tokens.length)
    this.#tokens.set(tokens, from)
    this.#logProbabilities.fill(Number.NaN, from, this.#length)
  }

  addSampled({ tokens, logProbabilities }: SampledTokens): void {
    const from = this.#grow(tokens.length)
    this.#tokens.set(tokens, from)
    this.#mask.fill(1, from, this.#length)
    this.#logProbabilities.set(logProbabilities, from)
  }

  /** Whether `tokens` begins with all that was added. */
  beginsIn(tokens: Int32Array): boolean {
    if (tokens.length < this.#length) return false
    for (let at = 0; at < this.#length; at++) if (tokens[at] !== this.#tokens[at]) return false
    return true
  }

  /** The first token of a sequence follows from nothing, so it cannot be learned even when it was sampled. */
  build(): SampledSequence {
    const mask = this.#mask.slice(0, this.#length)
    const logProbabilities = this.#logProbabilities.slice(0, this.#length)
    if (this.#length > 0) {
      mask[0] = 0
      logProbabilities[0] = Number.NaN
    }
    return { tokens: this.#tokens.slice(0, this.#length), mask, logProbabilities }
  }

  /** Makes room for this many more tokens. Returns their first index. */
  #grow(count: number): number {
    const from = this.#length
    this.#length += count
    if (this.#length <= this.#tokens.length) return from
    const capacity = Math.max(this.#length, this.#tokens.length * 2)
    const [tokens, mask, logProbabilities] = [new Int32Array(capacity), new Uint8Array(capacity), new Float64Array(capacity)]
    tokens.set(this.#tokens)
    mask.set(this.#mask)
    logProbabilities.set(this.#logProbabilities)
    this.#tokens = tokens
    this.#mask = mask
    this.#logProbabilities = logProbabilities
    return from
  }
}
