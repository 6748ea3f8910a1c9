import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** A secret that the server returns this once, until the person has copied it. */
export function ShownOnce({ secret, onDone, children }: { secret: string; onDone: () => void; children: ReactNode }) {
  return (
    <div className="notice" role="status">
      <p>{children}, shown this once. Copy it now:</p>
      <p className="row">
        <code className="secret">{secret}</code>
        <CopyButton title="Copy" text={() => secret} />
        <button type="button" onClick={onDone}>
          Done
        </button>
      </p>
    </div>
  )
}
