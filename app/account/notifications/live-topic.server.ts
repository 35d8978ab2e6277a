import type { Permission } from '#app/access.server.ts'
import { NOTIFIED } from './notification.server.ts'

/** A kind of event: the signal of the same name causes it. `isFor` tells whether a signal concerns a person. */
type LiveTopic = { name: string; permission: Permission; isFor?: (payload: unknown, userId: string) => boolean }

export const liveTopics: LiveTopic[] = [
  { name: NOTIFIED, permission: 'workspace.enter', isFor: (payload, userId) => payload === null || namesPerson(payload, userId) },
]

/** Adds a kind of event for people with a permission. */
export function defineLiveTopic(topic: LiveTopic): void {
  liveTopics.push(topic)
}

function namesPerson(payload: unknown, userId: string): boolean {
  return Array.isArray(payload) && payload.includes(userId)
}
