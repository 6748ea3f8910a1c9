import { request } from 'node:http'
import { join } from 'node:path'

/** What the engine's table of calls takes. */
export interface CallsOnDisk {
  /** Bytes of the parts that are read; those that merges replaced are still there for some minutes and do not count. */
  bytes: number
  rows: number
  parts: number
  /** Inserts that made them. */
  inserts: number
}

const statement = `SELECT toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(sum(rows)) AS rows, toFloat64(count()) AS parts, toFloat64(max(max_block_number)) AS inserts
  FROM system.parts WHERE active AND database = 'heddle' AND table = 'calls' FORMAT JSONEachRow`

const merges = `SELECT toFloat64(count()) AS merges FROM system.merges WHERE database = 'heddle' FORMAT JSONEachRow`
const pauseMs = 500
/** Times in a row that no merge runs before they count as done: the engine chooses the next one a moment later. */
const quietTimes = 4

/** Waits until the engine merges nothing more, for at most `limitMs`; true when it came to rest. */
export async function waitForMerges(dataDir: string, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs
  for (let quiet = 0; quiet < quietTimes; quiet++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const { merges: running } = JSON.parse(await askEngine(socketOf(dataDir), merges)) as { merges: number }
    if (running > 0) quiet = -1
    if (performance.now() > endMs) return false
  }
  return true
}

const socketOf = (dataDir: string) => join(dataDir, 'engine', 'engine.sock')

/** Asks the engine itself, at its socket. */
export async function readCallsOnDisk(dataDir: string): Promise<CallsOnDisk> {
  return JSON.parse(await askEngine(socketOf(dataDir), statement))
}

/** Answer of a statement, as text. */
export function askEngine(socketPath: string, statement: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method: 'POST', path: '/', timeout: 30_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`the engine answered ${response.statusCode}: ${text}`)),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error('the engine gave no answer within 30 seconds')))
    sent.on('error', reject)
    sent.end(statement)
  })
}
