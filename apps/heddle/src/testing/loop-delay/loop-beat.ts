import { createServer } from 'node:http'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { openThreadTime } from '@heddle/testing/thread-time'

/** What a server process has measured of itself since it was last asked. */
export interface LoopBeat {
  /** Milliseconds of the longest stop of the event loop. */
  longestMs: number
  /** Bytes of heap and buffers: the most, and those after a garbage collection that the request for this began. */
  mostBytes: number
  restingBytes: number
}

// Loaded before a server, by `--import`, it answers at the socket that HEDDLE_TEST_BEAT names. A stop is the time that the main thread had a processor between
// two beats, garbage collection included: on a quiet machine that is how long the loop stopped, and what other programs take of the processors, which on a busy
// machine is many times that, is not in it. Nor are synchronous waits for a disk: tests keep the files of the server in memory.
const { HEDDLE_TEST_BEAT: socket } = process.env
if (socket !== undefined && isMainThread && process.argv[1]?.endsWith('main.js') === true) startBeat(socket)

function startBeat(path: string): void {
  const nowMs = openThreadTime()
  let lastMs = nowMs()
  let told = { longestMs: 0, mostBytes: 0 }

  setInterval(() => {
    told = { longestMs: Math.max(told.longestMs, nowMs() - lastMs), mostBytes: Math.max(told.mostBytes, usedBytes()) }
    lastMs = nowMs()
  }, 1).unref()

  const server = createServer((_request, response) => {
    const beat = told
    globalThis.gc?.()
    // The collection is a stop itself, which the next beat sees.
    setTimeout(() => {
      response.end(JSON.stringify({ ...beat, restingBytes: usedBytes() } satisfies LoopBeat))
      told = { longestMs: 0, mostBytes: 0 }
    }, 5)
  })
  server.listen(path).unref()
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
