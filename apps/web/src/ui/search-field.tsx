import { Search } from 'lucide-react'
import { cx } from '../lib/cx.ts'
import { Input } from './field.tsx'

interface Properties {
  /** Its name, which is also shown while it is empty. */
  label: string
  value: string
  onChange: (text: string) => void
  className?: string
}

/** A field of a toolbar that filters what the page lists. */
export const SearchField = ({ label, value, onChange, className = 'w-56' }: Properties) => (
  <Input
    compact
    icon={Search}
    type="search"
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    className={cx('min-w-28 shrink', className)}
  />
)
