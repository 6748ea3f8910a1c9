import { AddPrice } from './add-price.tsx'
import { Assistants } from './assistants.tsx'
import { AuditLog } from './audit-log.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { Prices } from './prices.tsx'
import { PublicLinks } from './public-links.tsx'
import { Retention } from './retention.tsx'
import { ServerSettings } from './server-settings.tsx'
import { Storage } from './storage.tsx'
import { Webhooks } from './webhooks.tsx'

/** What the API lets a person set for a project. */
export function SettingsPage() {
  return (
    <>
      <h1>Project settings</h1>
      <Members />
      <Keys />
      <Assistants />
      <PublicLinks />
      <Webhooks />
      <Retention />
      <Prices />
      <AddPrice />
      <Storage />
      <AuditLog />
      <ServerSettings />
    </>
  )
}
