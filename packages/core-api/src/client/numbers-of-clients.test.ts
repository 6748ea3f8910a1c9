import { describe, expect, test } from 'vitest'
import { type Route, toRoutes } from '../routes/route.ts'
import { tracing } from '../tracing/index.ts'
import { training } from '../training/index.ts'
import type { CallOptions } from './client-of.ts'
import { createClient, type ClientOptions } from './create-client.ts'
import { readJsonl, type JsonlOptions } from './read-jsonl.ts'
import { toHttpRequest } from './to-http-request.ts'

/** Names of the options that take a number: one without a trial here does not compile. */
type NumberOptions<Options> = { [K in keyof Options]-?: number extends Options[K] ? K : never }[keyof Options]
type Trials<Options> = Record<NumberOptions<Options>, true>

const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

describe.each<[string, Record<string, Record<string, Route>>]>([
  ['tracing', { ...toRoutes(tracing) }],
  ['training', { ...toRoutes(training) }],
])('of the %s service', (_, resources) => {
  const routes = Object.entries(resources).flatMap(([resource, operations]) =>
    Object.entries(operations).map(([name, route]) => [`${resource}.${name}`, route] as const),
  )

  test.each(routes)('%s sends no number that is not finite', (_name, route) => {
    const places = Object.fromEntries((route.params ?? []).map((name) => [name, 'x']))
    const elsewhere = [route.params, route.query, route.headers, route.multipart].flatMap((names) => names ?? [])
    for (const field of [...elsewhere, ...(route.body ? ['a_field_of_the_body'] : [])])
      for (const number of notFinite)
        for (const value of [number, [1, number]])
          expect(() => toHttpRequest(route, { ...places, bytes: new Uint8Array(), [field]: value }, JSON.stringify)).toThrow(field)
  })
})

const options: Trials<ClientOptions<typeof tracing>> = { timeoutMs: true, retries: true, maxAnswerBytes: true }
const callOptions: Trials<CallOptions> = { timeoutMs: true }
const jsonlOptions: Trials<JsonlOptions> = { maxLineLength: true }

test.each(Object.keys(options))('a client does not take a %s that is not finite', (name) => {
  for (const number of notFinite)
    expect(() => createClient({ baseUrl: 'http://heddle.test', contract: tracing, [name]: number })).toThrow(
      `${name} must be a finite number, got ${number}`,
    )
})

test.each(Object.keys(callOptions))('a call with a %s that is not finite is not sent', async (name) => {
  const send = () => Promise.reject(new Error('sent'))
  const client = createClient({ baseUrl: 'http://heddle.test', contract: tracing, fetch: send, retries: 0 })
  for (const number of notFinite) {
    await expect(client.service.health({}, { [name]: number })).rejects.toThrow(`${name} must be a finite number`)
    const stream = client.calls.streamQuery({ project_id: 'a/b' }, { [name]: number })
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow(`${name} must be a finite number`)
  }
})

test.each(Object.keys(jsonlOptions))('a stream is not read with a %s that is not finite', async (name) => {
  const source = new Response('1\n').body!
  const reading = readJsonl(source, { maxLineLength: 10, parse: JSON.parse, [name]: Number.NaN })
  await expect(reading.next()).rejects.toThrow(`${name} must be a finite number, got NaN`)
})
