import { isApiError } from '@heddle/core-api'
import { expect } from 'vitest'

/** One recorded request of a sequence, with its answer. A later step names what an earlier one answered, such as `<run1>`. */
export interface RecordedStep {
  section?: string
  call?: string
  request?: Record<string, unknown>
  /** The answer of the reference, or the part of it that was recorded. */
  reference?: unknown
  /** Where ours differs: a part of the answer, or its status. */
  heddle?: unknown
}

type Send = (request: Record<string, unknown>) => Promise<unknown>

const notFoundErrors = ['NotFoundError', 'ObjectDeletedError']
const schemaErrors = ['validation', 'InvalidFieldError']
/** What differs in each recording. */
const differing = /<(?:time|uuid7|digest)>/
/** The same for numbers. */
const anyNumber = '<seconds>'

/** Replays recorded steps in their order, each after the ones before it. */
export function createReplay(operations: Record<string, Send>) {
  const known = new Map<string, string>()

  async function send({ call = '', request = {} }: RecordedStep): Promise<{ status: number; answer: unknown }> {
    const operation = operations[call]
    if (operation === undefined) throw new Error(`no operation is named for ${call}`)
    try {
      return { status: 200, answer: await operation(fillIn(request) as Record<string, unknown>) }
    } catch (error) {
      if (isApiError(error)) return { status: error.status, answer: undefined }
      throw error
    }
  }

  /** The recorded value with what earlier steps answered. */
  function fillIn(recorded: unknown): unknown {
    if (typeof recorded === 'string') return recorded.replace(/<([\w-]+)>/g, (name, key: string) => known.get(key) ?? name)
    if (Array.isArray(recorded)) return recorded.map(fillIn)
    if (typeof recorded !== 'object' || recorded === null) return recorded
    return Object.fromEntries(Object.entries(recorded).map(([key, value]) => [key, fillIn(value)]))
  }

  /** Maps the names in a recorded text to ours. Different texts are left to the comparison. */
  function note(recorded: unknown, ours: unknown): void {
    if (typeof recorded === 'string' && typeof ours === 'string') {
      const name = /<([\w-]+)>/.exec(recorded)
      const [before, after] = name ? [recorded.slice(0, name.index), recorded.slice(name.index + name[0].length)] : []
      if (name?.[1] === undefined || differing.test(name[0]) || known.has(name[1])) return
      if (ours.startsWith(before ?? '') && ours.endsWith(after ?? '')) {
        known.set(name[1], ours.slice(before?.length, ours.length - (after?.length ?? 0)))
      }
    } else if (typeof recorded === 'object' && recorded !== null) {
      for (const [key, value] of Object.entries(recorded)) note(value, (ours as Record<string, unknown> | undefined)?.[key])
    }
  }

  /** The recorded value as a pattern: what differs in each recording matches any text, or any number. */
  function toPattern(recorded: unknown): unknown {
    if (recorded === anyNumber) return expect.any(Number)
    if (typeof recorded === 'string') return differing.test(recorded) ? expect.toSatisfy((ours) => isLike(recorded, ours)) : recorded
    if (Array.isArray(recorded)) return recorded.map(toPattern)
    if (typeof recorded !== 'object' || recorded === null) return recorded
    return expect.objectContaining(Object.fromEntries(Object.entries(recorded).map(([key, value]) => [key, toPattern(value)])))
  }

  return async (step: RecordedStep): Promise<void> => {
    const { status, answer } = await send(step)
    const wanted = toExpectation(step)
    expect(status).toBe(wanted.status)
    if (wanted.status !== 200) return
    note(wanted.answer, answer)
    expect(answer).toEqual(toPattern(fillIn(wanted.answer)))
  }
}

/** True for a text that has, around what differs in each recording, what was recorded. */
function isLike(recorded: string, ours: unknown): boolean {
  const [before = '', after = ''] = recorded.split(differing)
  return typeof ours === 'string' && ours.startsWith(before) && ours.endsWith(after) && ours.length > before.length + after.length
}

function toExpectation({ reference, heddle }: RecordedStep): { status: number; answer: unknown } {
  if (Array.isArray(heddle)) return { status: 200, answer: heddle }
  const { status, ...ours } = { ...(heddle as { status?: number } | undefined) }
  const error = (reference as { error?: { type: string } } | null)?.error
  if (error === undefined)
    return { status: status ?? 200, answer: Array.isArray(reference) ? reference : { ...(reference as object), ...ours } }
  if (heddle !== undefined) return { status: status ?? 200, answer: ours }
  const { type } = error
  return { status: notFoundErrors.includes(type) ? 404 : schemaErrors.includes(type) ? 422 : 400, answer: undefined }
}
