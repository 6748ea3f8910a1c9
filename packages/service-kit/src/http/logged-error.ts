/** The logged part of an error: its kind and where it was thrown. Its message is omitted, since it may quote the content of a request. */
export interface LoggedError {
  /** Name of its class. */
  type: string
  /** Code of the store, the database or the system. */
  code?: string | number
  /** Kind of a store's failure. */
  kind?: string
  /** Stack locations, innermost first. */
  at: string[]
  cause?: LoggedError
}

const maxFrames = 12
const maxCauses = 5
const name = /^[\w$]{1,60}$/
const frame = /^\s+at ((?:async )?(?:[\w.<>$#[\] ]+ \()?(?:file:|node:|\/)[^\s()]+:\d+:\d+\)?)$/

/** Never throws, whatever was thrown. */
export function loggedError(error: unknown, causes = maxCauses): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, at: [] }
  const { code, kind } = error as { code?: unknown; kind?: unknown }
  return {
    type: isName(error.constructor.name) ? error.constructor.name : 'Error',
    ...((isName(code) || typeof code === 'number') && { code }),
    ...(isName(kind) && { kind }),
    at: framesOf(error),
    ...(error.cause !== undefined && causes > 0 && { cause: loggedError(error.cause, causes - 1) }),
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && name.test(value)

/** The stack repeats the message of an error, which may look like a location. */
function framesOf({ stack = '', message }: Error): string[] {
  return stack
    .replace(message, '')
    .split('\n')
    .flatMap((line) => frame.exec(line)?.[1] ?? [])
    .slice(0, maxFrames)
}
