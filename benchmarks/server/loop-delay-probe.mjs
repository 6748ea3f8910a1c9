import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into a server before it starts, with the path of a socket behind `?`. It sends each connection the milliseconds by which the event loop
// was late since the last one did. Threads of the server load it too.
const resolutionMs = 5

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  const lateMs = (/** @type {number} */ nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  delays.enable()
  const server = createServer((socket) => {
    socket.end(JSON.stringify({ p99: lateMs(delays.percentile(99)), max: lateMs(delays.max) }))
    delays.reset()
  })
  server.listen(decodeURIComponent(new URL(import.meta.url).search.slice(1))).unref()
}
