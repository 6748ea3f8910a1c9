import { randomBytes } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { Transform } from 'node:stream'
import { JsonNumber } from '@heddle/json/exact'
import { mapMembers, parseMessage } from '../tools/schema/exact-arguments.ts'

/** Longer lines are passed unchanged: what reads them refuses them. */
const maxLine = 16 * 2 ** 20

/** Input that was read with the numbers of its arguments. */
export interface ExactInput {
  /** Lines of JSON, in which a number that `JSON.parse` would round is an object that no client can write. */
  lines: Transform
  /** The message that was parsed from such a line, with its numbers as `JsonNumber`s. */
  restore<T>(message: T): T
}

/** The transport of the SDK parses lines itself, and offers no place to say how. */
export function createExactInput(): ExactInput {
  const mark = randomBytes(16).toString('hex')
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const parts = (rest + decoder.write(chunk)).split('\n')
      rest = parts.pop() ?? ''
      const written = parts.map((line) => `${marked(line, mark)}\n`).join('')
      const isTooLong = rest.length > maxLine
      const out = isTooLong ? written + rest : written
      if (isTooLong) rest = ''
      done(null, out)
    },
    flush: (done) => done(null, rest + decoder.end()),
  })
  const restoreNumbers = (value: unknown): unknown => {
    const literal = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[mark] : undefined
    return typeof literal === 'string' ? new JsonNumber(literal) : mapMembers(value, restoreNumbers)
  }
  return {
    lines,
    restore(message) {
      const { params } = message as { params?: { arguments?: unknown } }
      if (params?.arguments !== undefined) params.arguments = restoreNumbers(params.arguments)
      return message
    },
  }
}

function marked(line: string, mark: string): string {
  try {
    const message = parseMessage(line, ({ text }) => ({ [mark]: text }))
    return message === undefined ? line : JSON.stringify(message)
  } catch {
    return line
  }
}
