/** True for an address of HTTP below which paths can be added: it has no credentials, query or fragment. */
export function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && [username, password, search, hash].every((part) => part === '')
}
