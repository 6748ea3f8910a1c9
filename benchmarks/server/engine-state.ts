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

/** Asks the engine itself, at its socket. */
export async function readCallsOnDisk(dataDir: string): Promise<CallsOnDisk> {
  return JSON.parse(await askEngine(join(dataDir, 'engine', 'engine.sock'), statement))
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
