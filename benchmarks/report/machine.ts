import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'

/** Where and of what figures were taken. */
export interface Machine {
  date: string
  /** Commit of the checkout; with `+` when files differ from it. */
  commit: string
  node: string
  cpu: string
  cores: number
  memoryGiB: number
  /** Processes that wanted to run in the minute before: above 0.5 others were at work. */
  loadBefore: number
}

export function describeMachine(): Machine {
  const [first] = cpus()
  return {
    date: new Date().toISOString(),
    commit: describeCommit(),
    node: process.version,
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

function describeCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--', '../..') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
