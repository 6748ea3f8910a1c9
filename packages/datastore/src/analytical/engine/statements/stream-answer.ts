import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Session } from 'chdb'
import { messageOf } from '../../../message-of.ts'

/** Milliseconds without progress after which the query of a slow reader is cancelled. */
const stalledMs = 30_000

export interface StreamedStatement {
  /** Statements that set the parameters; '' for none. */
  params: string
  text: string
  format: string
}

/**
 * Streams a result block by block with back-pressure; cancels the query when the reader disconnects.
 * @throws the error of the statement; after the first block the response has ended with it.
 */
export async function streamAnswer(session: Session, statement: StreamedStatement, response: ServerResponse): Promise<void> {
  const tag = randomBytes(8).toString('hex')
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  if (statement.params !== '') await session.queryAsync(statement.params)
  try {
    for await (const chunk of session.queryStream(statement.text, { format: statement.format })) {
      if (response.closed) return
      if (!response.write(chunk.raw())) await drained(response)
    }
    response.end()
  } catch (error) {
    if (response.headersSent) response.end(lateError(tag, messageOf(error)))
    throw error
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const stop = new AbortController()
  const options = { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(stalledMs)]) }
  try {
    await Promise.race([once(response, 'drain', options), once(response, 'close', options)])
  } catch {
    response.destroy()
  } finally {
    stop.abort()
  }
}

/** An error after the first block, in the format that the client expects at the end of the response. */
function lateError(tag: string, message: string): string {
  const text = `${message}\n`
  return `\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`
}
