import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seededRandom } from '@heddle/testing'
import type {
  BaseModel,
  Engine,
  GenerateRequest,
  ModelVersion,
  SampledToken,
  TrainingMemory,
  TrainingOptions,
  TrainingSession,
} from '../engine/engine.ts'
import { EngineError } from '../engine/engine.ts'
import { writeByteTokenizer } from '../tokenizer/testing/write-byte-tokenizer.ts'
import { copyTable, createTable, sampleNext, scoreWithTable, type Table, TableSession } from '../training/testing/table-policy.ts'

/** Bytes and three special tokens. */
const vocabularySize = 259
/** A completion begins with one of these letters, nearly always. */
const likely = [...Buffer.from('abcdefgh')]

export const tableModelId = 'table'

/** What a test does to an engine. */
export interface TableEngineHooks {
  /** Before each gradient step; it may wait, and may throw. */
  beforeStep?: (step: number, signal: AbortSignal) => Promise<void> | void
  /** Before the files of a checkpoint are written. */
  beforeCheckpoint?: () => Promise<void> | void
  /** Memory of every job. Absent: it is not known. */
  memory?: TrainingMemory
}

export interface TableEngine extends Engine {
  hooks: TableEngineHooks
  /** What was asked to be forgotten. */
  readonly unloaded: string[]
  /** Of each training that was opened, whether it went on from a saved state. */
  readonly resumed: boolean[]
}

/** An engine whose only model is a table of logits by the token before: exact, and quick. Its folder gets the tokenizer. */
export async function createTableEngine(folder: string, hooks: TableEngineHooks = {}): Promise<TableEngine> {
  await mkdir(folder, { recursive: true })
  await writeByteTokenizer(folder)
  const base = createTable(vocabularySize, (_, next) => (likely.includes(next) ? 5 : 0))
  const model: BaseModel = {
    id: tableModelId,
    parameters: vocabularySize ** 2,
    contextLength: 512,
    folder,
    adapter: null,
    learningRates: { rl: 0.5, sft: 0.5 },
  }
  const unloaded: string[] = []
  const resumed: boolean[] = []

  async function tableOf(version: ModelVersion): Promise<Table> {
    if (version.baseModel !== model.id) throw new EngineError('unknown-model', `unknown base model ${version.baseModel}`)
    if (version.folder === null) return base
    const logits = JSON.parse(await readFile(join(version.folder, 'table.json'), 'utf8')) as number[]
    return { vocabularySize, logits: Float64Array.from(logits) }
  }

  const engine: TableEngine = {
    hooks,
    unloaded,
    resumed,
    baseModels: async () => [model],
    openTraining: async ({ from, resumeFrom }: TrainingOptions) => {
      resumed.push(resumeFrom !== null)
      const session = resumeFrom === null ? new TableSession(copyTable(await tableOf(from))) : await TableSession.load(resumeFrom)
      return hooked(session, engine)
    },
    async *generate(request, signal) {
      const table = await tableOf(request.version)
      for (const [completion, seed] of request.seeds.entries()) yield* complete({ table, request, completion, seed, signal })
    },
    score: async (version, batch) => scoreWithTable(await tableOf(version), batch),
    choosesModules: false,
    library: null,
    estimateTraining: async () => engine.hooks.memory ?? null,
    unload: async (keyPrefix) => void unloaded.push(keyPrefix),
    health: async () => ({ ok: true, detail: {} }),
    close: async () => undefined,
  }
  return engine
}

function hooked(session: TableSession, { hooks }: TableEngine): TrainingSession {
  let steps = 0
  return {
    forward: (batch, signal) => session.forward(batch, signal),
    backward: (coefficients, signal) => session.backward(coefficients, signal),
    async step(optimizer, signal) {
      await hooks.beforeStep?.(steps++, signal)
      return session.step(optimizer, signal)
    },
    async saveCheckpoint(folder) {
      await hooks.beforeCheckpoint?.()
      await session.saveCheckpoint(folder)
    },
    saveState: (folder) => session.saveState(folder),
    close: () => session.close(),
  }
}

interface Completion {
  table: Table
  request: GenerateRequest
  completion: number
  seed: bigint
  signal: AbortSignal
}

async function* complete({ table, request, completion, seed, signal }: Completion): AsyncGenerator<readonly SampledToken[]> {
  const { settings, prompt } = request
  const random = seededRandom(Number(seed & 0xffffffffn))
  let previous = prompt.at(-1) ?? 0
  for (let count = 1; ; count++) {
    signal.throwIfAborted()
    const { token, logProbability } = sampleNext(table, previous, random)
    const isStop = settings.stopTokens.includes(token) && count >= settings.minTokens
    const finish = isStop ? 'stop' : count >= settings.maxTokens ? 'length' : null
    yield [{ completion, token, logProbability, top: [], finish }]
    if (finish !== null) return
    previous = token
  }
}
