import { type ReactNode, useEffect, useRef } from 'react'

/** A dialog over the page. Escape and a click beside it close it, and the focus goes back to where it was. */
export function ModalDialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      // Not at its `close`: that also follows when it leaves the page.
      onCancel={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
    >
      <div className="dialog-content">{children}</div>
    </dialog>
  )
}
