import type { Worker } from 'node:worker_threads'
import { EngineError, type GenerateRequest } from '../../engine.ts'
import type { CompletionConstraint } from '../sampling/completion-constraint.ts'
import type { FromConstraints, ToConstraints } from './constraint-messages.ts'
import { startWorker } from './start-worker.ts'

export interface ConstraintThreadOptions {
  /** Folders of the base models by id. */
  folders: ReadonlyMap<string, string>
  /** Called when the permitted tokens of a completion are known. */
  onReady: () => void
  /** Milliseconds for one answer; then the thread is ended. Default 30 s, in which a vocabulary is read as well. */
  limitMs?: number
  /** Starts the thread. Default: `constraint-worker`. */
  start?: () => Worker
}

/** The constraint of one request. */
export interface RequestConstraint {
  /** Begins a completion with this vocabulary size. */
  start(vocabularySize: number): CompletionConstraint
  /** Drops a compiled constraint, once no completion uses it. */
  close(): void
}

/** Heap limit of the thread, in MiB. */
const maxHeapMiB = 1_024

/**
 * Follows the constraints of completions in a thread: schemas are compiled and vocabularies searched there, so that the sampling thread waits for
 * neither. A constraint that takes too long is refused; the thread restarts, and the other constraints that it followed fail with `unavailable`.
 */
export class ConstraintThread {
  private readonly options: ConstraintThreadOptions
  private readonly waiting = new Map<number, AwaitedConstraint>()
  private readonly open = new Map<number, AwaitedConstraint>()
  private worker: Worker | null = null
  private timer: NodeJS.Timeout | undefined
  private lastId = 0

  constructor(options: ConstraintThreadOptions) {
    this.options = options
  }

  /** Null where all tokens may follow. @throws EngineError for a model that is not known */
  of({ version, settings }: GenerateRequest): RequestConstraint | null {
    const { constraint, stopTokens } = settings
    if (!constraint) return null
    const folder = this.options.folders.get(version.baseModel)
    if (folder === undefined) throw new EngineError('unknown-model', `unknown base model "${version.baseModel}"`)
    const of = { request: ++this.lastId, folder, constraint, stopTokens }
    return {
      start: (vocabularySize) => {
        const mask = new Uint8Array(new SharedArrayBuffer(vocabularySize))
        const completion = ++this.lastId
        const awaited = new AwaitedConstraint(mask, {
          ask: (token) => this.ask(completion, { kind: 'accept', completion, token }),
          end: () => this.end(completion),
        })
        this.open.set(completion, awaited)
        this.ask(completion, { kind: 'start', completion, of, mask })
        return awaited
      },
      close: () => this.worker?.postMessage({ kind: 'forget', request: of.request } satisfies ToConstraints, []),
    }
  }

  private ask(completion: number, message: ToConstraints): void {
    const awaited = this.open.get(completion)
    if (!awaited) return
    this.waiting.set(completion, awaited)
    if (this.waiting.size === 1) this.watch()
    this.worker ??= this.startThread()
    this.worker.postMessage(message, [])
  }

  private end(completion: number): void {
    if (!this.open.delete(completion)) return
    this.worker?.postMessage({ kind: 'end', completion } satisfies ToConstraints, [])
  }

  private startThread(): Worker {
    const start = this.options.start ?? (() => startWorker('constraint-worker', { resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } }))
    const worker = start()
    worker.unref()
    worker.on('message', (message: FromConstraints) => this.worker === worker && this.receive(message))
    worker.on('error', ({ message }) => {
      if (this.worker === worker) this.failAll(`the thread of constraints failed: ${message}`)
    })
    return worker
  }

  private receive(message: FromConstraints): void {
    const awaited = this.waiting.get(message.completion)
    this.waiting.delete(message.completion)
    this.watch()
    if (message.kind === 'allowed') awaited?.resolve(message)
    else awaited?.fail(new EngineError(message.error.kind, message.error.message))
    this.options.onReady()
  }

  /** Answers are in the order of questions, so the first waiting question is the current one. */
  private watch(): void {
    clearTimeout(this.timer)
    if (this.waiting.size === 0) return
    const limitMs = this.options.limitMs ?? 30_000
    this.timer = setTimeout(() => {
      const [first] = this.waiting.values()
      first?.fail(
        new EngineError('unsupported', `what the schema allows next was not found within ${limitMs / 1_000} s; use a simpler one`),
      )
      this.failAll('another constraint took too long')
    }, limitMs)
    this.timer.unref()
  }

  private failAll(reason: string): void {
    clearTimeout(this.timer)
    void this.worker?.terminate()
    this.worker = null
    this.waiting.clear()
    for (const awaited of this.open.values()) awaited.fail(new EngineError('unavailable', `${reason}; send the request again`))
    this.open.clear()
    this.options.onReady()
  }
}

interface Thread {
  ask(token: number): void
  end(): void
}

class AwaitedConstraint implements CompletionConstraint {
  isReady = false
  mustEnd = false
  private readonly mask: Uint8Array
  private readonly thread: Thread
  private error: EngineError | null = null

  constructor(mask: Uint8Array, thread: Thread) {
    this.mask = mask
    this.thread = thread
  }

  readAllowed(): Uint8Array {
    if (this.error) throw this.error
    return this.mask
  }

  accept(token: number): void {
    if (this.error) return
    this.isReady = false
    this.thread.ask(token)
  }

  close(): void {
    this.thread.end()
  }

  resolve({ count, mustEnd }: { count: number; mustEnd: boolean }): void {
    this.mustEnd = mustEnd
    this.isReady = true
    if (count === 0 && !mustEnd)
      this.fail(new EngineError('unsupported', 'the vocabulary of the model has no token that continues what the constraint allows'))
  }

  /** The first failure counts. */
  fail(error: EngineError): void {
    this.error ??= error
    this.isReady = true
  }
}
