import { type FormEvent, useId, useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions } from '../../../ui/dialog-actions.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { isTotal, type LeastTotals, totals } from '../../../features/calls/totals/least-totals.ts'

interface Properties {
  least: LeastTotals
  onApply: (least: LeastTotals | undefined) => void
  onClose: () => void
}

/** Selects traces by the totals of their calls. */
export function TotalsDialog({ least, onApply, onClose }: Properties) {
  const form = useId()
  const [texts, setTexts] = useState<Partial<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(least).map(([name, value]) => [name, String(value)])),
  )
  const given = totals.filter(({ name }) => (texts[name] ?? '').trim() !== '')
  const wrong = given.filter(({ name }) => !isTotal(name, Number(texts[name])))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (wrong.length > 0) return
    const next: LeastTotals = Object.fromEntries(given.map(({ name }) => [name, Number(texts[name])]))
    onApply(given.length > 0 ? next : undefined)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Filter by totals"
      description="Traces that come to at least:"
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={wrong.length > 0}>
          Show traces
        </DialogActions>
      }
    >
      <form id={form} onSubmit={submit} className="grid grid-cols-2 gap-3">
        {totals.map(({ name, title }) => (
          <Field key={name} label={title}>
            {(ids) => (
              <Input
                {...ids}
                inputMode="decimal"
                aria-invalid={wrong.some((one) => one.name === name)}
                value={texts[name] ?? ''}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        {wrong.length > 0 && (
          <p role="alert" className="col-span-2 text-xs text-red-text">
            {`Write a number from 0 for ${wrong.map(({ title }) => title).join(', ')}; counts are whole.`}
          </p>
        )}
      </form>
    </Dialog>
  )
}
