import process from 'node:process'
import { startEngine } from '../analytical/engine/engine.ts'

// A server reduced to its engine, for tests that kill it: `node engine-holder.ts <data folder>`.
const engine = await startEngine({
  entry: new URL('../analytical/engine/engine-child.ts', import.meta.url),
  dataDir: process.argv[2] ?? '',
  memoryLimitBytes: 5e8,
})
process.send?.(engine.pid)
