import { type Agent, request } from 'node:http'
import type { Target } from './load-plan.ts'

export interface Post {
  agent: Agent
  target: Target
  path: string
  contentType: string
  body: Buffer
}

export interface Answer {
  status: number
  text: string
  /** The header `Retry-After`. */
  retryAfter: string | undefined
}

const timeoutMs = 60_000

/** Sends a request and reads its answer. */
export function post({ agent, target, path, contentType, body }: Post): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`api:${target.apiKey}`).toString('base64')}`
  const headers = { authorization, 'content-type': contentType, 'content-length': body.length, project_id: target.project }
  return new Promise((resolve, reject) => {
    const sent = request(`${target.url}${path}`, { method: 'POST', agent, headers, timeout: timeoutMs }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(parts).toString('utf8'),
          retryAfter: response.headers['retry-after'],
        }),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Asks an operation with a JSON body. @throws Error when the answer is none of success. */
export async function ask<T>(agent: Agent, target: Target, path: string, body: object): Promise<T> {
  const answer = await post({ agent, target, path, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
  return JSON.parse(answer.text)
}
