import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { countInvariantFailure, InvariantError } from '@heddle/datastore/invariant'
import { EngineError, type GenerationProgress, type SampledToken } from '../../engine.ts'
import { orAborted } from '../../or-aborted.ts'
import { IdleEnd, type IdleLimits, idleLimits, type Use } from './idle-end.ts'
import type { EngineCall, EngineCalls, EngineProcessConfig, FailedCall, FromEngine, ToEngine } from './messages.ts'

export interface EngineProcessOptions extends EngineProcessConfig {
  /** The module that a child process runs: `model-engine-child` of this package, as source or built. */
  entry: URL
  /** Start timeout in milliseconds. Default 30 000. */
  readyTimeoutMs?: number
  /** Most bytes of JavaScript objects in the process. Default: that of Node. */
  heapBytes?: number | undefined
  /** When the process ends for lack of work; the next call starts it again. */
  idle?: Partial<IdleLimits> | undefined
  /** Called when the process exited unexpectedly and is being restarted. */
  onRestart?: (event: { reason: string; restarts: number }) => void
}

const longestPauseMs = 5_000
const stopTimeoutMs = 2_000
/** Characters of the process's output kept for the reason of its end. */
const keptOutput = 2_000

interface PendingCall {
  resolve(result: never): void
  reject(error: unknown): void
  onTokens: ((tokens: readonly SampledToken[]) => void) | undefined
  onProgress: ((progress: GenerationProgress) => void) | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  onTokens?: ((tokens: readonly SampledToken[]) => void) | undefined
  onProgress?: ((progress: GenerationProgress) => void) | undefined
}

/** Calls that only query state: they do not keep an idle process running. */
const questions: ReadonlySet<EngineCall> = new Set(['health', 'unload'])

/**
 * The process of the engine: started by the first call, stopped when idle for long enough, and restarted after an unexpected exit, which fails the calls
 * in progress with `unavailable`.
 */
export class EngineProcess {
  private readonly options: EngineProcessOptions
  private readonly pending = new Map<number, PendingCall>()
  private readonly stopping = new AbortController()
  private readonly idle: IdleEnd
  private child: ChildProcess | null = null
  /** Null before the first call, and while stopped because it was idle. */
  private ready: Promise<void> | null = null
  /** The last process that was stopped because it was idle. */
  private ended: Promise<void> = Promise.resolve()
  private nextId = 1
  private restartCount = 0
  private output = ''

  constructor(options: EngineProcessOptions) {
    this.options = options
    this.idle = new IdleEnd({ ...idleLimits, ...options.idle }, () => this.endIdle())
  }

