import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { listenForStop } from './stop-signal.ts'

export interface RunWithHeapOptions {
  heapBytes: number
  /** True when the end of this process's parent is a request to stop as well. */
  endsWithParent: boolean
}

/**
 * Runs this command again in a child process with another limit of its heap, which Node sets at the start of a process alone, and
 * passes signals on. The child ends with this process. @returns its exit code
 */
export async function runWithHeap({ heapBytes, endsWithParent }: RunWithHeapOptions): Promise<number> {
  const flag = `--max-old-space-size=${Math.floor(heapBytes / 2 ** 20)}`
  const child = spawn(process.execPath, [...process.execArgv, flag, ...process.argv.slice(1), '--end-with-parent'], { stdio: 'inherit' })
  const stop = listenForStop({ endsWithParent, onSecondInterrupt: () => void child.kill('SIGINT'), signals: process })
  // A terminal sends an interrupt to both; the child takes a SIGTERM after it as the same request.
  void stop.requested.then(() => child.kill('SIGTERM'))
  try {
    const [code] = await once(child, 'exit')
    return typeof code === 'number' ? code : 1
  } finally {
    stop.release()
  }
}
