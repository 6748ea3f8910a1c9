import { tracing, training } from '@heddle/core-api'
import { type ClientOf, createClient } from '@heddle/core-api/client'
import { parseJson, stringifyJson } from '@heddle/json'
import type { Configuration } from './settings/configuration.ts'
import { findApiKey } from './settings/find-api-key.ts'
import { baseUrlOf, hostnameOf, isLoopback } from './settings/server-address.ts'
import { UsageError } from './terminal/usage-error.ts'

export type TracingClient = ClientOf<typeof tracing>
export type TrainingClient = ClientOf<typeof training>

export interface Connection {
  client: TracingClient
  /** The same for values that are shown: a number that JavaScript would write differently is a `JsonNumber`. */
  exactClient: TracingClient
  /** Without a slash at the end. */
  baseUrl: string
  apiKey: string
}

/** Keeps numbers and texts of payloads exactly as they were sent. */
const exactJson = { parse: (text: string) => parseJson(text, { loneSurrogates: 'keep' }), stringify: stringifyJson }

/** Sends numbers exactly as they were read; those of responses are numbers of JavaScript. */
export const exactRequests = { parse: (text: string): unknown => JSON.parse(text), stringify: stringifyJson }

/** A client whose answers are sent again: payloads come and go unchanged, and long answers have time. */
export async function connectExactly(configuration: Configuration): Promise<TracingClient> {
  const { baseUrl, apiKey } = await connect(configuration)
  return createClient({ baseUrl, apiKey, contract: tracing, json: exactJson, timeoutMs: 300_000, retries: 4 })
}

/** A client of the running server. @throws UsageError when there is no key for it */
export async function connect(configuration: Configuration): Promise<Connection> {
  const baseUrl = baseUrlOf(configuration)
  const apiKey = await findKeyFor(baseUrl, configuration)
  const common = { baseUrl, apiKey, contract: tracing, retries: 1 }
  return { client: createClient(common), exactClient: createClient({ ...common, json: exactJson }), baseUrl, apiKey }
}

/** A client of the training service. @throws UsageError as `connect` */
export async function connectTraining(configuration: Configuration): Promise<TrainingClient> {
  const { baseUrl, apiKey } = await connect(configuration)
  return createClient({ baseUrl, apiKey, contract: training, retries: 1, maxAnswerBytes: 2 ** 32 })
}

/** The admin key in the data folder opens the server of that folder, so it is sent to this machine only, unless the server listens elsewhere. */
async function findKeyFor(baseUrl: string, configuration: Configuration): Promise<string> {
  if (configuration.apiKey === undefined && configuration.url !== undefined && !isLoopback(hostnameOf(baseUrl)))
    throw new UsageError(`no API key for ${baseUrl}: set HEDDLE_API_KEY; the one in ${configuration.dataDir} is sent to this machine only`)
  return findApiKey(configuration)
}
