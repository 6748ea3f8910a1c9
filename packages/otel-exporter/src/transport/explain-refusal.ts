import { otlpTracesPath } from '@heddle/core-api/attributes'

/** Why a request was rejected, and what to do about it. Quotes only the last four characters of the key. */
export function explainRefusal(
  { url, keyHint }: { url: string; keyHint: string },
  { httpStatus, reason }: { httpStatus: number; reason: string },
): string {
  if (httpStatus === 401 || httpStatus === 403)
    return `${url} rejected the API key (the key is ${keyHint}); spans are dropped for a minute: ${reason}`
  if (httpStatus === 404) {
    return `${url} does not exist on that server; a full URL ends with ${otlpTracesPath}, HEDDLE_BASE_URL is the part before it: ${reason}`
  }
  if (httpStatus >= 300 && httpStatus < 400)
    return `${url} redirects, but exports do not follow redirects; configure the final URL: ${reason}`
  return `${url} rejected spans, which are dropped: ${reason}`
}
