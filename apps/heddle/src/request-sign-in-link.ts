import { UsageError } from './terminal/usage-error.ts'

const timeoutMs = 10_000

export interface SignInLinkOptions {
  /** Where this machine reaches the server, without a slash at the end. */
  baseUrl: string
  /** Where browsers reach it. Default: `baseUrl`. */
  publicUrl?: string | undefined
  apiKey: string
}

/**
 * Has the server make a link that signs a browser in once. Its token follows a `#`, which browsers keep to themselves: it reaches no log
 * of a server or proxy, and no `Referer`.
 * @throws UsageError when the server does not make one
 */
export async function requestSignInLink({ baseUrl, publicUrl = baseUrl, apiKey }: SignInLinkOptions): Promise<string> {
  const response = await fetch(`${baseUrl}/session/link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new UsageError(
      `the server at ${baseUrl} does not respond (${reasonOf(error)}); start it with \`heddle serve\`, or name it with --url`,
    )
  })
  const text = await response.text()
  if (response.status === 401)
    throw new UsageError(
      `the server at ${baseUrl} rejected the API key; set HEDDLE_API_KEY, or point --data-dir at the data folder of this server`,
    )
  if (!response.ok) throw new UsageError(`the server at ${baseUrl} made no link (status ${response.status}): ${text.slice(0, 300)}`)
  return `${publicUrl}/sign-in#${tokenIn(text, baseUrl)}`
}

function tokenIn(text: string, baseUrl: string): string {
  const token: unknown = /^\s*\{/.test(text) ? (JSON.parse(text) as { token?: unknown }).token : undefined
  if (typeof token !== 'string' || !/^[\w-]+$/.test(token))
    throw new UsageError(`the server at ${baseUrl} is not a Heddle server that issues sign-in links`)
  return token
}

/** Codes of network failures are in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
