import { InvariantError } from '@heddle/datastore/invariant'
import { EngineError, type GenerationProgress } from '../../engine.ts'
import { ModelFileError } from '../../../checkpoint-files/model-file-error.ts'
import { findKernelSet } from '../kernels/kernels.ts'
import { KernelMemory, OutOfMemoryError } from '../kernels/kernel-memory.ts'
import { score } from '../passes/score.ts'
import { checkBatch } from './check-batch.ts'
import { ComputeScheduler } from './compute-scheduler.ts'
import { createDecodeThreads } from './decode-threads.ts'
import { createPassHelpers } from './pass-helpers.ts'
import type { EngineCall, EngineCalls, EngineProcessConfig, FailedCall, FromEngine, ToEngine } from './messages.ts'
import { SamplingScheduler } from './sampling-scheduler.ts'
import { createTrainingGate } from './training-gate.ts'
import { TrainingSessions } from './training-sessions.ts'
import { WeightCache } from './weight-cache.ts'

type Calls = { [Call in EngineCall]: (args: EngineCalls[Call]['args'], context: CallContext) => Promise<EngineCalls[Call]['result']> }

interface CallContext {
  signal: AbortSignal
  sendTokens(tokens: Extract<FromEngine, { kind: 'tokens' }>['tokens']): void
  sendProgress(progress: GenerationProgress): void
}

/** Serves the calls of the engine's process: one thread computes, with helpers for training and sampling. */
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
  const memory = new KernelMemory(config.memoryBytes, findKernelSet(), config.native)
  const folders = new Map(Object.entries(config.baseModels))
  const gate = createTrainingGate()
  const scheduler = new ComputeScheduler(gate)
  const weightCache = new WeightCache({
    memory,
    folders,
    team: createDecodeThreads(memory, config.threads - 1),
    runWork: (work) => scheduler.sample(() => work.next().done !== true),
  })
  const helpers = createPassHelpers(memory, { count: config.threads - 1, gate })
  const sessions = new TrainingSessions({ memory, weightCache, scheduler, helpers, folders })
  const sampling = new SamplingScheduler({
    weightCache,
    scheduler,
    maxCompletions: config.maxCompletions,
    maxWaiting: config.maxWaitingCompletions,
    folders,
  })
  return {
    openTraining: async (args, { signal }) => (await sessions.open(args, signal), null),
    forward: (args, { signal }) => sessions.forward(args, signal),
    backward: async (args, { signal }) => (await sessions.backward(args, signal), null),
    step: (args, { signal }) => sessions.step(args, signal),
    saveCheckpoint: async (args, { signal }) => (await sessions.saveCheckpoint(args, signal), null),
    saveState: async (args, { signal }) => (await sessions.saveState(args, signal), null),
    async closeTraining({ session }) {
      await sessions.close(session)
      return { spareBytes: sessions.count === 0 ? memory.heldBytes - memory.usedBytes : 0 }
    },
    generate: async ({ request }, { signal, sendTokens, sendProgress }) => (
      await sampling.generate(request, signal, { tokens: sendTokens, progress: sendProgress }),
      null
    ),
    async score({ version, batch }, { signal }) {
      const weights = await weightCache.acquire(version)
      try {
        checkBatch(batch, weights.model.config)
        const allocate = (bytes: number) => weightCache.withEviction(() => memory.allocateDirty(bytes))
        return await scheduler.train(score({ memory, model: weights.model, allocate }, batch), signal)
      } finally {
        weightCache.release(weights)
      }
    },
    unload: async ({ keyPrefix }) => (weightCache.unload(keyPrefix), null),
    health: async () => ({
      memoryBytes: memory.maxBytes,
      heldBytes: memory.heldBytes,
      usedBytes: memory.usedBytes,
      kernels: memory.set,
      native: memory.native && { library: memory.native.library, version: memory.native.version, share: memory.native.share },
      threads: helpers.length + 1,
      loaded: weightCache.loadedKeys,
      trainings: sessions.count,
      activeCompletions: sampling.activeCount,
      waitingCompletions: sampling.waitingCount,
    }),
  }
}

function describe(error: unknown): FailedCall {
  if (error instanceof EngineError || error instanceof ModelFileError) return { kind: error.kind, message: error.message }
  if (error instanceof OutOfMemoryError) return { kind: error.isNever ? 'too-large' : 'unavailable', message: error.message }
  const message = `the engine of models failed: ${error instanceof Error ? error.message : String(error)}`
  return { kind: 'unavailable', message, ...(error instanceof InvariantError && { invariant: error.invariant }) }
}
