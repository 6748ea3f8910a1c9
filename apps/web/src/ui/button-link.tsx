import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { buttonLook, type ButtonSize, type ButtonVariant } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

interface Properties extends ComponentProps<'a'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: LucideIcon
}

function Anchor({ variant = 'secondary', size = 'sm', icon: Icon, className, children, ...rest }: Properties) {
  return (
    <a {...rest} className={buttonLook(variant, size, className)}>
      {Icon && <Icon size={14} strokeWidth={1.75} aria-hidden className={variant === 'secondary' ? 'text-fg-3' : undefined} />}
      {children}
    </a>
  )
}

/** A link that looks like a button: where an action leads to another page. */
export const ButtonLink: LinkComponent<typeof Anchor> = createLink(Anchor)

interface IconProperties extends Omit<ComponentProps<'a'>, 'children'> {
  label: string
  icon: LucideIcon
  keys?: string
}

function IconAnchor({ label, icon: Icon, keys, className, ...rest }: IconProperties) {
  return (
    <Tooltip text={label} keys={keys}>
      <a {...rest} aria-label={label} className={buttonLook('ghost', 'sm', `w-7 ${className ?? ''}`)}>
        <Icon size={15} strokeWidth={1.75} aria-hidden />
      </a>
    </Tooltip>
  )
}

/** A link of one icon. Its label is its name and its tooltip. */
export const IconLink: LinkComponent<typeof IconAnchor> = createLink(IconAnchor)
