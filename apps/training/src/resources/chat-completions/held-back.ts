/** Length of the end of `text` that may be the beginning of `wanted`, and must wait for more text. */
export function heldBack(text: string, wanted: string): number {
  for (let length = Math.min(text.length, wanted.length - 1); length > 0; length -= 1) {
    if (wanted.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
