import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Failure } from '../../ui/states/failure.tsx'

interface Properties {
  title: string
  note?: string
  /** Fields next to each other in a wide window. Default: 1. */
  columns?: 1 | 2 | 3
  /** What the form sends. */
  sending: { isPending: boolean; error: unknown; mutate: () => void }
  /** Text of the button. */
  action: string
  isDanger?: boolean
  /** Whether it can be sent as it is filled in. */
  isReady: boolean
  /** Fields. One that takes a whole line has the class `col-span-full`. */
  children: ReactNode
}

/** A card with a form that changes settings: its fields, its button, and why what was sent was refused. */
export function SettingsForm({ title, note, columns = 1, sending, action, isDanger = false, isReady, children }: Properties) {
  return (
    <Card title={title} note={note}>
      <form
        className={cx('grid items-start gap-4', columns === 2 && 'md:grid-cols-2', columns === 3 && 'md:grid-cols-3')}
        onSubmit={(event) => {
          event.preventDefault()
          sending.mutate()
        }}
      >
        {children}
        <Button
          type="submit"
          variant={isDanger ? 'danger' : 'primary'}
          size="md"
          loading={sending.isPending}
          disabled={!isReady}
          className="col-span-full justify-self-end"
        >
          {action}
        </Button>
      </form>
      <Failure error={sending.error} />
    </Card>
  )
}
