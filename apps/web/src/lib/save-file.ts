interface SavedFile {
  name: string
  /** Media type of the content. */
  type: string
  /** In one piece, or in several that follow each other. */
  text: string | readonly string[]
}

/** Lets the browser save a text as a file, as it saves any download. */
export function saveFile({ name, type, text }: SavedFile): void {
  const address = URL.createObjectURL(new Blob(typeof text === 'string' ? [text] : [...text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)
  link.click()
  // The browser has taken the content when the event of the click has passed.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
