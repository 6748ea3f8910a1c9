import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadMessage, LoadPlan, LoadResult, Verification } from './load-plan.ts'

export interface LoadWatcher {
  /** Before the first request: bodies are made, and nothing has been sent. */
  onPrepared(): Promise<void>
  /** When what follows is measured. */
  onWarm(): void
  /** When the last measured request is answered. */
  onDone(): Promise<void>
}

/** Seconds beside the load itself: making bodies, the last answers, reading back. */
const graceSeconds = 120

/** Runs a load in a process of its own, so that its work is not the server's. @throws Error when it fails or takes too long. */
export async function runLoad(plan: LoadPlan, watcher: LoadWatcher): Promise<{ result: LoadResult; verification: Verification }> {
  const child = fork(fileURLToPath(new URL('load-child.ts', import.meta.url)), [JSON.stringify(plan)], { execArgv: ['--import', 'tsx'] })
  const limitMs = (plan.warmUpSeconds + plan.seconds + graceSeconds) * 1000
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
  try {
    await expect(child, 'prepared')
    await watcher.onPrepared()
    child.send('go')
    await expect(child, 'warm')
    watcher.onWarm()
    const { result } = await expect(child, 'done')
    await watcher.onDone()
    child.send('go')
    const { verification } = await expect(child, 'verified')
    return { result, verification }
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

type MessageOf<T extends LoadMessage['type']> = Extract<LoadMessage, { type: T }>

function expect<T extends LoadMessage['type']>(child: ChildProcess, type: T): Promise<MessageOf<T>> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: LoadMessage) => {
      settle()
      if (message.type === type) resolve(message as MessageOf<T>)
      else reject(new Error(message.type === 'failed' ? message.reason : `the load says ${message.type} where ${type} is due`))
    }
    const onExit = (code: number | null, signal: string | null) => {
      settle()
      reject(new Error(`the load ended before it was ${type} (${signal ?? `exit code ${code}`})`))
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}
