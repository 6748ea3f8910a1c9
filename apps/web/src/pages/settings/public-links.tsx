import { ListedLinks } from '../../features/shared-traces/listed-links.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Links with which users without a key read single traces of the project. */
export function PublicLinks() {
  return (
    <SettingsSection
      title="Public links"
      text="Anyone with the link can view one trace without an API key. To create one, select Share on a trace page."
    >
      <ListedLinks traceId={null} none="No trace is shared." />
    </SettingsSection>
  )
}
