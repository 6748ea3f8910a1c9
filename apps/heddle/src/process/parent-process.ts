import { basename } from 'node:path'
import process from 'node:process'
import type { Environment } from '../settings/configuration.ts'

const checkEveryMs = 250

/**
 * True when npm runs this command itself, by `npx heddle` or as the last part of a script. The parent is then the shell of npm, which
 * ends by a signal without passing it on. False for a script that leaves the command in the background, or runs it through another.
 */
export function isRunByNpm({ npm_lifecycle_script: script = '' }: Environment, command: string): boolean {
  if (/[&|`()\n]/.test(script.replaceAll('&&', ''))) return false
  const last = script.split(/&&|;/).at(-1) ?? ''
  const words = last.split(/\s+/).filter((word) => word !== '' && !/^\w+=/.test(word))
  const [program = '', argument = ''] = words.map((word) => basename(word.replace(/^(['"])(.*)\1$/, '$2')))
  return (program === 'node' ? argument : program) === basename(command)
}

/** Calls the listener once the process that is the parent now has ended. Returns a function that stops looking. */
export function onParentEnd(listener: () => void): () => void {
  const parent = process.ppid
  // Node emits no event when the parent exits; the process is reparented, so poll.
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    listener()
  }, checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
