import { setTimeout as delay } from 'node:timers/promises'
import { isApiError } from '@heddle/core-api'

/** One kind of work that clients do through the proxy, without end. */
export interface Work {
  name: string
  /**
   * Does a part of it, and notes what came of it.
   * @throws what `isUnanswered` is true for, where a request that cannot be repeated had no answer, which is not a fault
   */
  step(): Promise<void>
  /** What is wrong with all that came of it; read once nothing is killed any more. */
  faults(): Promise<string[]>
}

/** A request had no answer, or that of a server which is ending. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** True for an error after which a client cannot know whether its request was carried out, or that asks it to send it again. */
export function isUnanswered(error: unknown): boolean {
  if (isApiError(error)) return error.status >= 500 || error.status === 408 || error.status === 429
  return error instanceof Unanswered
}

/** @throws Unanswered */
export async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) }).catch((cause: unknown) => {
    throw new Unanswered(`no answer of ${url}`, { cause })
  })
  if (response.status >= 500) throw new Unanswered(`status ${response.status} of ${url}: ${await response.text()}`)
  return response
}

/** The status of an answer that says something of the request. @throws Unanswered also where the server is too busy to look at it */
export async function askForStatus(url: string, init?: RequestInit): Promise<number> {
  const response = await ask(url, init)
  await response.body?.cancel()
  if (response.status === 408 || response.status === 429) throw new Unanswered(`status ${response.status} of ${url}`)
  return response.status
}

const attempts = 30

/** Sends a request that may be repeated until it has an answer. @throws Error where it has none although most servers run */
export async function untilAnswered<T>(request: () => Promise<T>): Promise<T> {
  let last: unknown
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await request()
    } catch (error) {
      if (!isUnanswered(error)) throw error
      last = error
      await delay(50 * attempt)
    }
  }
  throw new Error(`a request was not answered in ${attempts} attempts`, { cause: last })
}

/** What came of a work. */
export interface Done {
  /** Parts of it that were done. */
  steps: number
  faults: string[]
}

/** Works until it is over and a part is done; a fault ends it. */
export async function workUntil(work: Work, isOver: () => boolean): Promise<Done> {
  const done: Done = { steps: 0, faults: [] }
  while ((done.steps === 0 || !isOver()) && done.faults.length === 0) {
    try {
      await work.step()
      done.steps++
    } catch (error) {
      if (!isUnanswered(error)) done.faults.push(describe(error))
    }
  }
  return done
}

function describe(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  return cause === undefined ? message : `${message}: ${describe(cause)}`
}
