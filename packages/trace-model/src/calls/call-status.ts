/** `descendant_error`: the call itself succeeded, and a call below it failed. */
export type CallStatus = 'success' | 'error' | 'running' | 'descendant_error'

/** Status of a call as it says itself: an error first, then whether it has ended. */
export function statusOfCall(call: {
  exception?: string | null
  ended_at?: string | number | null
}): Exclude<CallStatus, 'descendant_error'> {
  if (call.exception) return 'error'
  return call.ended_at === null || call.ended_at === undefined ? 'running' : 'success'
}

/** Status of a call that knows whether a call below it failed: only a success is changed by it. */
export function statusWithDescendants(own: CallStatus, hasFailedBelow: boolean): CallStatus {
  return own === 'success' && hasFailedBelow ? 'descendant_error' : own
}
