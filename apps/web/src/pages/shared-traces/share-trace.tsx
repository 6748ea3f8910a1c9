import { useState } from 'react'
import { ModalDialog } from '../../components/modal-dialog.tsx'
import { CreateLink } from './create-link.tsx'
import { ListedLinks } from './listed-links.tsx'

/** Shares a trace with people who have no key. */
export function ShareTrace({ traceId }: { traceId: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share …
      </button>
      {isOpen && (
        <ModalDialog label="Share this trace" onClose={close}>
          <h2>Share this trace</h2>
          <p>
            Everyone with the link sees the inputs, outputs, attributes and errors of every call of this trace, those that are added later
            included, without an API key. Feedback, costs, files and other traces are not shown.
          </p>
          <CreateLink traceId={traceId} />
          <h3>Links to this trace</h3>
          <ListedLinks traceId={traceId} none="Nobody has shared this trace." />
          <p>
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </ModalDialog>
      )}
    </>
  )
}
