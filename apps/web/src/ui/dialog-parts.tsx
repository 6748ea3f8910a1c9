import { Dialog as Base, DialogDismiss, DialogHeading, DialogDescription } from '@ariakit/react'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { Button } from './button.tsx'

const dismiss = 'inline-flex size-7 items-center justify-center rounded-md text-fg-3 pressable hover:text-fg'
interface DialogProperties {
  open: boolean
  onClose: () => void
  title: string
  children?: ReactNode
}
/** Takes the focus until it is answered. One title, one question, the primary answer last. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  description,
  footer,
  initialFocus,
  width = 'w-[480px]',
  role,
}: DialogProperties & {
  description?: ReactNode
  footer?: ReactNode
  initialFocus?: RefObject<HTMLElement | null>
  width?: string
  role?: 'alertdialog'
}) {
  return (
    <Base
      open={open}
      onClose={onClose}
      unmountOnHide
      {...(role && { role })}
      {...(initialFocus && { initialFocus })}
      backdrop={<div className="bg-backdrop" />}
      className={cx(
        'pop fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-xl',
        width,
      )}
    >
      <div className="flex shrink-0 items-start gap-4 px-5 pt-4">
        <DialogHeading render={<h2 />} className="min-w-0 grow text-lg font-semibold [overflow-wrap:anywhere]">
          {title}
        </DialogHeading>
        <DialogDismiss className={cx(dismiss, '-mr-1')} aria-label="Close">
          <X size={15} aria-hidden />
        </DialogDismiss>
      </div>
      {description && (
        <DialogDescription className="shrink-0 px-5 pt-1 text-fg-2 [overflow-wrap:anywhere]">{description}</DialogDescription>
      )}
      {children && <div className="min-h-0 overflow-auto px-5 pt-4 pb-1">{children}</div>}
      {footer === undefined ? (
        <div className="h-4 shrink-0" />
      ) : (
        <div className="mt-4 flex shrink-0 justify-end gap-2 rounded-b-xl border-t border-line bg-sunken px-5 py-3">{footer}</div>
      )}
    </Base>
  )
}
/**
 * For actions that cannot be undone. The button names the action: "Delete 3 checkpoints", never "OK". In a dangerous one, the focus starts on Cancel.
 */
export function ConfirmDialog({
  action,
  onConfirm,
  danger,
  cancel: cancelTitle = 'Cancel',
  ...rest
}: DialogProperties & { action: string; onConfirm: () => void; danger?: boolean; cancel?: string | undefined; description?: ReactNode }) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      {...rest}
      role="alertdialog"
      {...(danger && { initialFocus: cancel })}
      footer={
        <>
          <Button size="md" ref={cancel} onClick={rest.onClose}>
            {cancelTitle}
          </Button>
          <Button size="md" variant={danger ? 'danger' : 'primary'} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    />
  )
}
/** Placed next to the list it belongs to, which remains usable: not modal, Escape closes it. */
export function Drawer({
  open,
  onClose,
  title,
  children,
  actions,
  width = 'w-[520px]',
}: DialogProperties & { actions?: ReactNode; width?: string }) {
  return (
    <Base
      open={open}
      onClose={onClose}
      unmountOnHide
      modal={false}
      autoFocusOnShow={false}
      hideOnInteractOutside={false}
      portal={false}
      render={<section />}
      className={cx(
        'slide z-20 flex max-w-full shrink-0 flex-col border-l border-line-2 bg-sheet max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:shadow-lg',
        width,
      )}
    >
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line pr-3 pl-4">
        <DialogHeading render={<h2 />} className="grow truncate text-sm font-semibold">
          {title}
        </DialogHeading>
        {actions}
        <DialogDismiss className={dismiss} aria-label="Close">
          <X size={15} aria-hidden />
        </DialogDismiss>
      </div>
      <div className="min-h-0 grow overflow-auto">{children}</div>
    </Base>
  )
}
