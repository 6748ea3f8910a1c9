import { otlpTracesPath } from '@heddle/core-api/attributes'

/** Says what a request was refused for and what to do about it. The key appears by its last four characters alone. */
export function explainRefusal(
  { url, keyHint }: { url: string; keyHint: string },
  { httpStatus, reason }: { httpStatus: number; reason: string },
): string {
  if (httpStatus === 401 || httpStatus === 403)
    return `${url} refused the key (the key is ${keyHint}); spans are dropped for a minute: ${reason}`
  if (httpStatus === 404) {
    return `${url} does not exist on that server; a full address ends with ${otlpTracesPath}, HEDDLE_BASE_URL takes the part before it: ${reason}`
  }
  if (httpStatus >= 300 && httpStatus < 400) return `${url} redirects, which exports do not follow; set the final address: ${reason}`
  return `${url} refused spans, which are dropped: ${reason}`
}
