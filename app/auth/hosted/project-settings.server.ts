import { z } from 'zod'
import { callProject } from './project.server.ts'

const settings = z.object({
  disable_signup: z.boolean().catch(false),
  mailer_autoconfirm: z.boolean().catch(true),
  external: z.record(z.string(), z.boolean()).catch({}),
  passkeys_enabled: z.boolean().catch(false),
})

export type ProjectSettings = z.infer<typeof settings>

const FRESH_MS = 60_000
/** Safe defaults before the service's first response: assume that it does not verify addresses. */
const UNKNOWN: ProjectSettings = { disable_signup: false, mailer_autoconfirm: true, external: {}, passkeys_enabled: false }

/** Time between tries after a failure. Without it, every request would wait for the timeout. */
const COOL_DOWN_MS = 5000

let kept: { settings: ProjectSettings; at: number } | undefined
let failedAt = Number.NEGATIVE_INFINITY
let asking: Promise<void> | undefined

/** The hosted service's settings, at most a minute old. While it is down, the last known ones. */
export async function projectSettings(): Promise<ProjectSettings> {
  const now = performance.now()
  const isFresh = kept !== undefined && now - kept.at < FRESH_MS
  if (!isFresh && (asking || now - failedAt > COOL_DOWN_MS)) await askForSettings()
  return kept?.settings ?? UNKNOWN
}

/** Whether the service confirms addresses without verifying them; `undefined` if its settings are not known yet. */
export async function confirmsUnasked(): Promise<boolean | undefined> {
  const { mailer_autoconfirm: isAutomatic } = await projectSettings()
  return kept && isAutomatic
}

/** One fetch for all callers. */
function askForSettings(): Promise<void> {
  asking ??= fetchSettings().finally(() => (asking = undefined))
  return asking
}

async function fetchSettings(): Promise<void> {
  const found = await callProject({ method: 'GET', path: '/settings' }, { address: '', userAgent: undefined }).catch(() => undefined)
  const read = settings.safeParse(found?.body)
  if (found?.status === 200 && read.success) kept = { settings: read.data, at: performance.now() }
  else failedAt = performance.now()
}
