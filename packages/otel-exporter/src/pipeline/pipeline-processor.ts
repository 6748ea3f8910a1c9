import type { Context } from '@opentelemetry/api'
import { createPipeline, type Platform } from './create-pipeline.ts'
import { removeContent, type ContentCapture } from '../processing/content.ts'
import { TreeFilter } from '../processing/span-filter.ts'
import { isExpendable } from '../processing/span-kinds.ts'
import { createSpanMask } from '../processing/span-mask.ts'
import { SpanSelection } from '../processing/span-selection.ts'
import { findGroupAttributes, isWithoutContent } from '../processing/trace-context.ts'
import { createSystemClock } from '../clock.ts'
import type { ExportPipeline } from '../sending/export-pipeline.ts'
import { createStats, type ExporterStats } from '../ledger/export-stats.ts'
import { createLimitedLog, type LimitedLog } from '../limited-log.ts'
import { toProcessorSettings, type ProcessorOptions, type ProcessorSettings } from '../settings/processor-options.ts'
import type { ReadableSpan, RunningSpan, SpanProcessor } from '../spans/readable-span.ts'

const sampledFlag = 1

/** Groups, filters, masks and sends spans. Nothing throws into the program; only `forceFlush` and `whenBelow` reject. */
export class PipelineProcessor implements SpanProcessor {
  readonly #log: LimitedLog
  readonly #settings: ProcessorSettings
  readonly #pipeline: ExportPipeline | undefined
  readonly #next: SpanProcessor | undefined
  readonly #ownUrl: string | undefined
  readonly #selection: SpanSelection
  readonly #filter: TreeFilter | undefined
  readonly #mask: ((span: ReadableSpan) => ReadableSpan) | undefined
  readonly #waitUntil: ((flushed: Promise<unknown>) => void) | undefined
  readonly #withoutContent = new WeakSet<object>()

  constructor(options: ProcessorOptions, platform: Platform) {
    this.#log = createLimitedLog(platform.clock ?? createSystemClock())
    const warn = (message: string) => this.#log.warn(message, message)
    this.#settings = toProcessorSettings(options, warn)
    this.#next = options.processor
    this.#waitUntil = options.waitUntil
    const configured = this.#next === undefined && !this.#settings.disabled ? createPipeline(options, platform) : undefined
    this.#pipeline = configured?.pipeline
    this.#ownUrl = configured?.url
    this.#selection = new SpanSelection(this.#settings, this.#log)
    if (!this.#selection.isEverything) this.#filter = new TreeFilter((span) => this.#selection.isWanted(span))
    if (this.#settings.masks.length > 0) this.#mask = createSpanMask(this.#settings.masks, warn)
  }

  /** Gives a span the values of the groups in which it starts. */
  onStart(span: RunningSpan, parentContext: Context): void {
    if (this.#settings.disabled) return
    try {
      const attributes = findGroupAttributes(parentContext)
      if (attributes !== undefined) span.setAttributes(attributes)
      if (isWithoutContent(parentContext)) this.#withoutContent.add(span)
      this.#filter?.start(span.spanContext().traceId)
    } catch (error) {
      this.#logFailure(error)
    }
    this.#next?.onStart(span, parentContext)
  }

  onEnd(span: ReadableSpan): void {
    if (this.#settings.disabled) return
    try {
      if ((span.spanContext().traceFlags & sampledFlag) === 0 || this.#isOwnRequest(span)) return
      const kept = this.#filter === undefined ? span : this.#filter.end(span)
      if (kept === undefined) this.#pipeline?.countLeftOut(this.#selection.isOfKind(span) ? 'sampledOut' : 'filtered')
      else this.#send(this.#prepare(kept, span))
      if (this.#waitUntil !== undefined && isLocalRoot(span)) this.#waitUntil(this.forceFlush().catch(() => undefined))
    } catch (error) {
      this.#logFailure(error)
    }
  }

  /** Keeps the process alive until it settles. @throws Error with counts, when spans are left after the time limit. */
  async forceFlush(): Promise<void> {
    await (this.#next === undefined ? this.#pipeline?.flush() : this.#next.forceFlush())
  }

  /**
   * Settles within the time limit of shutdowns, 5 seconds unless set, and keeps the process alive until then. Remaining spans are spooled, or dropped
   * and counted.
   */
  async shutdown(): Promise<void> {
    await (this.#next === undefined ? this.#pipeline?.shutdown() : this.#next.shutdown())
  }

  /** Writes unsent spans to the spool before it returns, for the end of the process. Does nothing without a spool. */
  spillNow(): void {
    this.#pipeline?.spillNow()
  }

  /** Counts of all spans so far, by outcome. */
  stats(): ExporterStats {
    return this.#pipeline?.stats() ?? createStats()
  }

  /** Resolves when fewer than `spans` are queued or in flight. @throws Error with counts, when that takes longer than `timeoutMs`. */
  async whenBelow(spans: number, timeoutMs?: number): Promise<void> {
    await this.#pipeline?.whenBelow(spans, timeoutMs)
  }

  #send(span: ReadableSpan): void {
    if (this.#next !== undefined) this.#next.onEnd(span)
    else this.#pipeline?.add({ span, expendable: isExpendable(span) })
  }

  #prepare(span: ReadableSpan, original: ReadableSpan): ReadableSpan {
    this.#warnOfCutJson(span)
    const capture: ContentCapture = this.#withoutContent.has(original) ? 'none' : this.#settings.captureContent
    const bare = capture === 'full' ? span : removeContent(span, capture)
    return this.#mask === undefined ? bare : this.#mask(bare)
  }

  /** Where requests could not be kept from being traced, their spans would cause requests without end. */
  #isOwnRequest({ attributes }: ReadableSpan): boolean {
    return this.#ownUrl !== undefined && (attributes['url.full'] ?? attributes['http.url']) === this.#ownUrl
  }

  #warnOfCutJson({ attributes }: ReadableSpan): void {
    const limit = this.#settings.harmfulLengthLimit
    if (limit === undefined) return
    const isCut = Object.values(attributes).some((value) => typeof value === 'string' && value.length === limit && /^[[{]/.test(value))
    if (!isCut) return
    this.#log.warn('cut', `OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT truncates values to ${limit} characters, which breaks JSON in them`)
  }

  #logFailure(error: unknown): void {
    this.#log.error('processor', `failed to process a span: ${String(error)}`)
  }
}

function isLocalRoot({ parentSpanContext }: ReadableSpan): boolean {
  return parentSpanContext === undefined || parentSpanContext.isRemote === true
}
