import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Input } from './field.tsx'

const saidMs = 2_000

interface Properties {
  /** May be made when it is pressed. */
  text: string | (() => string)
  label?: string
  /** Default: an icon, whose name is the label. */
  look?: 'icon' | 'text'
}

/** Copies a text. If the browser does not allow that, which needs a secure connection, the text is shown next to it for manual copying. */
export function CopyButton({ text, label = 'Copy', look = 'icon' }: Properties) {
  const [copied, setCopied] = useState<true | { byHand: string }>()
  useEffect(() => {
    if (copied !== true) return
    const timer = setTimeout(() => setCopied(undefined), saidMs)
    return () => clearTimeout(timer)
  }, [copied])
  async function copy() {
    const value = typeof text === 'string' ? text : text()
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      setCopied({ byHand: value })
    }
  }
  const icon = copied === true ? Check : Copy
  return (
    <>
      {look === 'icon' ? (
        <IconButton label={copied === true ? 'Copied' : label} icon={icon} onClick={() => void copy()} />
      ) : (
        <Button icon={icon} onClick={() => void copy()}>
          {label}
        </Button>
      )}
      {copied === true && (
        <span role="status" className={look === 'icon' ? 'sr-only' : undefined}>
          Copied
        </span>
      )}
      {typeof copied === 'object' && (
        <Input readOnly aria-label={`${label}, to copy by hand`} value={copied.byHand} onFocus={({ target }) => target.select()} />
      )}
    </>
  )
}
