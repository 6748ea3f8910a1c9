import { EngineError, type GenerateRequest, type GenerationProgress, type SampledToken } from '../../engine.ts'
import { MemoryExhausted } from '../kernels/kernel-memory.ts'
import type { Completion } from '../sampling/completion.ts'
import { completionBytes } from '../sampling/sampler.ts'
import type { CompletionConstraint } from '../sampling/completion-constraint.ts'
import { assertTokens } from './check-batch.ts'
import type { ComputeTurns } from './compute-turns.ts'
import { ConstraintThread, type RequestConstraint } from './constraint-thread.ts'
import type { WeightSlot, WeightSlots } from './weight-slots.ts'

export interface SampleLaneOptions {
  slots: WeightSlots
  turns: ComputeTurns
  maxCompletions: number
  maxWaiting: number
  /** Of the base models by their ids. */
  folders: ReadonlyMap<string, string>
}

/** One request of `generate` while it is served. */
interface Generation {
  request: GenerateRequest
  slot: WeightSlot
  constraint: RequestConstraint | null
  /** Place in `seeds` of each completion that is being sampled. */
  active: Map<Completion, number>
  /** Seeds that were taken up. */
  started: number
  /** When its receiver heard of it last. */
  heardMs: number
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

/** Samples completions of all requests together, those of one version in one batch. */
export class SampleLane {
  private readonly options: SampleLaneOptions
  /** In order of arrival. */
  private readonly generations: Generation[] = []
  private readonly constraints: ConstraintThread
  private running = false
  /** Ends the wait of a step that can do nothing. */
  private wake: () => void = () => undefined

  constructor(options: SampleLaneOptions) {
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
    if (this.waitingCount + request.seeds.length > this.options.maxWaiting) {
      throw new EngineError('unavailable', `${this.waitingCount} completions wait to be sampled; send the request again later`)
    }
    const slot = this.options.slots.acquire(request.version)
    try {
      checkPrompt(request, slot)
      signal.throwIfAborted()
      const constraint = this.constraints.of(request)
      await new Promise<void>((resolve, reject) => {
        const end = (error: unknown) => (error === null ? resolve() : reject(error))
        const generation: Generation = { request, slot, constraint, active: new Map(), started: 0, heardMs: -Infinity, send, end }
        tellProgress(generation)
        signal.addEventListener('abort', () => this.end(generation, signal.reason), { once: true })
        this.generations.push(generation)
        this.wake()
        this.run()
      })
    } finally {
      this.options.slots.release(slot)
    }
  }

  private run(): void {
    if (this.running) return
    this.running = true
    void this.options.turns
      .sample(() => this.step())
      .finally(() => {
        this.running = false
        // A request that came with the last step finds the loop still running.
        if (this.generations.length > 0) this.run()
      })
  }

  /** One step of one version, in turn. False when there is nothing to do; a promise when there is, once a constraint is ready or a request comes or goes. */
  private step(): boolean | Promise<void> {
    this.takeUp()
    const next = this.generations.find(({ active, slot }) => active.size > 0 && slot.sampler().canStep)
    if (!next && this.activeCount > 0) return new Promise((resolve) => (this.wake = resolve))
    if (!next) return this.generations.length > 0
    const same = this.generations.filter(({ slot }) => slot === next.slot)
    try {
      this.stepOf(next.slot, same)
    } catch (error) {
      for (const generation of same) this.end(generation, error)
    }
    for (const generation of this.generations) tellProgress(generation)
    // Those of this version wait behind the others.
    const others = this.generations.filter(({ slot }) => slot !== next.slot)
    this.generations.splice(0, this.generations.length, ...others, ...this.generations.filter(({ slot }) => slot === next.slot))
    return this.generations.length > 0
  }

  private stepOf(slot: WeightSlot, generations: readonly Generation[]): void {
    const sampled = slot.sampler().step()
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
      generation.heardMs = performance.now()
      generation.send.tokens(tokens)
      for (const { completion } of own) if (completion.finish) generation.active.delete(completion)
      if (generation.active.size === 0 && generation.started === generation.request.seeds.length) this.end(generation, null)
    }
  }

  /**
   * Starts completions that wait while there is memory for them: always of the request with the fewest. Some places, and memory for one more completion, stay
   * free of requests with many, so that one that comes later need not wait until one of these is finished.
   */
  private takeUp(): void {
    while (this.activeCount < this.options.maxCompletions) {
      const ready = this.generations.filter(
        (generation) => canStart(generation) && (isSmall(generation) || this.hasRoomForMany(generation)),
      )
      const [next] = ready.toSorted((a, b) => a.active.size - b.active.size)
      if (!next || !this.start(next)) return
    }
  }

  private hasRoomForMany({ request, slot, active }: Generation): boolean {
    const { maxCompletions, slots } = this.options
    const ofMany = this.generations.filter((generation) => !isSmall(generation)).reduce((sum, each) => sum + each.active.size, 0)
    if (ofMany >= maxCompletions - Math.floor(maxCompletions * keptShare)) return false
    if (active.size === 0) return true
    return slots.hasRoom(2 * completionBytes(slot.model, request))
  }

  /** False when there is no memory now. */
  private start(generation: Generation): boolean {
    const { request, slot, started } = generation
    const { prompt, settings } = request
    const { slots } = this.options
    try {
      const seed = request.seeds[started]!
      const [like] = generation.active.keys()
      const constraint = generation.constraint?.start(slot.model.config.vocabularySize) ?? null
      const completion = addOrClose(constraint, () =>
        slots.withEviction(() => slot.sampler().add({ prompt, settings, seed, constraint }, like)),
      )
      generation.active.set(completion, started)
      generation.started++
      return true
    } catch (error) {
      const isFull = error instanceof MemoryExhausted
      if (isFull && this.activeCount > 0) return false
      this.end(generation, error)
      return true
    }
  }

  private end(generation: Generation, error: unknown): void {
    const index = this.generations.indexOf(generation)
    if (index < 0) return
    this.generations.splice(index, 1)
    for (const completion of generation.active.keys()) generation.slot.sampler().remove(completion)
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

function tellProgress(generation: Generation): void {
  const now = performance.now()
  if (now - generation.heardMs < progressEveryMs) return
  generation.heardMs = now
  generation.send.progress({ part: generation.active.size > 0 ? 'prompt' : 'waiting' })
}

/** Seeds of a request up to which it is small. */
const smallRequest = 4
/** Of the completions at a time, those that are kept for small requests. */
const keptShare = 1 / 4

const isSmall = ({ request }: Generation) => request.seeds.length <= smallRequest

/** Tokens of a prompt that the completions of a request compute once rather than each. */
const sharedPromptTokens = 16

/** Whether a completion of the request waits that need not wait for the prompt to be computed by the first one. */
function canStart({ request, started, active }: Generation): boolean {
  if (started === request.seeds.length) return false
  const [first] = active.keys()
  return !first || request.prompt.length < sharedPromptTokens || first.cached >= request.prompt.length - 1
}

function checkPrompt({ prompt }: GenerateRequest, { model }: WeightSlot): void {
  const { contextLength, vocabularySize } = model.config
  if (prompt.length === 0) throw new EngineError('unsupported', 'a prompt needs at least one token')
  if (prompt.length >= contextLength) {
    throw new EngineError('too-large', `the prompt has ${prompt.length} tokens; prompt and completion together may have ${contextLength}`)
  }
  assertTokens(prompt, vocabularySize)
}
