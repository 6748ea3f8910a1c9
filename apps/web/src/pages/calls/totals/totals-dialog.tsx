import { useState } from 'react'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { isTotal, type LeastTotals, totals } from '../../../features/calls/totals/least-totals.ts'

interface Properties {
  least: LeastTotals
  onApply: (least: LeastTotals | undefined) => void
  onClose: () => void
}

/** Selects traces by the totals of their calls. */
export function TotalsDialog({ least, onApply, onClose }: Properties) {
  const [texts, setTexts] = useState<Partial<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(least).map(([name, value]) => [name, String(value)])),
  )
  const given = totals.filter(({ name }) => (texts[name] ?? '').trim() !== '')
  const wrong = given.filter(({ name }) => !isTotal(name, Number(texts[name])))
  function submit() {
    const next: LeastTotals = Object.fromEntries(given.map(({ name }) => [name, Number(texts[name])]))
    onApply(given.length > 0 ? next : undefined)
    onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Filter by totals"
      description="Traces that come to at least:"
      action="Show traces"
      isReady={wrong.length === 0}
      onSubmit={submit}
      className="grid grid-cols-2 gap-3"
    >
      {totals.map(({ name, title }) => (
        <TextField
          key={name}
          label={title}
          inputMode="decimal"
          aria-invalid={wrong.some((one) => one.name === name)}
          value={texts[name] ?? ''}
          onChange={(next) => setTexts({ ...texts, [name]: next })}
        />
      ))}
      {wrong.length > 0 && (
        <p role="alert" className="col-span-2 text-xs text-red-text">
          {`Write a number from 0 for ${wrong.map(({ title }) => title).join(', ')}; counts are whole.`}
        </p>
      )}
    </FormDialog>
  )
}
