import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { LauncherError } from './engine-launcher.ts'

/** The variable whose value says to which server a process belongs. Children inherit it, even those in another process group. */
export const markVariable = 'HEDDLE_TRAINING_SERVER'

/** From a request to end to the signal that a process cannot refuse. */
const defaultGraceMs = 5_000
const pollMs = 100

/** Ids of the processes of this machine that carry a mark. @throws LauncherError on systems without `/proc` */
export async function findMarked(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch((error: unknown) => {
    throw new LauncherError('a launcher of kind "process" needs Linux, where /proc lists the processes of a server', { cause: error })
  })
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const variables = await Promise.all(ids.map(readVariables))
  return ids.filter((_, at) => variables[at]?.includes(`${markVariable}=${mark}`))
}

/** None for processes that have ended or belong to others. */
async function readVariables(id: number): Promise<string[]> {
  const text = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
  return text.split('\0')
}

/** Ends the processes that carry a mark, and waits until none is left. @throws the reason of the signal once it is aborted */
export async function endMarked(mark: string, signal: AbortSignal, graceMs = defaultGraceMs): Promise<void> {
  const patientUntil = performance.now() + graceMs
  const signalled = new Set<number>()
  for (;;) {
    const ids = await findMarked(mark)
    if (ids.length === 0) return
    const isPatient = performance.now() < patientUntil
    for (const id of isPatient ? ids.filter((each) => !signalled.has(each)) : ids) send(id, isPatient ? 'SIGTERM' : 'SIGKILL')
    for (const id of ids) signalled.add(id)
    await pause(pollMs, undefined, { signal })
  }
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
