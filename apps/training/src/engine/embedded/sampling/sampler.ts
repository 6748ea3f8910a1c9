import type { SampledToken } from '../../engine.ts'
import { Arena } from '../kernels/arena.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { Completion, type CompletionRequest } from './completion.ts'
import { type DecodeRow, type DecodeBuffers, allocateDecodeBuffers, readLogits } from './decode.ts'
import type { DecodeTeam } from './decode-team.ts'
import { divideRows, minRowsPerPart, rowsPerPart } from './divide-rows.ts'
import { allocateCache, cacheBytes, copyCache } from './key-value-cache.ts'
import { PrefixCache } from './prefix-cache.ts'

/** Rows of one step, decoded while a new request waits. */
const maxRows = 128

/** A token of a completion, or the error that ended it. */
export type SampleOutcome = { completion: Completion } & ({ token: Omit<SampledToken, 'completion'> } | { error: unknown })

/** Nothing when the token has to wait. */
function report(completion: Completion, sample: () => Omit<SampledToken, 'completion'> | null): SampleOutcome[] {
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
  private readonly team: DecodeTeam
  /** One for each thread of the team. */
  private readonly buffers: readonly DecodeBuffers[]
  private readonly minRows: number
  private readonly block: Address
  private readonly active: Completion[] = []
  private readonly prefixes: PrefixCache | null

  /**
   * @param keepsPrefixes whether prompts take over what completions that ended have computed of them. That shows in how long a prompt takes, so all who
   *   sample from the model have to be of one project.
   * @throws OutOfMemoryError
   */
  constructor(memory: KernelMemory, model: ModelParameters, team: DecodeTeam, { keepsPrefixes = false }: { keepsPrefixes?: boolean } = {}) {
    this.memory = memory
    this.model = model
    this.team = team
    const bytes = samplerBytes(model, team.maxSize)
    this.block = memory.allocateDirty(bytes)
    this.buffers = allocateBuffers(model, team.maxSize, new Arena(this.block, bytes))
    this.minRows = minRowsPerPart(model)
    this.prefixes = keepsPrefixes ? new PrefixCache(memory, model.config) : null
  }

  get isIdle(): boolean {
    return this.active.length === 0
  }

  get activeCount(): number {
    return this.active.length
  }

  /** False if every completion waits for its constraint. */
  get canStep(): boolean {
    return this.active.some((completion) => completion.hasHeld || completion.readyTokens > 0)
  }

  /** Takes up a completion, with memory for all its tokens. What another of the same prompt has computed of it is copied. @throws OutOfMemoryError */
  add(request: CompletionRequest, like?: Completion): Completion {
    const { config } = this.model
    const capacity = capacityOf(this.model, request)
    const completion = new Completion(request, allocateCache(this.memory, config, capacity))
    const tokens = request.prompt.length - 1
    if (like && like.cached >= tokens) {
      copyCache(this.memory, { config, from: like.cache, to: completion.cache, tokens })
      completion.cached = tokens
    } else if (this.prefixes) completion.cached = this.prefixes.copyTo(completion.cache, request.prompt, tokens)
    this.active.push(completion)
    return completion
  }

  /** Ends a completion and gives its memory back. */
  remove(completion: Completion): void {
    const index = this.active.indexOf(completion)
    if (index < 0) return
    this.active.splice(index, 1)
    completion.close()
    // Without its finish it may have failed before all that counts as computed was.
    if (this.prefixes && completion.finish !== null) this.prefixes.keep(completion.cachedTokens, completion.cache)
    else this.memory.free(completion.cache.block)
  }

  /**
   * Runs pending tokens of some completions, the longest waiting first, and samples one token for each whose tokens are all in its cache. Completions
   * that finish or fail are removed.
   */
  step(): SampleOutcome[] {
    const held = this.active.filter(({ hasHeld }) => hasHeld).flatMap((completion) => report(completion, () => completion.takeHeld()))
    this.removeEnded(held)
    const { rows, completed } = this.planRows()
    if (rows.length === 0) return held
    const logits = this.decode(rows)
    const sampled = completed.flatMap((completion, index) => report(completion, () => completion.sample(logits[index]!)))
    this.removeEnded(sampled)
    return [...held, ...sampled]
  }

  private decode(rows: readonly DecodeRow[]): Float32Array[] {
    const { memory, model, team } = this
    const parts = divideRows(rows, { buffers: this.buffers.slice(0, team.size), minRows: this.minRows })
    team.decode(model, parts)
    return parts.flatMap((part) => readLogits(memory, model, part))
  }

  private removeEnded(sampled: readonly SampleOutcome[]): void {
    for (const each of sampled) if ('error' in each || each.token.finish !== null) this.remove(each.completion)
  }

  close(): void {
    for (let first = this.active[0]; first; first = this.active[0]) this.remove(first)
    this.freePrefixes()
    this.team.forget(this.model)
    this.memory.free(this.block)
  }

  /** Frees what completions that ended have left for later prompts. False if there was nothing. */
  freePrefixes(): boolean {
    return this.prefixes?.clear() ?? false
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
    // Completions that had a step move behind the rest.
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

/** Bytes that a sampler with so many threads takes in addition to weights and caches. */
function samplerBytes(model: ModelParameters, threads: number): number {
  const arena = Arena.measuring()
  allocateBuffers(model, threads, arena)
  return arena.peakBytes
}

/** The first has room for all rows, which a step that is not divided computes. */
function allocateBuffers(model: ModelParameters, threads: number, arena: Arena): DecodeBuffers[] {
  return Array.from({ length: threads }, (_, index) => allocateDecodeBuffers(model, index === 0 ? maxRows : rowsPerPart(maxRows, 2), arena))
}
