import type { BenchServer } from './start-server.ts'
import { readUsage } from './process-usage.ts'

const intervalMs = 200

/** Follows the memory of both processes together. */
export interface MemoryWatch {
  /** Highest sum of both since the start, in bytes. */
  stop(): number
}

export function watchMemory(server: Pick<BenchServer, 'pid' | 'enginePid'>): MemoryWatch {
  let highest = 0
  const look = () => {
    highest = Math.max(highest, readUsage(server.pid).rssBytes + readUsage(server.enginePid).rssBytes)
  }
  look()
  const timer = setInterval(look, intervalMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return highest
    },
  }
}
