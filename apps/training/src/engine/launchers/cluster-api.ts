import { type Outgoing, OutgoingError } from '@heddle/outgoing'
import { LauncherError } from './engine-launcher.ts'
import { lastWords } from './last-words.ts'

// HTTP requests to the API of Ray or Kubernetes. Responses are returned with any status, whose meaning the adapters know: `ray-jobs.ts`, `kubernetes-jobs.ts`.

export interface ClusterApiOptions {
  outgoing: Outgoing
  /** Address of the API, without a trailing slash. */
  url: string
  /** How errors call the cluster: `Ray at http://…`. */
  place: string
  /** Bearer token; null sends none. Read before each request, since clusters replace tokens while they are in use. */
  readToken: () => Promise<string | null>
  /** PEM of the authority that signed the certificate of the cluster; null for those of the system. */
  readAuthority?: () => Promise<string | null>
}

export interface ClusterRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** With a leading slash. */
  path: string
  /** Sent as JSON. */
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

/** Requests are not repeated: what starts and watches a server repeats whole operations. */
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

/** The error for a response whose status its request does not expect. */
export function unexpectedResponse(place: string, { method, path }: ClusterRequest, { status, text }: ClusterResponse): LauncherError {
  const hint = status === 401 || status === 403 ? '; check HEDDLE_TRAINING_LAUNCHER_TOKEN and what it is allowed to do' : ''
  return new LauncherError(`${place} answered ${method} ${path} with ${status}${hint}: ${lastWords(text)}`)
}

/** The JSON of a response. @throws LauncherError when it is something else, such as the page of another program */
export function parseResponse(place: string, { path }: ClusterRequest, { text }: ClusterResponse): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LauncherError(`${place} answered ${path} with something other than JSON; is this its address?`, { cause: error })
  }
}
