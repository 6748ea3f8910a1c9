import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../packages/testing/src/free-port.ts'

export const collectorVersion = '0.165.0'

const run = promisify(execFile)
const buildLimitMs = 20 * 60_000
const startLimitMs = 30_000
const pollMs = 200
const builder = `go.opentelemetry.io/collector/cmd/builder@v${collectorVersion}`

/** An OpenTelemetry Collector that passes on what programs send to it. */
export interface Collector {
  url: string
  /** Sends what it still has and ends it. */
  close(): Promise<void>
}

/** Starts a Collector on a free port of the loopback address, with the configuration of its page; it sends to `to`. */
export async function startCollector({ scratch, pages, to }: { scratch: string; pages: string; to: string }): Promise<Collector> {
  const folder = join(scratch, 'collector')
  const program = await built(folder)
  const port = await freePort()
  const file = join(folder, 'configuration.yaml')
  writeFileSync(file, configurationOf({ page: readFileSync(join(pages, 'collector.md'), 'utf8'), port, to }))
  const env = { PATH: process.env['PATH'], HEDDLE_API_KEY: 'none' }
  const collector = spawn(program, ['--config', file], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await answers(url)
  return {
    url,
    async close() {
      const ended = once(collector, 'exit')
      collector.kill('SIGTERM')
      await ended
    },
  }
}

/** Builds it from its Go modules once. */
async function built(folder: string): Promise<string> {
  const program = join(folder, 'dist/otelcol')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(import.meta.dirname, 'builder.yaml'), join(folder, 'builder.yaml'))
  await run('go', ['run', builder, '--config', 'builder.yaml'], { cwd: folder, timeout: buildLimitMs, maxBuffer: 2 ** 26 })
  return program
}

/** The page's own configuration with other addresses, and without metrics of the Collector, which would take a second port. */
function configurationOf({ page, port, to }: { page: string; port: number; to: string }): string {
  const [, written] = /^```yaml\n(.*?)^```/ms.exec(page) ?? []
  if (written === undefined) throw new Error('docs/clients/collector.md has no configuration')
  return written
    .replace('0.0.0.0:4318', `127.0.0.1:${port}`)
    .replace('http://127.0.0.1:7400/otel', to)
    .replace('service:\n', 'service:\n  telemetry:\n    metrics: { level: none }\n    logs: { level: error }\n')
}

async function answers(url: string): Promise<void> {
  const until = Date.now() + startLimitMs
  while (Date.now() < until) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(`the Collector does not answer at ${url} after ${startLimitMs} ms`)
}
