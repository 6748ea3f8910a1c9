import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Properties extends Omit<ComponentProps<typeof Dialog>, 'open' | 'footer'> {
  /** Default: true. */
  open?: boolean
  /** On the button that submits the form. */
  action: ReactNode
  /** False while the form cannot be submitted. */
  isReady?: boolean
  isSending?: boolean
  /** After this, Cancel is Close. */
  isDone?: boolean
  onSubmit: () => void
  /** Class of the form. */
  className?: string
}

/** A dialog with a form: Cancel, then its one action, which submits it. */
export function FormDialog({ open = true, action, isReady = true, isSending = false, isDone = false, ...properties }: Properties) {
  const { onSubmit, className = 'flex flex-col gap-4 pb-4', children, ...dialog } = properties
  const id = useId()
  return (
    <Dialog
      {...dialog}
      open={open}
      footer={
        <>
          <Button size="md" onClick={dialog.onClose}>
            {isDone ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" form={id} size="md" variant="primary" disabled={!isReady} loading={isSending}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isSending) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
