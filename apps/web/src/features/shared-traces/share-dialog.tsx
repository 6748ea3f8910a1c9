import { Dialog } from '../../ui/dialog.tsx'
import { CreateLink } from './create-link.tsx'
import { ListedLinks } from './listed-links.tsx'

/** Creates links to a trace, and ends them. */
export function ShareDialog({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share trace"
      width="w-[640px]"
      description="Anyone with the link can see the inputs, outputs, attributes and errors of this trace without signing in, including spans added later. Feedback, costs, files and other traces stay private."
    >
      <CreateLink traceId={traceId} />
      <h3 className="mt-5 mb-2 font-semibold">Public links</h3>
      <ListedLinks traceId={traceId} none="No public links" />
    </Dialog>
  )
}