  get isStarted(): boolean {
    return this.ready !== null
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  get restarts(): number {
    return this.restartCount
  }

  /** @throws EngineError, or the reason of the signal when it aborts, which also cancels the work */
  async call<Call extends EngineCall>(
    call: Call,
    args: EngineCalls[Call]['args'],
    { signal, onTokens, onProgress }: CallOptions = {},
  ): Promise<EngineCalls[Call]['result']> {
    signal?.throwIfAborted()
    if (this.stopping.signal.aborted) throw new EngineError('unavailable', 'the engine of models is stopped')
    const release = this.hold(questions.has(call) ? 'question' : 'work')
    try {
      this.ready ??= this.startAgain(null)
      await orAborted(this.ready, signal)
      return await this.ask(call, args, { signal, onTokens, onProgress })
    } finally {
      release()
    }
  }

  /** Keeps an idle process running until the returned function is called. */
  hold(use: Use): () => void {
    return this.idle.begin(use)
  }

  /** Notes the bytes that the process holds without using them, after training. */
  noteSpare(bytes: number): void {
    this.idle.noteSpare(bytes)
  }

  /** Stops the process. Calls in progress fail with `unavailable`. */
  async stop(): Promise<void> {
    this.stopping.abort()
    this.idle.cancel()
    await this.ready?.catch(() => undefined)
    await Promise.all([this.ended, this.child && endProcess(this.child)])
  }

  private async ask<Call extends EngineCall>(
    call: Call,
    args: EngineCalls[Call]['args'],
    { signal, onTokens, onProgress }: CallOptions,
  ): Promise<EngineCalls[Call]['result']> {
    const id = this.nextId++
    const answered = new Promise<EngineCalls[Call]['result']>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onTokens, onProgress })
    })
    try {
      this.send({ kind: 'call', id, call, args })
      return await orAborted(answered, signal)
    } catch (error) {
      if (this.pending.delete(id)) this.send({ kind: 'cancel', id })
      throw error
    } finally {
      this.pending.delete(id)
    }
  }

  private endIdle(): void {
    if (!this.child?.connected) return
    this.ended = endProcess(this.child)
    this.idle.noteSpare(0)
    this.child = null
    this.ready = null
  }

  private send(message: ToEngine): void {
    // An error means that the process is exiting, which fails the call.
    if (this.child?.connected) this.child.send(message, () => undefined)
  }

  /** Resolves when the process is ready. With a reason it was running before. */
  private async startAgain(reason: string | null): Promise<void> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (this.stopping.signal.aborted) throw new EngineError('unavailable', 'the engine of models is stopped')
      if (reason !== null) this.options.onRestart?.({ reason, restarts: ++this.restartCount })
      try {
        return await this.start()
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        await delay(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined)
      }
    }
  }

  private start(): Promise<void> {
    const child = this.fork()
    this.child = child
    this.output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      this.output = (this.output + chunk.toString('utf8')).slice(-keptOutput)
    })
    const limitMs = this.options.readyTimeoutMs ?? 30_000
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
      let isReady = false
      child.on('message', (message: FromEngine) => {
        if (message.kind !== 'ready') return this.receive(message)
        isReady = true
        clearTimeout(timer)
        resolve()
      })
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        clearTimeout(timer)
        const reason = `the engine of models ended (${signal ?? `exit code ${code}`})`
        if (this.child !== child) return
        if (!isReady) return reject(new EngineError('unavailable', `${reason} while starting. ${this.output}`))
        this.onExit(reason)
      })
    })
  }

  private fork(): ChildProcess {
    const { entry, readyTimeoutMs: _, onRestart: __, heapBytes, idle: ___, ...config } = this.options
    const path = fileURLToPath(entry)
    const loader = path.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(entry).resolve('tsx')).href] : []
    return fork(path, [JSON.stringify(config satisfies EngineProcessConfig)], {
      execArgv: [...loader, ...(heapBytes === undefined ? [] : [`--max-old-space-size=${Math.floor(heapBytes / 2 ** 20)}`])],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
  }

  private onExit(reason: string): void {
    this.child = null
    this.idle.noteSpare(0)
    if (!this.stopping.signal.aborted) {
      this.ready = this.startAgain(`${reason}. ${this.output}`.replace(/\. $/, ''))
      this.ready.catch(() => undefined)
    }
    const error = new EngineError('unavailable', `${reason}; send the request again`)
    for (const { reject } of this.pending.values()) reject(error)
    this.pending.clear()
  }

  private receive(message: Exclude<FromEngine, { kind: 'ready' }>): void {
    const pending = this.pending.get(message.id)
    if (!pending) return
    if (message.kind === 'tokens') return pending.onTokens?.(message.tokens)
    if (message.kind === 'progress') return pending.onProgress?.(message.progress)
    if (message.kind === 'failed') return pending.reject(toError(message.error))
    pending.resolve(message.result as never)
  }
}

/** Lets a process exit, and kills it if it does not. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    if (child.connected) child.disconnect()
  })
}

function toError({ kind, message, invariant }: FailedCall): EngineError {
  if (invariant !== undefined) countInvariantFailure(new InvariantError(invariant, message))
  return new EngineError(kind, message)
}
