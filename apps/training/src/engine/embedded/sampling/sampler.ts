import type { SampledToken } from '../../engine.ts'
import { Area } from '../kernels/area.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { Completion, type CompletionRequest } from './completion.ts'
import { decode, type DecodeRow, type DecodeWork, layOutDecoding } from './decode.ts'
import { allocateCache, cacheBytes, copyCache } from './key-value-cache.ts'

/** Rows of one step: what is decoded while a new request waits. */
const maxRows = 128

/** A token of a completion, or why it cannot go on. */
export type Sampled = { completion: Completion } & ({ token: Omit<SampledToken, 'completion'> } | { error: unknown })

/** Nothing when the token has to wait. */
function report(completion: Completion, sample: () => Omit<SampledToken, 'completion'> | null): Sampled[] {
  try {
    const token = sample()
    return token === null ? [] : [{ completion, token }]
  } catch (error) {
    return [{ completion, error }]
  }
}

/** Samples many completions from one model at a time. */
export class Sampler {
  private readonly memory: KernelMemory
  private readonly model: ModelParameters
  private readonly work: DecodeWork
  private readonly block: Address
  private readonly active: Completion[] = []

  /** @throws MemoryExhausted */
  constructor(memory: KernelMemory, model: ModelParameters) {
    this.memory = memory
    this.model = model
    const bytes = samplerBytes(model)
    this.block = memory.allocateDirty(bytes)
    this.work = layOutDecoding(model, maxRows, new Area(this.block, bytes))
  }

  get isIdle(): boolean {
    return this.active.length === 0
  }

  get activeCount(): number {
    return this.active.length
  }

  /** False when every completion waits for what its constraint allows. */
  get canStep(): boolean {
    return this.active.some((completion) => completion.hasHeld || completion.readyTokens > 0)
  }

  /** Takes up a completion, with memory for all its tokens. What another of the same prompt has computed of it is copied. @throws MemoryExhausted */
  add(request: CompletionRequest, like?: Completion): Completion {
    const { config } = this.model
    const capacity = capacityOf(this.model, request)
    const completion = new Completion(request, allocateCache(this.memory, config, capacity))
    const tokens = request.prompt.length - 1
    if (like && like.cached >= tokens) {
      copyCache(this.memory, { config, from: like.cache, to: completion.cache, tokens })
      completion.cached = tokens
    }
    this.active.push(completion)
    return completion
  }

  /** Ends a completion and gives its memory back. */
  remove(completion: Completion): void {
    const index = this.active.indexOf(completion)
    if (index < 0) return
    this.active.splice(index, 1)
    completion.close()
    this.memory.free(completion.cache.block)
  }

  /** Runs pending tokens of some completions, the longest waiting first, and samples one token of each whose tokens are all in its cache. Those that finish or fail are removed. */
  step(): Sampled[] {
    const held = this.active.filter(({ hasHeld }) => hasHeld).flatMap((completion) => report(completion, () => completion.takeHeld()))
    this.removeEnded(held)
    const { rows, completed } = this.planRows()
    if (rows.length === 0) return held
    const logits = decode({ view: this.memory, model: this.model, work: this.work, rows })
    const sampled = completed.flatMap((completion, index) => report(completion, () => completion.sample(logits[index]!)))
    this.removeEnded(sampled)
    return [...held, ...sampled]
  }

  private removeEnded(sampled: readonly Sampled[]): void {
    for (const each of sampled) if ('error' in each || each.token.finish !== null) this.remove(each.completion)
  }

  close(): void {
    for (let first = this.active[0]; first; first = this.active[0]) this.remove(first)
    this.memory.free(this.block)
  }

  private planRows(): { rows: DecodeRow[]; completed: Completion[] } {
    const rows: DecodeRow[] = []
    const completed: Completion[] = []
    const taken: Completion[] = []
    for (const completion of this.active) {
      if (rows.length === maxRows) break
      const pending = completion.pending
      const count = Math.min(completion.readyTokens, maxRows - rows.length)
      if (count === 0) continue
      for (let i = 0; i < count; i++) {
        const predicts = i === pending.length - 1
        rows.push({ cache: completion.cache, token: pending[i]!, position: completion.cached + i, predicts })
      }
      completion.cached += count
      taken.push(completion)
      if (count === pending.length) completed.push(completion)
    }
    // Those that had a step wait behind the others.
    const waiting = this.active.filter((completion) => !taken.includes(completion))
    this.active.splice(0, this.active.length, ...waiting, ...taken)
    return { rows, completed }
  }
}

/** Tokens of prompt and completion together. */
function capacityOf({ config }: ModelParameters, { prompt, settings }: Pick<CompletionRequest, 'prompt' | 'settings'>): number {
  return Math.min(config.contextLength, prompt.length + settings.maxTokens)
}

/** Bytes that keys and values of one completion take. */
export function completionBytes(model: ModelParameters, request: Pick<CompletionRequest, 'prompt' | 'settings'>): number {
  return cacheBytes(model.config, capacityOf(model, request))
}

/** Bytes that a sampler takes beside weights and caches. */
export function samplerBytes(model: ModelParameters): number {
  const area = Area.measuring()
  layOutDecoding(model, maxRows, area)
  return area.peakBytes
}
