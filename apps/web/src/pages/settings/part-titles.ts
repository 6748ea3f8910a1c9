import { Archive, Bot, DollarSign, Gauge, KeyRound, Link2, type LucideIcon, ScrollText, Server, Trash2, Users, Webhook } from 'lucide-react'
import type { SettingsPart } from './settings-parts.ts'

export const partTitles: Readonly<Record<SettingsPart, { title: string; icon: LucideIcon }>> = {
  members: { title: 'Members', icon: Users },
  keys: { title: 'API keys', icon: KeyRound },
  links: { title: 'Public links', icon: Link2 },
  webhooks: { title: 'Webhooks', icon: Webhook },
  retention: { title: 'Retention', icon: Archive },
  usage: { title: 'Usage and quotas', icon: Gauge },
  prices: { title: 'Model prices', icon: DollarSign },
  audit: { title: 'Audit log', icon: ScrollText },
  delete: { title: 'Delete data', icon: Trash2 },
  assistants: { title: 'Assistants', icon: Bot },
  server: { title: 'Server', icon: Server },
}

/** In the order of the settings' navigation. */
export const partGroups: readonly { title: string; parts: readonly SettingsPart[] }[] = [
  { title: 'Project', parts: ['members', 'keys', 'links', 'webhooks', 'retention', 'usage', 'prices', 'audit', 'delete'] },
  { title: 'Server', parts: ['assistants', 'server'] },
]
