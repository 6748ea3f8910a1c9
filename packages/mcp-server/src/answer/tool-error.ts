import { type ErrorCode, isApiError } from '@heddle/core-api'

/** An error in a form that programs read. Codes are those of the services. */
export interface ErrorInfo {
  code: ErrorCode
  message: string
  /** True when the same call may succeed later. */
  retryable: boolean
  retry_after_ms?: number
  /** Id of the service's request: its log names it. */
  request_id?: string
  /** Permitted values, and the next call. */
  hint: string
}

/** A failure that the model can fix: it becomes the result of the call. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly info: ErrorInfo

  constructor(code: ErrorCode, message: string, hint: string) {
    super(message)
    this.info = { code, message, hint, retryable: false }
  }
}

/** Characters of a service's message that are passed on. */
const maxMessage = 300

/** Converts any failure of a call. Reveals no stacks, headers, keys or unknown errors. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof ToolError) return error.info
  if (!isApiError(error)) {
    return {
      code: 'internal',
      message: 'the tool failed',
      retryable: false,
      hint: 'Call it with other arguments, and report this to the operator: the log of the MCP server has the error.',
    }
  }
  const { code, message, retryAfterSeconds, requestId } = error
  const retryable = ['too_many_requests', 'unavailable', 'timeout', 'request_timeout', 'store_failed'].includes(code)
  return {
    code,
    message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message,
    retryable,
    ...(retryAfterSeconds !== undefined && { retry_after_ms: Math.round(retryAfterSeconds * 1_000) }),
    ...(requestId !== undefined && { request_id: requestId }),
    hint: hintOf(code),
  }
}

function hintOf(code: ErrorCode): string {
  switch (code) {
    case 'unauthenticated':
      return 'The server refused the API key, or there is none: set HEDDLE_API_KEY for the MCP server (over HTTP: the Authorization header) to a key from `heddle keys create`.'
    case 'forbidden':
      return 'The API key may not do this here. Name another project, or ask the operator for a key with a higher role.'
    case 'not_found':
      return 'Check the id and the project. The list tools show what exists.'
    case 'too_large':
      return 'Ask for less: a shorter time, fewer ids, or a smaller limit.'
    case 'too_many_requests':
    case 'unavailable':
    case 'timeout':
    case 'request_timeout':
    case 'store_failed':
      return 'The service is busy or not running. Wait, and call again with the same arguments.'
    default:
      return 'Change the arguments as the message says, and call again.'
  }
}
