import { projectHeader } from '@heddle/core-api/attributes'

/** Basic with the key as its password, in UTF-8 as servers read it. A key with other characters than printable ASCII is most likely none. */
export function toAuthorization(apiKey: string, warn: (message: string) => void): string {
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    warn('the API key has characters that no key of Heddle has; copy it again, from `heddle keys create` or the first start of the server')
  }
  const bytes = new TextEncoder().encode(`api:${apiKey}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** The header that names the project, percent-encoded; none for a text that is not Unicode. */
export function toProjectHeader(project: string, warn: (message: string) => void): Record<string, string> {
  try {
    return { [projectHeader]: encodeURI(project) }
  } catch {
    warn(`the project ${JSON.stringify(project)} is not valid Unicode and is ignored; it is <entity>/<project>`)
    return {}
  }
}
