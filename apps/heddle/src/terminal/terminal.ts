/** Where a command writes. Data goes to `out`, all that is about the command itself to `note`. */
export interface Terminal {
  /** One line or several, without the last line break. */
  out(text: string): void
  note(text: string): void
  /** True when a person watches `note`, so that a line may be drawn over. */
  isInteractive: boolean
  /** Draws over the last such line; does nothing without an interactive terminal. Empty text removes it. */
  status(text: string): void
}

export function createTerminal({ stdout, stderr }: { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }): Terminal {
  const isInteractive = stderr.isTTY === true
  const clear = '\r\x1b[K'
  return {
    isInteractive,
    out: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${isInteractive ? clear : ''}${text}\n`),
    status: (text) => void (isInteractive && stderr.write(clear + text)),
  }
}
