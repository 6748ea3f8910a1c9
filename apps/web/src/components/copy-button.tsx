import { useState } from 'react'

interface Properties {
  title: string
  /** What is copied, when it is pressed. */
  text: () => string
}

/** Copies a text. Where the browser does not allow that, which needs a safe connection, the text stands beside it to copy by hand. */
export function CopyButton({ title, text }: Properties) {
  const [copied, setCopied] = useState<'copied' | { byHand: string }>()

  async function copy() {
    const value = text()
    try {
      await navigator.clipboard.writeText(value)
      setCopied('copied')
    } catch {
      setCopied({ byHand: value })
    }
  }

  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {title}
      </button>
      {copied === 'copied' && <span role="status">Copied</span>}
      {typeof copied === 'object' && (
        <input readOnly aria-label={`${title}, to copy by hand`} value={copied.byHand} onFocus={({ target }) => target.select()} />
      )}
    </>
  )
}
