import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { CreateLink } from './create-link.tsx'
import { ListedLinks } from './listed-links.tsx'
import { Button } from '../../ui/button.tsx'

/** Shares a trace with users without a key. */
export function ShareTrace({ traceId }: { traceId: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button icon={Share2} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen && (
        <Dialog
          open
          onClose={close}
          title="Share trace"
          width="w-[640px]"
          description="Anyone with the link can see the inputs, outputs, attributes and errors of this trace without signing in, including spans added later. Feedback, costs, files and other traces stay private."
        >
          <CreateLink traceId={traceId} />
          <h3 className="mt-5 mb-2 font-semibold">Public links</h3>
          <ListedLinks traceId={traceId} none="No public links" />
        </Dialog>
      )}
    </>
  )
}
