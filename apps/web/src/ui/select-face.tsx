import { ChevronDown, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export interface Choice {
  value: string
  label: ReactNode
  note?: string
  icon?: LucideIcon
}
export interface SelectProps {
  label: string
  choices: Choice[]
  value: string
  onChange?: (value: string) => void
  inside?: boolean
  /** The label is only for screen readers, if the selected option makes it clear. */
  hideLabel?: boolean
  /** Before the chosen option. */
  icon?: LucideIcon
  size?: 'sm' | 'md'
  className?: string
  disabled?: boolean
  open?: boolean
}
export const selectLook = (size: 'sm' | 'md', className?: string) =>
  cx(
    'inline-flex items-center gap-1.5 rounded-md border border-line-2 bg-sheet font-medium whitespace-nowrap shadow-sm pressable',
    size === 'sm' ? 'h-7 px-2' : 'h-8 px-2.5',
    className,
  )
interface FaceProperties {
  label: string
  inside: boolean | undefined
  icon: LucideIcon | undefined
  picked: Choice | undefined
}
export function SelectFace({ label, inside, icon: Icon, picked }: FaceProperties) {
  return (
    <>
      {Icon && <Icon size={14} aria-hidden className="text-fg-2" />}
      {inside && (
        <span aria-hidden className="font-normal text-fg-3">
          {label}
        </span>
      )}
      <span className="grow truncate text-left">{picked?.label ?? 'Choose…'}</span>
      <ChevronDown size={14} aria-hidden className="text-fg-3" />
    </>
  )
}
