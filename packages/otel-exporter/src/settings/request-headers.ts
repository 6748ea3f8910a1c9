import { projectHeader } from '@heddle/core-api/attributes'

/** Basic with the key as its password, in UTF-8 as servers read it. A key with characters other than printable ASCII is most likely wrong. */
export function toAuthorization(apiKey: string, warn: (message: string) => void): string {
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    warn('the API key contains invalid characters; copy it again from `heddle keys create` or from the admin-key file of the server')
  }
  const bytes = new TextEncoder().encode(`api:${apiKey}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** The header that names the project, percent-encoded; none for a text that is not Unicode. */
export function toProjectHeader(project: string, warn: (message: string) => void): Record<string, string> {
  try {
    return { [projectHeader]: encodeURI(project) }
  } catch {
    warn(`project ${JSON.stringify(project)} is not valid Unicode; ignoring it (expected <entity>/<project>)`)
    return {}
  }
}
