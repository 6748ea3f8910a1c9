import { stringifyJson } from '@heddle/json/exact'
import type { CallEntry } from '../connection/server-options.ts'
import type { LogLevel } from './settings.ts'

/** The log of the program: JSON lines, without payloads and keys. */
export interface ProgramLog {
  call(entry: CallEntry): void
  error(message: string, error: unknown, fields?: object): void
  info(message: string, fields?: object): void
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, error: 2, silent: 3 }

export function createLog(level: LogLevel, write: (line: string) => void, now: () => number = Date.now): ProgramLog {
  function log(at: 'debug' | 'info' | 'error', fields: object): void {
    if (rank[at] >= rank[level]) write(`${stringifyJson({ level: at, time: new Date(now()).toISOString(), ...fields })}\n`)
  }
  return {
    call({ cause, startedAtMs: _startedAtMs, trace: _trace, ...entry }) {
      log(cause === undefined ? 'info' : 'error', { msg: 'tool called', ...entry, ...(cause !== undefined && describe(cause)) })
    },
    error: (msg, error, fields = {}) => log('error', { msg, ...fields, ...describe(error) }),
    info: (msg, fields = {}) => log('info', { msg, ...fields }),
  }
}

/** Kind and location of an error; its message may quote a payload. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error }
  return {
    error: error.name,
    stack: error.stack
      ?.split('\n')
      .slice(1, 6)
      .map((line) => line.trim()),
  }
}
