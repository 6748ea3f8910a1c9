import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-part.tsx'

const ShareDialog = lazyDialog(() => import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog))

/** Shares a trace with users without a key. */
export function ShareTrace({ traceId }: { traceId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={Share2} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen && <ShareDialog traceId={traceId} onClose={() => setOpen(false)} />}
    </>
  )
}
