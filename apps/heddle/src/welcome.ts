import type { AdminKey } from './first-start.ts'

export interface WelcomeFacts {
  version: string
  /** Base address, without a slash at the end. */
  url: string
  dataDir: string
  key: AdminKey
  /** The secret itself, only where a person sees it for the first time. */
  secret?: string
  /** Microseconds since 1970, for the span of the example. */
  now: number
}

/** What the server says when it is ready: where it is, where the key is, and one line that sends a first trace. */
export function welcome(facts: WelcomeFacts): string {
  const { url, key, dataDir, version } = facts
  return [
    `Heddle ${version} is ready at ${url}`,
    ``,
    `  Data         ${dataDir}`,
    `  Key          ${describeKey(facts)}`,
    `  First trace  ${firstTrace(facts)}`,
    `  See it       heddle traces list`,
    ...(key.source === 'none' ? [] : [`  Your program eval "$(heddle print-env)"   (any program with OpenTelemetry)`]),
    ``,
  ].join('\n')
}

function describeKey({ key, secret }: WelcomeFacts): string {
  if (key.source === 'configuration') return 'the one in HEDDLE_API_KEY'
  if (key.source === 'none') return 'one of those in `heddle keys list`'
  return secret === undefined ? `in ${key.path}` : `${secret}   (kept in ${key.path})`
}

/** A line for a shell; the key is read when it runs, so it stays out of the line. */
function firstTrace({ url, key, now }: WelcomeFacts): string {
  const secret = key.source === 'file' ? `$(cat ${quoted(key.path)})` : key.source === 'configuration' ? '$HEDDLE_API_KEY' : '$KEY'
  const times = `"startTimeUnixNano":"${now - 1_000_000}000","endTimeUnixNano":"${now}000"`
  const ids = `"traceId":"'$(openssl rand -hex 16)'","spanId":"'$(openssl rand -hex 8)'"`
  const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{${ids},"name":"hello",${times}}]}]}]}`
  return `curl ${url}/otel/v1/traces -u "api:${secret}" -H 'project_id: local/default' -H 'content-type: application/json' -d '${body}'`
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
