import { newApiKey } from '@heddle/identity'
import type { Access, KillableServers } from './killable-server.ts'

/** The outcome of requests whose server was killed meanwhile. */
export interface Outcome<Write> {
  acknowledged: Write[]
  /** Sent without an answer: done or not, but as a whole. */
  unanswered: Write[]
}

/** The same, and with what a server over the same folder is started. */
export interface Killed<Write> extends Outcome<Write> {
  dataDir: string
  apiKey: string
}

export interface Writing<Write> {
  servers: Pick<KillableServers, 'newFolder' | 'start' | 'kill'>
  /** Requests that are acknowledged before the server is killed, while other writers are in the middle of theirs. */
  killAfter: number
  writers: number
  /** What a writer sends in a round, one after the other; its first round is its own number. */
  workOf(writer: number, round: number): Iterable<Write> | Promise<Iterable<Write>>
  /** True when the write was acknowledged, false when there was no answer. @throws Error for any other answer */
  send(access: Access, write: Write): Promise<boolean>
}

/** Lets writers work at once on a server over an empty folder, until it was killed. */
export async function writeUntilKilled<Write>(writing: Writing<Write>): Promise<Killed<Write>> {
  const { servers, killAfter, writers, workOf, send } = writing
  const dataDir = await servers.newFolder()
  const apiKey = newApiKey()
  const server = await servers.start(dataDir, apiKey)
  const access = { url: server.url, apiKey }
  const outcome: Outcome<Write> = { acknowledged: [], unanswered: [] }
  let killed: Promise<void> | undefined
  async function work(writer: number): Promise<void> {
    for (let round = writer; killed === undefined; round++) {
      for (const write of await workOf(writer, round)) {
        if (!(await send(access, write))) return void outcome.unanswered.push(write)
        outcome.acknowledged.push(write)
        if (outcome.acknowledged.length >= killAfter) killed ??= servers.kill(server)
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)))
  // Where no writer came so far, on a machine that is busy with other things, it is killed all the same.
  await (killed ?? servers.kill(server))
  return { ...outcome, dataDir, apiKey }
}
