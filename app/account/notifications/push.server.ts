import { z } from 'zod'
import { senderAddress } from '#app/mail/outbox.server.ts'
import { FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { postPublic } from '#app/platform/http/fetch-public.server.ts'
import { defineJob, JobFailure, type NewJob } from '#app/platform/jobs.server.ts'
import { findPushSubscription, forgetPushDevice, notePushSent } from './push-device.server.ts'
import { pushKeys } from './push-key.server.ts'

const BOUNDS = { ms: 15_000, bytes: 1024 }
/** A browser that is off for longer gets the news from the bell. */
const TTL_SECONDS = 24 * 3600

/** `subjectIds` are the rows that it is about, so that erasing a person finds it. */
export const pushMessage = z.object({
  deviceId: z.string(),
  title: z.string(),
  body: z.string(),
  link: z.string(),
  tag: z.string(),
  subjectIds: z.array(z.string()),
})

export type PushMessage = z.infer<typeof pushMessage>

const JOB = 'notifications.push'

export function pushJob(message: PushMessage): NewJob {
  return { kind: JOB, payload: message, dedupeKey: `${JOB}:${message.deviceId}:${message.tag}` }
}

/** Sends a message to a browser, encrypted for it alone (RFC 8291). The address came from a browser, so it is guarded like any other. */
export async function sendPush({ deviceId, title, body, link, tag }: PushMessage, post: typeof postPublic = postPublic): Promise<void> {
  const subscription = await findPushSubscription(deviceId)
  if (!subscription) return
  const vapidDetails = { subject: `mailto:${senderAddress()}`, ...(await pushKeys()) }
  const { endpoint, keys } = subscription
  const text = JSON.stringify({ title, body, link, tag })
  const { default: webPush } = await import('web-push')
  const request = webPush.generateRequestDetails({ endpoint, keys }, text, { vapidDetails, TTL: TTL_SECONDS, urgency: 'normal' })
  const { status } = await post(endpoint, { headers: request.headers, body: request.body ?? '' }, BOUNDS).catch((error: unknown) => {
    throw error instanceof FetchFailure ? new JobFailure(error.message, { cause: error }) : error
  })
  if (status === 404 || status === 410) return forgetPushDevice(deviceId)
  if (status === 429 || status >= 500) throw new JobFailure(`The push service answered ${status}.`)
  if (status < 200 || status >= 300) throw new JobFailure(`The push service answered ${status}.`, { permanent: true })
  await notePushSent(deviceId)
}

defineJob(
  JOB,
  pushMessage,
  async (message) => {
    await sendPush(message)
    // Its text is not stored.
    return { ...message, title: '', body: '', subjectIds: [] }
  },
  { keepDays: 1 },
)
