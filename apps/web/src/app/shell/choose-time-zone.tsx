import { isTimeZone, ownTimeZone } from '@heddle/trace-model/time'
import { Globe } from 'lucide-react'
import { type FocusEvent, useState } from 'react'
import { Combobox } from '../../ui/combobox.tsx'
import { systemTimeZone } from '../../lib/time/time-zone.ts'
import { chooseTimeZone, useChosenTimeZone } from '../../lib/time/use-time-zone.ts'

/** Browsers list some zones by their former names alone. */
const currentNames = ['Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Yangon', 'Atlantic/Faroe', 'Europe/Kyiv']

/** A search in all time zones, the browser's own first. */
export function ChooseTimeZone({ onClose }: { onClose: () => void }) {
  const chosen = useChosenTimeZone()
  const [suggestions] = useState(() => suggestionsFor(chosen))
  const close = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onClose()
  }
  return (
    <div onBlur={close} className="w-64 shrink-0">
      <Combobox
        label="Time zone"
        placeholder="Search time zones"
        icon={Globe}
        suggestions={suggestions}
        open
        focus
        bare
        onPick={(picked) => {
          chooseTimeZone(picked === browserChoice() ? systemTimeZone : picked)
          onClose()
        }}
      />
    </div>
  )
}

const browserChoice = () => `Browser (${ownTimeZone()})`

function suggestionsFor(chosen: string) {
  const all = [...Intl.supportedValuesOf('timeZone'), ...currentNames.filter(isTimeZone), ...(chosen === systemTimeZone ? [] : [chosen])]
  return [browserChoice(), ...new Set(['UTC', ...all.toSorted()])].map((value) => ({ value }))
}
