import type { RecordingHeaders } from './record-calls.ts'

/** The headers about recording alone, of a request in another form than chat completions. */
export function recordingHeadersOf(request: RecordingHeaders): RecordingHeaders {
  return {
    'x-heddle-trajectory-id': request['x-heddle-trajectory-id'],
    'x-heddle-group-id': request['x-heddle-group-id'],
    'x-heddle-rollout-id': request['x-heddle-rollout-id'],
    'idempotency-key': request['idempotency-key'],
    traceparent: request.traceparent,
  }
}
