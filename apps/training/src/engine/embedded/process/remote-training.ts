import { EngineError, type TrainingOptions, type TrainingSession } from '../../engine.ts'
import type { EngineProcess } from './engine-process.ts'
import type { EngineCall, EngineCalls } from './messages.ts'

/** Numbers of sessions; an engine process that was restarted knows none of the earlier ones. */
let lastSession = 0

/** Opens a session in the process of the engine. Once that ends, every call of the session fails with `unavailable`. */
export async function openRemoteTraining(engine: EngineProcess, options: TrainingOptions, signal: AbortSignal): Promise<TrainingSession> {
  const session = ++lastSession
  const release = engine.hold('work')
  engine.noteSpare(0)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    try {
      engine.noteSpare((await engine.call('closeTraining', { session })).spareBytes)
    } catch {
      // An engine that has ended has forgotten the session already.
    } finally {
      release()
    }
  }

  async function call<Call extends EngineCall>(
    name: Call,
    args: EngineCalls[Call]['args'],
    signal: AbortSignal,
  ): Promise<EngineCalls[Call]['result']> {
    if (isClosed) throw new EngineError('unavailable', 'this training is closed; open it again from where it was saved')
    try {
      return await engine.call(name, args, { signal })
    } catch (error) {
      if (signal.aborted) await close()
      throw error
    }
  }

  try {
    await call('openTraining', { session, ...options }, signal)
  } catch (error) {
    await close()
    throw error
  }
  return {
    forward: (batch, signal) => call('forward', { session, batch }, signal),
    backward: async (coefficients, signal) => void (await call('backward', { session, coefficients }, signal)),
    step: (optimizer, signal) => call('step', { session, optimizer }, signal),
    saveCheckpoint: async (folder, signal) => void (await call('saveCheckpoint', { session, folder }, signal)),
    saveState: async (folder, signal) => void (await call('saveState', { session, folder }, signal)),
    close,
  }
}
