import type { Terminal } from './terminal.ts'

const showAfterMs = 700
const stepMs = 250

/** Runs the work and, once it takes longer than 0.7 s, shows the label with the elapsed time. */
export async function withProgress<T>(terminal: Terminal, label: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const timer = setInterval(() => {
    const waited = performance.now() - started
    if (waited >= showAfterMs) terminal.status(`${label} … ${Math.floor(waited / 1_000)} s`)
  }, stepMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    terminal.status('')
  }
}

/** Runs work of many steps and shows the current one; without an interactive terminal, prints each kind of step once. */
export async function withSteps<T>(terminal: Terminal, work: (onStep: (step: string) => void) => Promise<T>): Promise<T> {
  let shown = ''
  const onStep = (step: string) => {
    if (terminal.isInteractive) return terminal.status(step)
    const kind = step.replace(/: .*/, '')
    if (kind !== shown) terminal.note(kind)
    shown = kind
  }
  try {
    return await work(onStep)
  } finally {
    terminal.status('')
  }
}
