import { createServer } from 'node:http'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

/** What a server process has measured of itself since it was last asked. */
export interface LoopBeat {
  /** Milliseconds of the longest stop of the event loop. */
  longestMs: number
  /** Bytes of heap and buffers: the most, and those after a garbage collection that the question began. */
  mostBytes: number
  restingBytes: number
}

// Loaded before a server, by `--import`, it answers at the socket that HEDDLE_TEST_BEAT names. The stop between two beats is the smaller of the time that
// passed and of the processor time that the process took: other programs on the machine lengthen only the first, other threads of the server only the second.
const { HEDDLE_TEST_BEAT: socket } = process.env
if (socket !== undefined && isMainThread && process.argv[1]?.endsWith('main.js') === true) startBeat(socket)

function startBeat(path: string): void {
  let last = { atMs: performance.now(), cpu: process.cpuUsage() }
  let told = { longestMs: 0, mostBytes: 0 }

  setInterval(() => {
    const { user, system } = process.cpuUsage(last.cpu)
    const stopMs = Math.min(performance.now() - last.atMs, (user + system) / 1_000)
    told = { longestMs: Math.max(told.longestMs, stopMs), mostBytes: Math.max(told.mostBytes, usedBytes()) }
    last = { atMs: performance.now(), cpu: process.cpuUsage() }
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
