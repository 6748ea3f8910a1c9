import { request, type RequestOptions } from 'node:http'

/** Where a request goes. */
export interface Exchange {
  method: string
  path: string
}

export interface Answer {
  status: number
  /** Its first million characters. */
  text: string
}

export type SendRequest = (sent: Exchange & { key: string | undefined; body: string; headers?: Record<string, string> }) => Promise<Answer>

/** Sends JSON to a server, and waits where it is asked to. */
export function createSender(serverUrl: string): SendRequest {
  return async function send(sent) {
    const { method, path, key, body } = sent
    const { hostname: host, port, pathname, search } = new URL(serverUrl + path)
    const headers = {
      'x-heddle-toolsets': 'evals,traces,training,annotate',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': String(Buffer.byteLength(body)),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...sent.headers,
    }
    const answer = await exchange({ host, port, path: pathname + search, method, headers }, body)
    if (answer.status !== 429) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
    return send(sent)
  }
}

export function exchange(options: RequestOptions, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text = text.length < 1e6 ? text + part : text))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text })).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })
}
