import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import type { KillPoint } from './kill-point.ts'
import { createWatch } from './watch.ts'

// Ends a server, or its engine, at one operation. Both processes load it before anything else (`NODE_OPTIONS=--import=…`), so the program itself has
// no part in it. `KILL_POINT` has the point, and a path at which a file comes into being when it is reached.
const { told, ...point } = JSON.parse(process.env['KILL_POINT'] ?? '{}') as KillPoint & { told: string }
const role = basename(process.argv[1] ?? '') === 'engine-child.js' ? 'engine' : 'server'

let isAskedToStop = false
if (point.stage === 'stop' && role === 'server') process.once('SIGTERM', () => (isAskedToStop = true))

const watch = createWatch({
  point,
  isCounting: () => role === 'engine' || point.stage !== 'stop' || isAskedToStop,
  end() {
    writeFileSync(told, '')
    process.kill(role === 'engine' && point.victim === 'server' ? process.ppid : process.pid, 'SIGKILL')
  },
})

if (isMainThread && role === 'engine') (await import('./watched-engine.ts')).watchEngine(watch)
if (isMainThread && role === 'server') {
  ;(await import('./watched-files.ts')).watchFiles(watch)
  ;(await import('./watched-records.ts')).watchRecords(watch)
  ;(await import('./watched-answers.ts')).watchAnswers(watch)
}
