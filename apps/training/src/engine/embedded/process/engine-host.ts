import { EngineError, type EngineErrorKind, type GenerationProgress } from '../../engine.ts'
import { ModelFileError } from '../../../checkpoint-files/model-file-error.ts'
import { findKernelSet } from '../kernels/kernels.ts'
import { KernelMemory, MemoryExhausted } from '../kernels/kernel-memory.ts'
import { score } from '../passes/score.ts'
import { checkBatch } from './check-batch.ts'
import { ComputeTurns } from './compute-turns.ts'
import { createPassHelpers } from './pass-helpers.ts'
import type { EngineCall, EngineCalls, EngineProcessConfig, FromEngine, ToEngine } from './messages.ts'
import { SampleLane } from './sample-lane.ts'
import { TrainingSessions } from './training-sessions.ts'
import { WeightSlots } from './weight-slots.ts'

type Calls = { [Call in EngineCall]: (args: EngineCalls[Call]['args'], context: CallContext) => Promise<EngineCalls[Call]['result']> }

interface CallContext {
  signal: AbortSignal
  sendTokens(tokens: Extract<FromEngine, { kind: 'tokens' }>['tokens']): void
  sendProgress(progress: GenerationProgress): void
}

/** Serves the calls of the process of the engine: one thread computes, helpers train along. */
export function createEngineHost(config: EngineProcessConfig, send: (message: FromEngine) => void): (message: ToEngine) => void {
  const calls = createCalls(config)
  const running = new Map<number, AbortController>()

  async function answer({ id, call, args }: Extract<ToEngine, { kind: 'call' }>): Promise<void> {
    const aborted = new AbortController()
    running.set(id, aborted)
    const context: CallContext = {
      signal: aborted.signal,
      sendTokens: (tokens) => send({ kind: 'tokens', id, tokens }),
      sendProgress: (progress) => send({ kind: 'progress', id, progress }),
    }
    try {
      const result = await (calls[call] as (args: unknown, context: CallContext) => Promise<EngineCalls[EngineCall]['result']>)(
        args,
        context,
      )
      send({ kind: 'result', id, result })
    } catch (error) {
      send({ kind: 'failed', id, error: describe(error) })
    } finally {
      running.delete(id)
    }
  }

  return (message) => {
    if (message.kind === 'cancel') running.get(message.id)?.abort(new EngineError('unavailable', 'the request was cancelled'))
    else void answer(message)
  }
}

function createCalls(config: EngineProcessConfig): Calls {
  const memory = new KernelMemory(config.memoryBytes, findKernelSet())
  const folders = new Map(Object.entries(config.baseModels))
  const slots = new WeightSlots(memory, folders)
  const turns = new ComputeTurns()
  const helpers = createPassHelpers(memory, config.threads - 1)
  const sessions = new TrainingSessions({ memory, slots, turns, helpers, folders })
  const lane = new SampleLane({
    slots,
    turns,
    maxCompletions: config.maxCompletions,
    maxWaiting: config.maxWaitingCompletions,
    folders,
  })
  return {
    openTraining: async (args) => (sessions.open(args), null),
    forward: (args, { signal }) => sessions.forward(args, signal),
    backward: async (args, { signal }) => (await sessions.backward(args, signal), null),
    step: async (args) => sessions.step(args),
    saveCheckpoint: async (args) => (sessions.saveCheckpoint(args), null),
    saveState: async (args) => (sessions.saveState(args), null),
    closeTraining: async ({ session }) => (await sessions.close(session), null),
    generate: async ({ request }, { signal, sendTokens, sendProgress }) => (
      await lane.generate(request, signal, { tokens: sendTokens, progress: sendProgress }),
      null
    ),
    async score({ version, batch }, { signal }) {
      const slot = slots.acquire(version)
      try {
        checkBatch(batch, slot.model.config)
        const allocate = (bytes: number) => slots.withEviction(() => memory.allocateDirty(bytes))
        return await turns.train(score({ memory, model: slot.model, allocate }, batch), signal)
      } finally {
        slots.release(slot)
      }
    },
    unload: async ({ keyPrefix }) => (slots.unload(keyPrefix), null),
    health: async () => ({
      memoryBytes: memory.maxBytes,
      usedBytes: memory.usedBytes,
      kernels: memory.set,
      threads: helpers.length + 1,
      loaded: slots.loadedKeys,
      trainings: sessions.count,
      activeCompletions: lane.activeCount,
      waitingCompletions: lane.waitingCount,
    }),
  }
}

function describe(error: unknown): { kind: EngineErrorKind; message: string } {
  if (error instanceof EngineError || error instanceof ModelFileError) return { kind: error.kind, message: error.message }
  if (error instanceof MemoryExhausted) return { kind: error.isNever ? 'too-large' : 'unavailable', message: error.message }
  return { kind: 'unavailable', message: `the engine of models failed: ${error instanceof Error ? error.message : String(error)}` }
}
