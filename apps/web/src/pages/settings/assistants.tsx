import { ConnectAssistant } from '../../features/assistant/connect-assistant.tsx'
import { SettingsSection } from './settings-section.tsx'

/** How assistants are connected to this server. */
export function Assistants() {
  return (
    <SettingsSection title="Assistants">
      <div>
        <ConnectAssistant />
      </div>
    </SettingsSection>
  )
}
