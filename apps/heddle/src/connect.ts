import { tracing, training } from '@heddle/core-api'
import { type ClientOf, createClient } from '@heddle/core-api/client'
import { parseJson, stringifyJson } from '@heddle/json'
import type { Configuration } from './settings/configuration.ts'
import { findApiKey } from './settings/find-api-key.ts'
import { baseUrlOf } from './settings/server-address.ts'
import { UsageError } from './terminal/usage-error.ts'

export type TracingClient = ClientOf<typeof tracing>
export type TrainingClient = ClientOf<typeof training>

export interface Connection {
  client: TracingClient
  /** Without a slash at the end. */
  baseUrl: string
  apiKey: string
}

/** Keeps numbers and texts of payloads exactly as they were sent. */
const exactJson = { parse: (text: string) => parseJson(text, { loneSurrogates: 'keep' }), stringify: stringifyJson }

/** A client whose answers are sent again: payloads come and go unchanged, and long answers have time. */
export async function connectExactly(configuration: Configuration, url?: string): Promise<TracingClient> {
  const { baseUrl, apiKey } = await connect(configuration, url)
  return createClient({ baseUrl, apiKey, contract: tracing, json: exactJson, timeoutMs: 300_000, retries: 4 })
}

/**
 * A client of the running server, at `url` or where the configuration says.
 * @throws UsageError when there is no key, or `url` is not an address.
 */
export async function connect(configuration: Configuration, url?: string): Promise<Connection> {
  const baseUrl = url === undefined ? baseUrlOf(configuration) : parseBaseUrl(url)
  const apiKey = await findApiKey(configuration)
  return { client: createClient({ baseUrl, apiKey, contract: tracing, retries: 1 }), baseUrl, apiKey }
}

/** A client of the training service. @throws UsageError as `connect` */
export async function connectTraining(configuration: Configuration, url?: string): Promise<TrainingClient> {
  const { baseUrl, apiKey } = await connect(configuration, url)
  return createClient({ baseUrl, apiKey, contract: training, retries: 1, maxAnswerBytes: 2 ** 32 })
}

function parseBaseUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//.test(url)) {
    throw new UsageError(`--url must be a URL such as http://127.0.0.1:7400, got ${JSON.stringify(url)}`)
  }
  return url.replace(/\/+$/, '')
}
