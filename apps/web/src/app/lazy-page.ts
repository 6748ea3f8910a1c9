import { lazyRouteComponent } from '@tanstack/react-router'
import { asMissingCode, isMissingCode } from '../lib/code/missing-code.ts'
import { reloadIfUpdated } from '../lib/code/updated-pages.ts'

/** A page whose code is fetched when it is opened. If an update replaced the code, the browser opens the page of the new build. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        if (!isMissingCode(error)) throw error
        // Nothing follows while the browser reloads.
        if (await reloadIfUpdated()) await new Promise(() => undefined)
        throw asMissingCode(error)
      }),
    name,
  )
