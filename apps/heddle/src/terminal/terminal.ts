import { escapeUnseen, toTerminalLines } from './terminal-text.ts'

/** Where text of a command goes, as it is. */
export interface TerminalStreams {
  out(text: string): void
  note(text: string): void
  /** True when a person watches `note`, so that a line may be drawn over. */
  isInteractive: boolean
  /** Draws over the last such line; does nothing without an interactive terminal. Empty text removes it. */
  status(text: string): void
}

/**
 * Where a command writes. Results go to the standard output, all that is about the command itself to `note`. Text may hold names and messages of
 * anyone: nothing in it moves the cursor, turns the direction of text or cannot be seen.
 */
export interface Terminal extends TerminalStreams {
  /** Text for people, one line or several, without the last line break. */
  out(text: string): void
  /** A JSON text, which means the same as before: what cannot be seen is written as an escape. */
  json(text: string): void
  /** Text for programs alone, as it is: each character counts, as in variables of a shell. */
  exact(text: string): void
}

/** The only way from commands to the streams. */
export function toTerminal(streams: TerminalStreams): Terminal {
  return {
    isInteractive: streams.isInteractive,
    out: (text) => streams.out(toTerminalLines(text)),
    json: (text) => streams.out(escapeUnseen(text)),
    exact: (text) => streams.out(text),
    note: (text) => streams.note(toTerminalLines(text)),
    status: (text) => streams.status(toTerminalLines(text)),
  }
}

interface TerminalStreamsOptions {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** Called once the reading end of standard output is closed, as with `| head`. Later writes are dropped. */
  onOutputClosed: () => void
}

export function createTerminalStreams({ stdout, stderr, onOutputClosed }: TerminalStreamsOptions): TerminalStreams {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    onOutputClosed()
  })
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const isInteractive = stderr.isTTY === true
  const clear = '\r\x1b[K'
  return {
    isInteractive,
    out: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${isInteractive ? clear : ''}${text}\n`),
    status: (text) => void (isInteractive && stderr.write(clear + text)),
  }
}
