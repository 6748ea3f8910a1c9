import type { Agent } from 'node:http'
import { percentiles, round, type Percentiles } from '../report/percentiles.ts'
import { readUsage } from '../server/process-usage.ts'
import type { AskedStore } from './open-store.ts'
import type { Question } from './questions.ts'
import { timeRequest, type Timing } from './time-request.ts'

export interface Answered {
  question: string
  content: string
  command: string
  turns: number
  /** Times of queries that were not sent before. */
  first: AnswerTimes
  /** Times of the same queries, repeated immediately. */
  again: AnswerTimes
  /** Milliseconds of processor time of one answer, on average. */
  cpuMs: { service: number; engine: number }
  /** Size of the last response. */
  lines: number
  bytes: number
}

interface AnswerTimes {
  totalMs: Percentiles
  firstByteMs: Percentiles
}

/** The answers of one store, as they come in. */
interface Tally {
  store: AskedStore
  first: Timing[]
  again: Timing[]
  cpuSeconds: { service: number; engine: number }
}

interface MeasureOptions {
  agent: Agent
  seconds: number
}

/**
 * Sends each query twice in a row, to one store after the other, repeatedly until there are enough or the time is over, at least one. A turn before them
 * warms up.
 */
export async function measureQuestion(question: Question, stores: readonly AskedStore[], options: MeasureOptions): Promise<Answered[]> {
  const tallies = stores
    .filter(({ content }) => question.content === undefined || question.content === content)
    .map((store): Tally => ({ store, first: [], again: [], cpuSeconds: { service: 0, engine: 0 } }))
  const endMs = performance.now() + options.seconds * 1000 * tallies.length
  for (let turn = 0; turn <= question.turns && (turn < 2 || performance.now() < endMs); turn++)
    for (const tally of tallies) await measureTurn(question, turn, tally, options.agent)
  return tallies.map((tally) => toAnswered(question, tally))
}

async function measureTurn(question: Question, turn: number, { store, first, again, cpuSeconds }: Tally, agent: Agent): Promise<void> {
  const asked = question.ask(store.known, turn)
  if (asked === undefined) return
  const before = usageOf(store)
  const [one, other] = [await timeRequest(agent, store.target, asked), await timeRequest(agent, store.target, asked)]
  if (turn === 0) return
  const after = usageOf(store)
  cpuSeconds.service += after.service - before.service
  cpuSeconds.engine += after.engine - before.engine
  first.push(one)
  again.push(other)
}

function usageOf({ server }: AskedStore): Tally['cpuSeconds'] {
  return { service: readUsage(server.pid).cpuSeconds, engine: readUsage(server.enginePid).cpuSeconds }
}

function toAnswered({ name }: Question, { store, first, again, cpuSeconds }: Tally): Answered {
  const { lines = 0, bytes = 0 } = again.at(-1) ?? {}
  const ofAnswer = (seconds: number) => round((seconds * 1000) / Math.max(1, first.length + again.length))
  return {
    question: name,
    content: store.content,
    command: store.command,
    turns: first.length,
    first: toTimes(first),
    again: toTimes(again),
    cpuMs: { service: ofAnswer(cpuSeconds.service), engine: ofAnswer(cpuSeconds.engine) },
    lines,
    bytes,
  }
}

function toTimes(timings: readonly Timing[]): AnswerTimes {
  return {
    totalMs: percentiles(timings.map((timing) => timing.totalMs)),
    firstByteMs: percentiles(timings.map((timing) => timing.firstByteMs)),
  }
}
