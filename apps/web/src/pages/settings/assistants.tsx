import { ConnectAssistant } from '../../components/ask-assistant/connect-assistant.tsx'

/** How assistants are connected to this server. */
export function Assistants() {
  return (
    <section aria-labelledby="assistants">
      <h2 id="assistants">Assistants</h2>
      <ConnectAssistant />
    </section>
  )
}
