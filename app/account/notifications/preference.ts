import { z } from 'zod/mini'
import { notificationKind, type NotificationKind } from './notification.ts'

export const PREFERENCES = '/api/notifications/preferences'
export const PUSH_DEVICES = '/api/notifications/devices'

/** The bell has everything. By email: never, immediately, or in the daily digest. */
export const emailChoices = { off: 'Never', now: 'Immediately', digest: 'Daily digest' } as const

const emailChoice = z.enum(['off', 'now', 'digest'], 'Choose never, immediately or daily digest.')

/** Which channels tell about a kind, beside the bell. */
export const kindChannels = z.object({ email: emailChoice, push: z.boolean('Push is true or false.') })

export type KindChannels = z.infer<typeof kindChannels>

/** Kinds that concern one person, or cannot wait. News for everyone, and news with an email of its own, is in the bell. */
const defaults: Partial<Record<NotificationKind, KindChannels>> = {
  lead: { email: 'off', push: true },
  assigned: { email: 'now', push: true },
  reply: { email: 'now', push: true },
  mention: { email: 'now', push: true },
  clock: { email: 'now', push: true },
  booking: { email: 'off', push: true },
  paid_dataset_version: { email: 'now', push: false },
}

export function defaultChannels(kind: NotificationKind): KindChannels {
  return defaults[kind] ?? { email: 'off', push: false }
}

const HOUR = 'Choose an hour from 0 to 23.'
const CLOCK = 'Choose a time.'
const clockTime = z.nullable(z.int(CLOCK).check(z.minimum(0, CLOCK), z.maximum(1439, CLOCK)))
const ZONE = 'Unknown time zone.'

/** Quiet hours are minutes since midnight in the person's zone; they may pass midnight. */
export const preferencesBody = z
  .object({
    channels: z.array(z.extend(kindChannels, { kind: notificationKind })).check(z.maxLength(50, 'Too many kinds.')),
    zone: z.string(ZONE).check(z.maxLength(60, ZONE), z.refine(isKnownZone, ZONE)),
    digestHour: z.int(HOUR).check(z.minimum(0, HOUR), z.maximum(23, HOUR)),
    quietFrom: clockTime,
    quietUntil: clockTime,
  })
  .check(
    z.refine(({ quietFrom, quietUntil }) => (quietFrom === null) === (quietUntil === null), {
      path: ['quietUntil'],
      error: 'Quiet hours need a start and an end.',
    }),
  )

export type PreferencesBody = z.infer<typeof preferencesBody>

/** A browser that shows notifications. `hash` is the SHA-256 of its push address, so that the browser recognizes itself. */
export const pushDevice = z.object({
  id: z.string(),
  hash: z.string(),
  device: z.string(),
  createdAt: z.string(),
  lastSentAt: z.nullable(z.string()),
})

export type PushDevice = z.infer<typeof pushDevice>

export const notificationPreferences = z.object({
  channels: z.array(z.extend(kindChannels, { kind: notificationKind })),
  /** Null until the person has saved preferences: then the browser's. */
  zone: z.nullable(z.string()),
  digestHour: z.number(),
  quietFrom: z.nullable(z.number()),
  quietUntil: z.nullable(z.number()),
  /** The address that emails go to; null without a confirmed one. */
  email: z.nullable(z.string()),
  publicKey: z.string(),
  devices: z.array(pushDevice),
})

export type NotificationPreferences = z.infer<typeof notificationPreferences>

const KEY = /^[\w-]+=*$/
const BROKEN = 'This browser’s subscription can’t be used.'

/** The `PushSubscription` of a browser. */
export const pushSubscriptionBody = z.object({
  endpoint: z.string(BROKEN).check(z.maxLength(2000, BROKEN), z.regex(/^https:\/\//, BROKEN)),
  keys: z.object({
    p256dh: z.string(BROKEN).check(z.minLength(80, BROKEN), z.maxLength(100, BROKEN), z.regex(KEY, BROKEN)),
    auth: z.string(BROKEN).check(z.minLength(20, BROKEN), z.maxLength(30, BROKEN), z.regex(KEY, BROKEN)),
  }),
})

export type PushSubscriptionBody = z.infer<typeof pushSubscriptionBody>

function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
