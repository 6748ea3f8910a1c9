import { EngineError, type GenerateRequest, type GenerationProgress, type SampledToken } from '../../engine.ts'
import { OutOfMemoryError } from '../kernels/kernel-memory.ts'
import type { Completion } from '../sampling/completion.ts'
import { completionBytes } from '../sampling/sampler.ts'
import type { CompletionConstraint } from '../sampling/completion-constraint.ts'
import { assertTokens } from './check-batch.ts'
import type { ComputeScheduler } from './compute-scheduler.ts'
import { ConstraintThread, type RequestConstraint } from './constraint-thread.ts'
import type { CachedWeights, WeightCache } from './weight-cache.ts'

export interface SamplingSchedulerOptions {
  weightCache: WeightCache
  scheduler: ComputeScheduler
  maxCompletions: number
  maxWaiting: number
  /** Folders of the base models by id. */
  folders: ReadonlyMap<string, string>
}

/** One request of `generate` while it is served. */
interface Generation {
  request: GenerateRequest
  weights: CachedWeights
  constraint: RequestConstraint | null
  /** Index in `seeds` of each completion that is being sampled. */
  active: Map<Completion, number>
  /** Completions that were admitted so far. */
  started: number
  /** When its receiver got its last message. */
  lastMessageMs: number
  send: GenerationReceiver
  end(error: unknown): void
}

/** Where what a generation does is sent. */
export interface GenerationReceiver {
  tokens(tokens: readonly SampledToken[]): void
  progress(progress: GenerationProgress): void
}

/** Between two messages that a generation without new tokens gets on. */
const progressEveryMs = 1_000

/** Continuous batching: samples the completions of all requests together, those of one version in one batch (Orca, Yu et al. 2022). */
export class SamplingScheduler {
  private readonly options: SamplingSchedulerOptions
  /** Ordered by arrival. */
  private readonly generations: Generation[] = []
  private readonly constraints: ConstraintThread
  private running = false
  /** Ends the wait of a step that can do nothing. */
  private wake: () => void = () => undefined

  constructor(options: SamplingSchedulerOptions) {
    this.options = options
    this.constraints = new ConstraintThread({ folders: options.folders, onReady: () => this.wake() })
  }

  get activeCount(): number {
    return this.generations.reduce((sum, { active }) => sum + active.size, 0)
  }

  get waitingCount(): number {
    return this.generations.reduce((sum, { request, started }) => sum + request.seeds.length - started, 0)
  }

  /** Resolves when each completion of the request is finished. @throws EngineError, or the reason of `signal` */
  async generate(request: GenerateRequest, signal: AbortSignal, send: GenerationReceiver): Promise<void> {
    this.assertRoomToWait(request)
    const weights = await this.options.weightCache.acquire(request.version)
    try {
      // Others may have come while the weights were loaded.
      this.assertRoomToWait(request)
      checkPrompt(request, weights)
      signal.throwIfAborted()
      const constraint = this.constraints.of(request)
      await new Promise<void>((resolve, reject) => {
        const end = (error: unknown) => (error === null ? resolve() : reject(error))
        const generation: Generation = { request, weights, constraint, active: new Map(), started: 0, lastMessageMs: -Infinity, send, end }
        reportProgress(generation)
        signal.addEventListener('abort', () => this.end(generation, signal.reason), { once: true })
        this.generations.push(generation)
        this.wake()
        this.run()
      })
    } finally {
      this.options.weightCache.release(weights)
    }
  }

  private assertRoomToWait({ seeds }: GenerateRequest): void {
    if (this.waitingCount + seeds.length > this.options.maxWaiting)
      throw new EngineError('unavailable', `${this.waitingCount} completions wait to be sampled; send the request again later`)
  }

  private run(): void {
    if (this.running) return
    this.running = true
    void this.options.scheduler
      .sample(() => this.step())
      .finally(() => {
        this.running = false
        // A request that arrived with the last step finds the loop still running.
        if (this.generations.length > 0) this.run()
      })
  }

  /** One step of one version, in rotation. False if there is no work; a promise while waiting for a constraint, or for a request to arrive or end. */
  private step(): boolean | Promise<void> {
    this.admit()
    const next = this.generations.find(({ active, weights }) => active.size > 0 && weights.sampler().canStep)
    if (!next && this.activeCount > 0) return new Promise((resolve) => (this.wake = resolve))
    if (!next) return this.generations.length > 0
    const same = this.generations.filter(({ weights }) => weights === next.weights)
    try {
      this.stepOf(next.weights, same)
    } catch (error) {
      for (const generation of same) this.end(generation, error)
    }
    for (const generation of this.generations) reportProgress(generation)
    // Generations of this version move behind all others.
    const others = this.generations.filter(({ weights }) => weights !== next.weights)
    this.generations.splice(0, this.generations.length, ...others, ...this.generations.filter(({ weights }) => weights === next.weights))
    return this.generations.length > 0
  }

