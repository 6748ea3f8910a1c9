import { badRequest } from '@heddle/core-api/internal'
import type { Blobs, BlobStat } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { AdapterSettings, BaseModel, Engine, ReferenceWeights, TrainingMemory } from '../../engine/engine.ts'
import { memoryProblem } from '../../training/memory-problem.ts'
import { batchTokens } from '../../training/sft/batch-tokens.ts'
import { measureLongest } from '../../training/sft/measure-longest.ts'
import type { SftConfig } from '../../training/sft/sft-config.ts'
import { readCheckpointAdapter } from './find-adapter.ts'
import type { Teacher } from './find-teacher.ts'

/** A job on conversations or pairs. */
export interface SftMemoryRequest {
  base: BaseModel
  adapter: AdapterSettings | null
  config: SftConfig
  /** The training data, or the tokens of its longest sequence; null assumes sequences that fill the context. */
  data: BlobStat | number | null
}

/** A job of rewards, or on a teacher. */
export interface RlMemoryRequest {
  base: BaseModel
  adapter: AdapterSettings | null
  teacher: Teacher | null
}

/** Memory of jobs before they begin. */
export interface CheckMemory {
  /** Tokens of the longest sequence of a line of training data, also where the model takes fewer. */
  tokensOf(context: Context, request: Pick<SftMemoryRequest, 'base' | 'config'>, line: string): Promise<number>
  /** Null where models are not on this machine. @throws ApiError 400 when the job does not fit, with what to lower */
  ofSft(context: Context, request: SftMemoryRequest): Promise<TrainingMemory | null>
  /** The least that a job of rewards takes, whose sequences are not known yet, with its teacher if it has one. @throws ApiError 400 */
  ofRl(context: Context, request: RlMemoryRequest): Promise<void>
}

export interface CheckMemoryDeps {
  engine: Pick<Engine, 'estimateTraining'>
  blobs: Pick<Blobs, 'read'>
  bodies: BodyReader
  /** Tokens that are sent to the engine at a time. */
  tokensAtATime: number
}

export function createCheckMemory({ engine, blobs, bodies, tokensAtATime }: CheckMemoryDeps): CheckMemory {
  function estimate({ base, adapter, config }: SftMemoryRequest, longest: number): Promise<TrainingMemory | null> {
    return engine.estimateTraining({
      baseModel: base.id,
      adapter,
      longest,
      batchTokens: batchTokens(config, { longest, tokensAtATime }),
      reference: null,
    })
  }

  async function measure(
    { work: { signal, caller } }: Context,
    { base, config }: Pick<SftMemoryRequest, 'base' | 'config'>,
    data: BlobStat | string,
  ): Promise<number> {
    const content =
      typeof data === 'string'
        ? async () => linesOf(data)
        : async (): Promise<AsyncIterable<Uint8Array>> => blobs.read(data.digest, { signal })
    const sizeBytes = typeof data === 'string' ? data.length : data.sizeBytes
    const input = { tokenizerFolder: base.folder, config, contextLength: base.contextLength }
    return bodies.readOne(measureLongest, { content, sizeBytes, input, signal, caller })
  }

  async function weightsOf({ base, checkpoint }: Teacher, signal: AbortSignal): Promise<ReferenceWeights> {
    const weights = checkpoint === null ? 'base' : ((await readCheckpointAdapter(checkpoint, blobs, signal)) ?? 'whole')
    return { baseModel: base.id, weights }
  }

  return {
    tokensOf: measure,

    async ofSft(context, request) {
      const { data, base } = request
      const most = await estimate(request, base.contextLength)
      // Data is not read where even sequences that fill the context fit.
      if (most === null || (typeof data !== 'number' && memoryProblem(most, base.contextLength) === null)) return most
      const tokens = data === null || typeof data === 'number' ? data : await measure(context, request, data)
      // Longer conversations are not learned.
      const longest = Math.min(tokens ?? base.contextLength, base.contextLength)
      const memory = (await estimate(request, longest))!
      const problem = memoryProblem(memory, longest)
      if (problem !== null) throw badRequest(problem)
      return memory
    },

    async ofRl({ work: { signal } }, { base, adapter, teacher }) {
      const reference = teacher && (await weightsOf(teacher, signal))
      const memory = await engine.estimateTraining({ baseModel: base.id, adapter, longest: 1, batchTokens: 1, reference })
      const problem = memory && memoryProblem(memory, 1, teacher !== null)
      if (problem !== null) throw badRequest(problem)
    },
  }
}

async function* linesOf(line: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line)
}
