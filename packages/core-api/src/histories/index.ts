export { type Choice, type Exchange, type History, isChoice, maxHistories, type Message, messageOf } from './chat.ts'
export { createHistories, type Histories } from './histories.ts'
export { messageKey, valueKey } from './message-key.ts'
export { policyVersions, type PolicyVersions } from './policy-versions.ts'