  private stepOf(weights: CachedWeights, generations: readonly Generation[]): void {
    const sampled = weights.sampler().step()
    for (const generation of generations) {
      const own = sampled.filter(({ completion }) => generation.active.has(completion))
      if (own.length === 0) continue
      const failed = own.find((each) => 'error' in each)
      if (failed && 'error' in failed) {
        this.end(generation, failed.error)
        continue
      }
      const tokens = own.flatMap((each) =>
        'token' in each ? [{ ...each.token, completion: generation.active.get(each.completion)! }] : [],
      )
      generation.lastMessageMs = performance.now()
      generation.send.tokens(tokens)
      for (const { completion } of own) if (completion.finish) generation.active.delete(completion)
      if (generation.active.size === 0 && generation.started === generation.request.seeds.length) this.end(generation, null)
    }
  }

  /**
   * Starts waiting completions while there is memory for them, always of the request with the fewest. Requests with many completions leave some capacity, and memory
   * for one more completion, so that a later request need not wait until one of theirs is finished.
   */
  private admit(): void {
    while (this.activeCount < this.options.maxCompletions) {
      const ready = this.generations.filter(
        (generation) => canStart(generation) && (isSmall(generation) || this.hasRoomForLarge(generation)),
      )
      const [next] = ready.toSorted((a, b) => a.active.size - b.active.size)
      if (!next || !this.start(next)) return
    }
  }

  private hasRoomForLarge({ request, weights, active }: Generation): boolean {
    const { maxCompletions, weightCache } = this.options
    const large = this.generations.filter((generation) => !isSmall(generation)).reduce((sum, each) => sum + each.active.size, 0)
    if (large >= maxCompletions - Math.floor(maxCompletions * reservedShare)) return false
    if (active.size === 0) return true
    return weightCache.hasRoom(2 * completionBytes(weights.model, request))
  }

  /** False if there is not enough memory now. */
  private start(generation: Generation): boolean {
    const { request, weights, started } = generation
    const { prompt, settings } = request
    const { weightCache } = this.options
    try {
      const seed = request.seeds[started]!
      const [like] = generation.active.keys()
      const constraint = generation.constraint?.start(weights.model.config.vocabularySize) ?? null
      const completion = addOrClose(constraint, () =>
        weightCache.withEviction(() => weights.sampler().add({ prompt, settings, seed, constraint }, like)),
      )
      generation.active.set(completion, started)
      generation.started++
      return true
    } catch (error) {
      const isFull = error instanceof OutOfMemoryError
      if (isFull && this.activeCount > 0) return false
      this.end(generation, error)
      return true
    }
  }

  private end(generation: Generation, error: unknown): void {
    const index = this.generations.indexOf(generation)
    if (index < 0) return
    this.generations.splice(index, 1)
    for (const completion of generation.active.keys()) generation.weights.sampler().remove(completion)
    generation.constraint?.close()
    generation.end(error)
    this.wake()
  }
}

function addOrClose<T>(constraint: CompletionConstraint | null, add: () => T): T {
  try {
    return add()
  } catch (error) {
    constraint?.close()
    throw error
  }
}

function reportProgress(generation: Generation): void {
  const now = performance.now()
  if (now - generation.lastMessageMs < progressEveryMs) return
  generation.lastMessageMs = now
  generation.send.progress({ part: generation.active.size > 0 ? 'prompt' : 'waiting' })
}

/** Seeds of a request up to which it is small. */
const smallRequest = 4
/** Share of the completions at a time that is reserved for small requests. */
const reservedShare = 1 / 4

const isSmall = ({ request }: Generation) => request.seeds.length <= smallRequest

/** Tokens of a prompt that the completions of a request compute once rather than each. */
const sharedPromptTokens = 16

/** Whether a completion of the request waits that need not wait for the prompt to be computed by the first one. */
function canStart({ request, started, active }: Generation): boolean {
  if (started === request.seeds.length) return false
  const [first] = active.keys()
  return !first || request.prompt.length < sharedPromptTokens || first.cached >= request.prompt.length - 1
}

function checkPrompt({ prompt }: GenerateRequest, { model }: CachedWeights): void {
  const { contextLength, vocabularySize } = model.config
  if (prompt.length === 0) throw new EngineError('unsupported', 'a prompt needs at least one token')
  if (prompt.length >= contextLength) {
    throw new EngineError('too-large', `the prompt has ${prompt.length} tokens; prompt and completion together may have ${contextLength}`)
  }
  assertTokens(prompt, vocabularySize)
}
