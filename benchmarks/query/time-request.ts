import { type Agent, request } from 'node:http'
import type { Target } from '../load/load-plan.ts'

export interface Timing {
  /** Milliseconds to the first byte of the body, and to its end. */
  firstByteMs: number
  totalMs: number
  bytes: number
  /** Line feeds in the body. */
  lines: number
}

const timeoutMs = 60_000

/** Asks and reads the answer without keeping it. @throws Error when it is none of success. */
export function timeRequest(agent: Agent, target: Target, { path, body }: { path: string; body: object }): Promise<Timing> {
  const bytes = Buffer.from(JSON.stringify({ project_id: target.project, ...body }))
  const authorization = `Basic ${Buffer.from(`api:${target.apiKey}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json', 'content-length': bytes.length }
  const startMs = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(`${target.url}${path}`, { method: 'POST', agent, headers, timeout: timeoutMs }, (response) => {
      const timing: Timing = { firstByteMs: 0, totalMs: 0, bytes: 0, lines: 0 }
      let words = ''
      response.on('data', (part: Buffer) => {
        timing.firstByteMs ||= performance.now() - startMs
        timing.bytes += part.length
        timing.lines += countLines(part)
        if (response.statusCode !== 200) words += part.toString('utf8')
      })
      response.on('error', reject)
      response.on('end', () => {
        timing.totalMs = performance.now() - startMs
        if (response.statusCode === 200) resolve(timing)
        else reject(new Error(`${path} answered ${response.statusCode}: ${words.slice(0, 500)}`))
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`${path} gave no answer within ${timeoutMs} ms`)))
    sent.on('error', reject)
    sent.end(bytes)
  })
}

function countLines(part: Buffer): number {
  let lines = 0
  for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines++
  return lines
}
