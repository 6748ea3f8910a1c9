export const settingsParts = [
  'members',
  'keys',
  'links',
  'webhooks',
  'retention',
  'usage',
  'prices',
  'audit',
  'delete',
  'assistants',
  'server',
] as const
export type SettingsPart = (typeof settingsParts)[number]
