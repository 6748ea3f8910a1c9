const shortLength = 64

/** A string as JSON text, as `JSON.stringify` writes it. Short plain ones are read here: calling the runtime costs several times what they do. */
export function jsonString(text: string): string {
  return text.length <= shortLength && isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

/** True for printable ASCII that JSON does not escape. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false
  }
  return true
}
