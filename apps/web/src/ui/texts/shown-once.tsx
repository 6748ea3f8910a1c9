import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'

/** A secret that the server returns this once, until the person has copied it. */
export function ShownOnce({ secret, onDone, children }: { secret: string; onDone: () => void; children: ReactNode }) {
  return (
    <Notice title={<>{children}, shown this once. Copy it now:</>}>
      <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <code data-secret="">{secret}</code>
        <CopyButton look="text" text={secret} />
        <Button onClick={onDone}>Done</Button>
      </span>
    </Notice>
  )
}
