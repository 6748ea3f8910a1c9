import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { Button } from '../button.tsx'

/** A secret that the server returns this once, until the person has copied it. */
export function ShownOnce({ secret, onDone, children }: { secret: string; onDone: () => void; children: ReactNode }) {
  return (
    <div className="notice" role="status">
      <p>{children}, shown this once. Copy it now:</p>
      <p className="row">
        <code className="secret">{secret}</code>
        <CopyButton look="text" text={secret} />
        <Button onClick={onDone}>Done</Button>
      </p>
    </div>
  )
}
