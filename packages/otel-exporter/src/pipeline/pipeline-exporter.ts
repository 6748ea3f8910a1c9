import { isExpendable } from '../processing/span-kinds.ts'
import { createStats, type ExporterStats } from '../ledger/export-stats.ts'
import type { ExportPipeline } from '../sending/export-pipeline.ts'
import type { Receipt } from '../ledger/receipt.ts'
import type { ReadableSpan, SpanExporter } from '../spans/readable-span.ts'

type ExportCallback = Parameters<SpanExporter['export']>[1]

/** Milliseconds of a time slice in which spans of one export are encoded; the event loop is yielded in between. */
const sliceMs = 2

/** A `SpanExporter` over a pipeline. Without one it drops all spans. */
export class PipelineExporter implements SpanExporter {
  readonly #pipeline: ExportPipeline | undefined
  #adding: Promise<unknown> = Promise.resolve()

  constructor(pipeline: ExportPipeline | undefined) {
    this.#pipeline = pipeline
  }

  /**
   * Calls back when all spans have been sent, spooled or dropped, or are kept for an unavailable server; within `timeoutMs` in any case. Only dropped
   * spans are a failure. Kept ones are sent later, or dropped and counted. The process is kept alive until then.
   */
  export(spans: ReadableSpan[], done: ExportCallback): void {
    const pipeline = this.#pipeline
    if (pipeline === undefined) return done({ code: 0 })
    const receipt = pipeline.openReceipt(spans.length, (problem) =>
      done(problem === undefined ? { code: 0 } : { code: 1, error: new Error(problem) }),
    )
    this.#adding = Promise.all([this.#adding, addInSlices(pipeline, spans, receipt)])
  }

  /** Keeps the process alive until it settles. @throws Error with counts, when spans are left after the time limit. */
  async forceFlush(): Promise<void> {
    await this.#adding
    await this.#pipeline?.flush()
  }

  /** Never rejects; settles within the time limit of shutdowns, 5 seconds unless set, and keeps the process alive until then. */
  async shutdown(): Promise<void> {
    await this.#adding
    await this.#pipeline?.shutdown()
  }

  /** Counts of all spans so far, by outcome. */
  stats(): ExporterStats {
    return this.#pipeline?.stats() ?? createStats()
  }

  /** Resolves when fewer than `spans` are queued or in flight. @throws Error with counts, when that takes longer than `timeoutMs`. */
  async whenBelow(spans: number, timeoutMs?: number): Promise<void> {
    await this.#pipeline?.whenBelow(spans, timeoutMs)
  }
}

async function addInSlices(pipeline: ExportPipeline, spans: readonly ReadableSpan[], receipt: Receipt): Promise<void> {
  let end = performance.now() + sliceMs
  for (const span of spans) {
    pipeline.add({ span, expendable: isExpendable(span), receipt })
    if (performance.now() < end) continue
    await new Promise((resolve) => setTimeout(resolve, 0))
    end = performance.now() + sliceMs
  }
  pipeline.push()
}
