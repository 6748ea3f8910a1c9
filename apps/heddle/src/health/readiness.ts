import { StoreError, type StoreErrorKind } from '@heddle/datastore'

/**
 * Says why a part of the server is not ready, or returns undefined when it is. Anyone can read the reason without a key: it must not
 * contain secrets, addresses, paths or data of users. An error counts as not ready; its message is not shown. The signal aborts
 * when the time limit of the check has passed.
 */
export type ReadinessCheck = (signal: AbortSignal) => Promise<string | undefined> | string | undefined

/** State of all parts at one moment. */
export interface ReadinessReport {
  isReady: boolean
  /** By name of the part: `ready`, or why it is not; and the notes. */
  parts: Readonly<Record<string, string>>
}

/**
 * Whether the server can do its work, part by part. `GET /readyz` answers 503 while any part is not ready. Each part adds its own check:
 *
 *     readiness.add('engine', () => (isRunning ? undefined : 'restarting'))
 *
 * Checks run concurrently, each at most once at a time and once in `freshMs`, so that probes without a key cannot load the stores.
 */
export interface Readiness {
  /**
   * Adds a part. Its name is shown in the response and in the log.
   * @returns a function that removes it
   * @throws Error when the name is taken
   */
  add(name: string, check: ReadinessCheck, options?: PartOptions): () => void
  /**
   * Adds a note to the report while `read` returns one. It does not make the server unready: the rest is served.
   * As public as the reasons.
   */
  note(name: string, read: () => string | undefined): void
  /** Whether each part was ready when it was last checked, by its name; without the notes. */
  states(): Readonly<Record<string, boolean>>
  /**
   * Runs the checks and resolves within `answerMs`: a check that takes longer counts with its last result until its time limit has passed,
   * then as not ready. Never rejects.
   */
  read(): Promise<ReadinessReport>
}

/** What changed since the last check of a part. */
export interface ReadinessChange {
  part: string
  /** Undefined: the part is ready. */
  reason: string | undefined
  /** What the check threw. */
  error?: unknown
}

export interface PartOptions {
  /** Milliseconds in which a result of this part is not looked up again. Default: that of all. */
  freshMs?: number
  /** False: the report names its state, and is ready without it. Default true. */
  isNeeded?: boolean
}

export interface ReadinessOptions {
  /** Called when a part stops being ready, when its reason changes, and when it is ready again. */
  onChange: (change: ReadinessChange) => void
  /** Milliseconds in which a result is not looked up again. Default 500. */
  freshMs?: number
  /** Milliseconds after which `read` resolves at the latest. Default 900: probes usually wait for one second. */
  answerMs?: number
  /** Milliseconds after which a check counts as failed. Default 5,000. */
  limitMs?: number
  /** Monotonic clock in milliseconds. Default: that of the process. */
  now?: () => number
}

interface Part {
  check: ReadinessCheck
  freshMs: number
  isNeeded: boolean
  /** Reason reported by the last check that ended. */
  reason: string | undefined
  checkedMs: number
  running: Promise<void> | undefined
}

const notChecked = 'not checked yet'

export function createReadiness(options: ReadinessOptions): Readiness {
  const { onChange, freshMs = 500, answerMs = 900, limitMs = 5_000, now = () => performance.now() } = options
  const parts = new Map<string, Part>()
  const notes = new Map<string, () => string | undefined>()

  function settle(name: string, part: Part, change: Omit<ReadinessChange, 'part'>): void {
    const before = part.reason === notChecked ? undefined : part.reason
    part.reason = change.reason
    part.checkedMs = now()
    if (change.reason !== before) onChange({ part: name, ...change })
  }

  async function run(name: string, part: Part): Promise<void> {
    const limit = AbortSignal.timeout(limitMs)
    const late = `no response within ${limitMs} ms`
    const expired = new Promise<string>((resolve) => {
      limit.addEventListener('abort', () => resolve(late), { once: true })
    })
    try {
      settle(name, part, { reason: await Promise.race([part.check(limit), expired]) })
    } catch (error) {
      settle(name, part, { reason: limit.aborted ? late : reasonOf(error), error })
    }
    part.running = undefined
  }

  function refresh(name: string, part: Part): Promise<void> | undefined {
    if (part.running === undefined && now() - part.checkedMs >= part.freshMs) part.running = run(name, part)
    return part.running
  }

  return {
    add(name, check, { freshMs: ownFreshMs = freshMs, isNeeded = true } = {}) {
      if (parts.has(name)) throw new Error(`readiness already has a part named ${name}`)
      parts.set(name, { check, freshMs: ownFreshMs, isNeeded, reason: notChecked, checkedMs: -Infinity, running: undefined })
      return () => void parts.delete(name)
    },
    note: (name, read) => void notes.set(name, read),
    states: () => Object.fromEntries([...parts].map(([name, { reason }]) => [name, reason === undefined])),
    async read() {
      await withinTime(answerMs, Promise.all([...parts].map(([name, part]) => refresh(name, part))))
      const reasons = [...parts].map(([name, { reason }]): [string, string] => [name, reason ?? 'ready'])
      for (const [name, note] of notes)
        reasons.push(...[note()].flatMap((text): [string, string][] => (text === undefined ? [] : [[name, text]])))
      return {
        isReady: [...parts.values()].every(({ reason, isNeeded }) => reason === undefined || !isNeeded),
        parts: Object.fromEntries(reasons),
      }
    },
  }
}

async function withinTime(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, elapsed])
  clearTimeout(timer)
}

const reasons: Partial<Record<StoreErrorKind, string>> = {
  busy: 'busy',
  unavailable: 'unavailable',
  timeout: 'timed out',
  memory: 'out of memory',
  full: 'disk full',
}

/** Messages of errors may contain addresses and data, so only their kind is shown. */
function reasonOf(error: unknown): string {
  return (error instanceof StoreError && reasons[error.kind]) || 'failed; see the log of the server'
}
