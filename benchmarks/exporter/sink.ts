import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { SinkAnswer, SinkOrder } from './sink-child.ts'

/** A server in a process of its own that takes whatever it is sent. */
export interface Sink {
  url: string
  /** Closes every connection and refuses new ones until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  /** How many different spans arrived, where it keeps them. */
  count(): Promise<number>
  close(): void
}

export async function startSink(program: string, { keeps }: { keeps: boolean }): Promise<Sink> {
  const child = fork(program, keeps ? ['keep'] : [])
  async function next<T extends SinkAnswer['kind']>(kind: T): Promise<Extract<SinkAnswer, { kind: T }>> {
    const [answer] = (await once(child, 'message')) as [SinkAnswer]
    if (answer.kind !== kind) throw new Error(`the server says ${answer.kind} where ${kind} is due`)
    return answer as Extract<SinkAnswer, { kind: T }>
  }
  const order = (order: SinkOrder) => child.send(order)
  const { url } = await next('listening')
  return {
    url,
    async stop() {
      order({ kind: 'stop' })
      await next('stopped')
    },
    async start() {
      order({ kind: 'start' })
      await next('listening')
    },
    async count() {
      order({ kind: 'count' })
      return (await next('counted')).spans
    },
    close: () => void child.kill('SIGKILL'),
  }
}
