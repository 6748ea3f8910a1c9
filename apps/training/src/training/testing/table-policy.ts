import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ForwardResult, OptimizerSettings, TokenSequence, TrainingSession } from '../../engine/engine.ts'

/** A policy that is a table of logits: the next token depends on the token before alone. Exact in double precision, and small enough to check by hand. */
export interface Table {
  vocabularySize: number
  /** Rows by the token before. */
  logits: Float64Array
}

interface TableState {
  logits: number[]
  first: number[]
  second: number[]
  steps: number
}

export function createTable(vocabularySize: number, logit: (previous: number, next: number) => number = () => 0): Table {
  const logits = Float64Array.from({ length: vocabularySize ** 2 }, (_, at) => logit(Math.floor(at / vocabularySize), at % vocabularySize))
  return { vocabularySize, logits }
}

export function copyTable(table: Table): Table {
  return { ...table, logits: table.logits.slice() }
}

/** Log-probabilities of every next token, in nats. */
export function logSoftmax(logits: ArrayLike<number>): number[] {
  const values = Array.from(logits)
  const largest = Math.max(...values)
  const total = Math.log(values.reduce((sum, value) => sum + Math.exp(value - largest), 0))
  return values.map((value) => value - largest - total)
}

export function entropyOf(logProbabilities: readonly number[]): number {
  return -logProbabilities.reduce((sum, value) => sum + Math.exp(value) * value, 0)
}

export function nextLogProbabilities({ vocabularySize, logits }: Table, previous: number): number[] {
  return logSoftmax(logits.subarray(previous * vocabularySize, (previous + 1) * vocabularySize))
}

export function scoreWithTable(table: Table, batch: readonly TokenSequence[]): ForwardResult {
  const result: ForwardResult = { logProbabilities: [], entropies: [] }
  for (const { tokens, scored } of batch) {
    const logProbabilities = new Float32Array(tokens.length)
    const entropies = new Float32Array(tokens.length)
    for (let at = 1; at < tokens.length; at++) {
      if (scored[at] === 0) continue
      const next = nextLogProbabilities(table, tokens[at - 1]!)
      logProbabilities[at] = next[tokens[at]!]!
      entropies[at] = entropyOf(next)
    }
    result.logProbabilities.push(logProbabilities)
    result.entropies.push(entropies)
  }
  return result
}

/** Samples a token. `random` gives numbers from 0 to below 1. */
export function sampleNext(table: Table, previous: number, random: () => number): { token: number; logProbability: number } {
  const next = nextLogProbabilities(table, previous)
  let left = random()
  const token = next.findIndex((logProbability) => (left -= Math.exp(logProbability)) < 0)
  const sampled = token === -1 ? next.length - 1 : token
  return { token: sampled, logProbability: next[sampled]! }
}

/** A session that trains a table in place, with AdamW as the port describes it. */
export class TableSession implements TrainingSession {
  readonly table: Table
  /** What `backward` added since the last step. */
  readonly gradients: Float64Array
  readonly stepsMade: OptimizerSettings[] = []
  forwards = 0
  #first: Float64Array
  #second: Float64Array
  #steps = 0
  #batch: readonly TokenSequence[] | null = null

  constructor(table: Table) {
    this.table = table
    this.gradients = new Float64Array(table.logits.length)
    this.#first = new Float64Array(table.logits.length)
    this.#second = new Float64Array(table.logits.length)
  }

  async forward(batch: readonly TokenSequence[], signal: AbortSignal): Promise<ForwardResult> {
    signal.throwIfAborted()
    this.forwards++
    this.#batch = batch
    return scoreWithTable(this.table, batch)
  }

  async backward(coefficients: readonly Float32Array[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#batch === null) throw new Error('backward without a forward before it')
    const { vocabularySize } = this.table
    for (const [index, { tokens, scored }] of this.#batch.entries()) {
      for (let at = 1; at < tokens.length; at++) {
        if (scored[at] === 0) continue
        const previous = tokens[at - 1]!
        const coefficient = coefficients[index]![at]!
        for (const [token, logProbability] of nextLogProbabilities(this.table, previous).entries()) {
          const own = token === tokens[at] ? 1 : 0
          this.gradients[previous * vocabularySize + token]! += coefficient * (own - Math.exp(logProbability))
        }
      }
    }
    this.#batch = null
  }

  async step(optimizer: OptimizerSettings, signal: AbortSignal): Promise<{ gradientNorm: number }> {
    signal.throwIfAborted()
    let squares = 0
    for (const gradient of this.gradients) squares += gradient * gradient
    const gradientNorm = Math.sqrt(squares)
    if (Number.isFinite(gradientNorm)) this.#apply(optimizer, Math.min(1, optimizer.clip / Math.max(gradientNorm, Number.MIN_VALUE)))
    this.gradients.fill(0)
    this.stepsMade.push(optimizer)
    return { gradientNorm }
  }

  async saveCheckpoint(folder: string): Promise<void> {
    await writeFile(join(folder, 'table.json'), JSON.stringify([...this.table.logits]))
  }

  async saveState(folder: string): Promise<void> {
    await writeFile(join(folder, 'state.json'), JSON.stringify(this.state()))
  }

  async close(): Promise<void> {
    this.#batch = null
  }

  state(): TableState {
    return { logits: [...this.table.logits], first: [...this.#first], second: [...this.#second], steps: this.#steps }
  }

  static fromState({ logits, first, second, steps }: TableState): TableSession {
    const session = new TableSession({ vocabularySize: Math.sqrt(logits.length), logits: Float64Array.from(logits) })
    session.#first = Float64Array.from(first)
    session.#second = Float64Array.from(second)
    session.#steps = steps
    return session
  }

  static async load(folder: string): Promise<TableSession> {
    return TableSession.fromState(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8')) as TableState)
  }

  #apply({ learningRate, beta1, beta2, epsilon, weightDecay }: OptimizerSettings, scale: number): void {
    this.#steps++
    for (let at = 0; at < this.gradients.length; at++) {
      const scaled = this.gradients[at]! * scale
      this.#first[at] = beta1 * this.#first[at]! + (1 - beta1) * scaled
      this.#second[at] = beta2 * this.#second[at]! + (1 - beta2) * scaled * scaled
      const first = this.#first[at]! / (1 - beta1 ** this.#steps)
      const second = this.#second[at]! / (1 - beta2 ** this.#steps)
      this.table.logits[at]! -= learningRate * (first / (Math.sqrt(second) + epsilon) + weightDecay * this.table.logits[at]!)
    }
  }
}
