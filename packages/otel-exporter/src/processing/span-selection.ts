import type { ReadableSpan } from '../spans/readable-span.ts'
import type { LimitedLog } from '../limited-log.ts'
import { isModelSpan } from './span-kinds.ts'
import { isPartOfTrajectory } from './trace-context.ts'

const errorCode = 2

export interface SelectionSettings {
  spans: 'llm' | 'all' | ((span: ReadableSpan) => boolean)
  /** Part of the traces that is sent, from 0 to 1. */
  sample: number
}

/** Which spans a program wants to send, by their kind and by the sample. */
export class SpanSelection {
  readonly #settings: SelectionSettings
  readonly #log: LimitedLog

  constructor(settings: SelectionSettings, log: LimitedLog) {
    this.#settings = settings
    this.#log = log
  }

  /** Whether every span is wanted, so that none needs to be looked at. */
  get isEverything(): boolean {
    return this.#settings.spans === 'all' && this.#settings.sample >= 1
  }

  isWanted(span: ReadableSpan): boolean {
    return this.isOfKind(span) && (this.#isInSample(span) || isAlwaysSent(span))
  }

  /** A predicate of the program that throws keeps the span: better one too many than one that is missed. */
  isOfKind(span: ReadableSpan): boolean {
    const { spans } = this.#settings
    if (typeof spans === 'string') return spans === 'all' || isModelSpan(span)
    try {
      return spans(span)
    } catch (error) {
      this.#log.warn('filter', `the span filter failed, so the span is sent: ${String(error)}`)
      return true
    }
  }

  /** By the last four bytes of the trace id, so that all processes make the same decision. */
  #isInSample(span: ReadableSpan): boolean {
    return Number.parseInt(span.spanContext().traceId.slice(-8), 16) < this.#settings.sample * 2 ** 32
  }
}

function isAlwaysSent({ status, attributes, events }: ReadableSpan): boolean {
  return (
    status.code === errorCode ||
    isPartOfTrajectory(attributes) ||
    events.some(({ name }) => name === 'reward' || name === 'gen_ai.evaluation.result')
  )
}
