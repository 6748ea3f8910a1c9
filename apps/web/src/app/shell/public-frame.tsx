import { Outlet } from '@tanstack/react-router'
import { IgnoredParamsNotice } from '../ignored-params-notice.tsx'
import { ThemeMenu } from '../../features/theme/theme-menu.tsx'
import { Mark } from '../../ui/brand/mark.tsx'
import { Sheet } from './sheet.tsx'
import { SkipLink } from './skip-link.tsx'

/** Around the page of a public link, whose reader has no account here. */
export function PublicFrame() {
  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-app px-2 pb-2">
      <SkipLink />
      <header className="flex h-12 shrink-0 items-center gap-2.5 px-2">
        <Mark size={22} />
        <span className="font-semibold">Heddle</span>
        <span className="grow" />
        <ThemeMenu />
      </header>
      <Sheet notices={<IgnoredParamsNotice />}>
        <Outlet />
      </Sheet>
    </div>
  )
}
