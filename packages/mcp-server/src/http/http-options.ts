import type { McpCaller } from '../connection/caller.ts'
import type { ServerOptions, ToolChoice } from '../connection/server-options.ts'

/** An authorization server, and the audience of its tokens. */
export interface OAuthSettings {
  /** `iss` of the tokens. */
  issuer: string
  /** Where its public keys are. */
  jwksUri: string
  /** Address of this server as clients know it, with the path: `aud` of the tokens. */
  resource: string
}

/**
 * Who may call: holders of a key of the service, which is passed through; of one token; or of an access token of an authorization server, within its
 * scopes. For the last two, the server's own key is used.
 */
export type HttpAuth = { mode: 'passthrough' } | { mode: 'static'; token: string } | ({ mode: 'oauth' } & OAuthSettings)

export interface HttpOptions extends ServerOptions {
  /** Default: `passthrough`. */
  auth?: HttpAuth
  /** Names of this server in the Host header, without port; IPv6 addresses in brackets. Default: those of loopback. */
  allowedHosts?: readonly string[]
  /** Hosts of pages whose scripts may call. Default: those of `allowedHosts`. A request without an Origin was not sent by a page. */
  allowedOrigins?: readonly string[]
  /**
   * Tools offered to a request whose headers name no toolsets and no tools, if they should be fewer than those allowed. Default: all that are
   * allowed.
   */
  withoutHeaders?: Pick<ToolChoice, 'toolsets' | 'allowDestructive'>
  /** Requests of a caller in a second. Default: 30. */
  maxRequestsPerSecond?: number
  /** Streams of a caller that are open at a time. Default: 4. */
  maxStreams?: number
}

/** Data about the caller from a program that has authenticated the caller itself. */
export interface HttpRequestOptions {
  caller?: McpCaller
}

/** MCP over streamable HTTP, as one function from request to response. */
export interface HttpHandler {
  /** Answers everything, and does not reject. */
  fetch(request: Request, options?: HttpRequestOptions): Promise<Response>
  /** Ends requests in flight. */
  close(): Promise<void>
}
