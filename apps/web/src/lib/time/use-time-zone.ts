import { useSyncExternalStore } from 'react'
import { ownTimeZone } from '@heddle/trace-model/time'
import { readTimeZone, storeTimeZone, systemTimeZone } from './time-zone.ts'

const listeners = new Set<() => void>()
let chosen: string | undefined
let own: string | undefined

const chosenTimeZone = () => (chosen ??= readTimeZone(window.localStorage))

function shownTimeZone(): string {
  const choice = chosenTimeZone()
  return choice === systemTimeZone ? (own ??= ownTimeZone()) : choice
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows all times of the page in another time zone, now and in later visits. */
export function chooseTimeZone(timeZone: string): void {
  chosen = timeZone
  storeTimeZone(window.localStorage, timeZone)
  for (const listener of listeners) listener()
}

/** IANA name of the time zone of all times in tables, charts and texts. */
export const useTimeZone = () => useSyncExternalStore(subscribe, shownTimeZone)

/** The chosen time zone: an IANA name or `system`. */
export const useChosenTimeZone = () => useSyncExternalStore(subscribe, chosenTimeZone)
