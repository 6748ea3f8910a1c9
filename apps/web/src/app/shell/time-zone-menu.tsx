import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { lazyDialog } from '../../ui/lazy-part.tsx'

/** The list is long, so only pages where someone opens it have it. */
const ChooseTimeZone = lazyDialog(() => import('./choose-time-zone.tsx').then(({ ChooseTimeZone }) => ChooseTimeZone), ZoneButton)

/** Names the time zone of all times of the page, and lets it be changed. */
export function TimeZoneMenu() {
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? <ChooseTimeZone onClose={() => setIsOpen(false)} /> : <ZoneButton onClick={() => setIsOpen(true)} />
}

function ZoneButton({ onClick }: { onClick?: () => void }) {
  const timeZone = useTimeZone()
  return (
    <button
      type="button"
      aria-label={`Times in ${timeZone}: change time zone`}
      onClick={onClick}
      className="inline-flex h-6 shrink-0 items-center gap-1.5 rounded-sm px-1 whitespace-nowrap pressable hover:text-fg"
    >
      <Globe size={12} aria-hidden />
      Times in {timeZone}
    </button>
  )
}
