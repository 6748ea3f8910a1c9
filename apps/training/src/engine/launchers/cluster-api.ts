import { type Outgoing, OutgoingError } from '@heddle/outgoing'
import { LauncherError } from './engine-launcher.ts'

export interface ClusterApiOptions {
  outgoing: Outgoing
  /** Without a trailing slash. */
  url: string
  /** For messages: `Ray at http://…`. */
  place: string
  /** Read before each request, since clusters replace tokens while they are in use. Null sends none. */
  readToken: () => Promise<string | null>
  /** PEM of the authority that signed the certificate of the cluster; null for those of the system. */
  readAuthority?: () => Promise<string | null>
}

export interface ClusterRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** With a leading slash. */
  path: string
  body?: object
  signal: AbortSignal
}

export interface ClusterResponse {
  status: number
  text: string
}

/** @throws LauncherError if the request gets no response, such as after a lost connection or a timeout */
export type SendToCluster = (request: ClusterRequest) => Promise<ClusterResponse>

const timeoutMs = 30_000
const maxResponseBytes = 64 * 2 ** 20

/** JSON requests to the API of a cluster, each sent once. */
export function createClusterApi({ outgoing, url, place, readToken, readAuthority }: ClusterApiOptions): SendToCluster {
  return async ({ method, path, body, signal }) => {
    const [token, authority] = await Promise.all([readToken(), readAuthority?.() ?? null])
    try {
      const { status, bytes } = await outgoing.send({
        url: `${url}${path}`,
        method,
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        secrets: token === null ? {} : { authorization: `Bearer ${token}` },
        ...(body && { body: JSON.stringify(body) }),
        ...(authority !== null && { certificateAuthority: authority }),
        maxResponseBytes,
        timeoutMs,
        signal,
      })
      return { status, text: Buffer.from(bytes).toString('utf8') }
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      throw new LauncherError(`${place} did not answer ${method} ${path}: ${error.message}`, { cause: error })
    }
  }
}

/** An error about an unexpected response. */
export function unexpected(place: string, { method, path }: ClusterRequest, { status, text }: ClusterResponse): LauncherError {
  const hint = status === 401 || status === 403 ? '; check HEDDLE_TRAINING_LAUNCHER_TOKEN and what it is allowed to do' : ''
  return new LauncherError(`${place} answered ${method} ${path} with ${status}${hint}: ${lastWords(text)}`)
}

/** The end of a text, where tracebacks and logs have the error. */
export function lastWords(text: string, maxCharacters = 500): string {
  const trimmed = text.trim()
  return trimmed.length > maxCharacters ? `…${trimmed.slice(-maxCharacters)}` : trimmed
}

/** @throws LauncherError when the text is not JSON */
export function parseResponse(place: string, { path }: ClusterRequest, { text }: ClusterResponse): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LauncherError(`${place} answered ${path} with something other than JSON; is this its address?`, { cause: error })
  }
}
