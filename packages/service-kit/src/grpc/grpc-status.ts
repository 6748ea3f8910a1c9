/** Status codes of gRPC that this server answers: https://grpc.io/docs/guides/status-codes/ */
export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  invalid_argument: 3,
  deadline_exceeded: 4,
  permission_denied: 7,
  resource_exhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

export interface GrpcStatus {
  code: number
  /** '' for none. */
  message: string
  /** Seconds after which the same call may succeed. */
  retryAfterSeconds?: number
}

/** By status of HTTP. Exporters retry UNAVAILABLE, and RESOURCE_EXHAUSTED if it comes with a delay: https://opentelemetry.io/docs/specs/otlp/#failures */
const codes: Readonly<Record<number, number>> = {
  400: grpcCodes.invalid_argument,
  401: grpcCodes.unauthenticated,
  403: grpcCodes.permission_denied,
  404: grpcCodes.unimplemented,
  408: grpcCodes.deadline_exceeded,
  413: grpcCodes.resource_exhausted,
  415: grpcCodes.unimplemented,
  422: grpcCodes.invalid_argument,
  429: grpcCodes.resource_exhausted,
  502: grpcCodes.unavailable,
  503: grpcCodes.unavailable,
  504: grpcCodes.deadline_exceeded,
}

/** The status of an error response over HTTP. */
export async function statusOf(response: Response): Promise<GrpcStatus> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    code: codes[response.status] ?? grpcCodes.internal,
    message: messageIn(await response.text()),
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  }
}

/** The reason in the body of an error. */
function messageIn(body: string): string {
  try {
    const { reason, detail } = JSON.parse(body) as { reason?: unknown; detail?: unknown }
    const found = reason ?? detail ?? body
    return typeof found === 'string' ? found : JSON.stringify(found)
  } catch {
    return body
  }
}

/** Trailers of a status: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md */
export function trailersOf({ code, message, retryAfterSeconds }: GrpcStatus): Record<string, string> {
  return {
    'grpc-status': String(code),
    ...(message !== '' && { 'grpc-message': percentEncoded(message) }),
    ...(retryAfterSeconds !== undefined && { 'grpc-status-details-bin': retryDetails(code, message, retryAfterSeconds) }),
  }
}

/** Headers have a bound. */
const maxMessage = 2_000

function percentEncoded(message: string): string {
  return Buffer.from(message.slice(0, maxMessage))
    .toString('latin1')
    .replaceAll(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** `google.rpc.Status` with a `RetryInfo`, in base64. */
function retryDetails(code: number, message: string, seconds: number): string {
  const duration = field(1, varint(Math.ceil(seconds)))
  const retryInfo = lengthDelimited(1, duration)
  const any = Buffer.concat([lengthDelimited(1, Buffer.from('type.googleapis.com/google.rpc.RetryInfo')), lengthDelimited(2, retryInfo)])
  const status = [field(1, varint(code)), lengthDelimited(2, Buffer.from(message.slice(0, maxMessage))), lengthDelimited(3, any)]
  return Buffer.concat(status).toString('base64').replaceAll('=', '')
}

const field = (number: number, value: Buffer) => Buffer.concat([varint(number << 3), value])
const lengthDelimited = (number: number, bytes: Buffer) => Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes])

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}
