import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

/** The buttons of a dialog: Cancel, then its one action, which is primary unless it is `danger`. */
export function DialogActions({ onCancel, ...action }: { onCancel: () => void } & ComponentProps<typeof Button>) {
  return (
    <>
      <Button size="md" onClick={onCancel}>
        Cancel
      </Button>
      <Button size="md" variant="primary" {...action} />
    </>
  )
}
