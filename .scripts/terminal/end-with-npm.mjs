import { relative } from 'node:path'
import process from 'node:process'

const checkEveryMs = 250

/**
 * Ends this process by SIGTERM, as if it had been sent, once npm has ended. Its shell, which is the parent here, ends by a signal without
 * passing it on. Does nothing where npm does not run this script itself.
 */
export function endWithNpm() {
  const [node = '', ...options] = process.env['npm_lifecycle_script']?.split(/ (?=-)/) ?? []
  const isOwn = node === `node ${relative('.', process.argv[1] ?? '')}` && options.every((option) => /^[\w-]+$/.test(option))
  if (!isOwn) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, checkEveryMs)
  timer.unref()
}
