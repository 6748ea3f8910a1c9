import { AsyncLocalStorage } from 'node:async_hooks'
import type { Recorder } from './recorder.ts'

/** A model call that the running code makes. It may pass several sources, and is recorded by one. */
interface Claim {
  recorder: Recorder
  /** Whether it is being recorded as it travels, so that sources further in leave it alone. */
  isRecorded: boolean
  /** Whether a source further in has recorded it. */
  wasTaken: boolean
}

/** The version changes with the stored value, so that copies of the package that cannot read each other's values do not share them. */
const slot = Symbol.for('heddle.agent-instrumentation.call.v1')

/** One for the process, however many copies of the package are loaded. */
function storage(): AsyncLocalStorage<Claim> {
  const holder = globalThis as { [slot]?: AsyncLocalStorage<Claim> }
  return (holder[slot] ??= new AsyncLocalStorage())
}

/** Whether the running code sends a call that this recorder is already recording. */
export function isClaimed(recorder: Recorder): boolean {
  const claim = storage().getStore()
  return claim?.recorder === recorder && claim.isRecorded
}

/** Whether a source around the running code records the call if none further in does. */
export function isOffered(recorder: Recorder): boolean {
  const claim = storage().getStore()
  return claim?.recorder === recorder && !claim.isRecorded
}

/** Records a call as it travels: sources inside of `send` leave it alone, and one around it leaves it to this. */
export function claimCall<T>(recorder: Recorder, send: () => T): T {
  const around = storage().getStore()
  if (around?.recorder === recorder) around.wasTaken = true
  return storage().run({ recorder, isRecorded: true, wasTaken: false }, send)
}

/** Sends a call that a source inside `send` may observe more closely. `wasTaken` returns true if one did. */
export function offerCall<T>(recorder: Recorder, send: () => T): { result: T; wasTaken: () => boolean } {
  const claim: Claim = { recorder, isRecorded: false, wasTaken: false }
  return { result: storage().run(claim, send), wasTaken: () => claim.wasTaken }
}
