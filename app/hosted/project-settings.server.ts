import { z } from 'zod'
import { askProject } from './project.server.ts'

const settings = z.object({
  disable_signup: z.boolean().catch(false),
  mailer_autoconfirm: z.boolean().catch(true),
  external: z.record(z.string(), z.boolean()).catch({}),
  passkeys_enabled: z.boolean().catch(false),
})

export type ProjectSettings = z.infer<typeof settings>

const FRESH_MS = 60_000
/** What is safe to assume of a service that does not say: that it does not look whose an address is. */
const UNKNOWN: ProjectSettings = { disable_signup: false, mailer_autoconfirm: true, external: {}, passkeys_enabled: false }

/** A service that has not said is left alone for so long: whoever comes meanwhile would wait as long as it keeps silent. */
const COOL_DOWN_MS = 5000

let kept: { settings: ProjectSettings; at: number } | undefined
let failedAt = Number.NEGATIVE_INFINITY
let asking: Promise<void> | undefined

/** How the hosted service makes accounts: a minute old at most, or what it said last while it is away. */
export async function projectSettings(): Promise<ProjectSettings> {
  const now = performance.now()
  const isFresh = kept !== undefined && now - kept.at < FRESH_MS
  if (!isFresh && (asking || now - failedAt > COOL_DOWN_MS)) await askForSettings()
  return kept?.settings ?? UNKNOWN
}

/** Once for all who wait. */
function askForSettings(): Promise<void> {
  asking ??= fetchSettings().finally(() => (asking = undefined))
  return asking
}

async function fetchSettings(): Promise<void> {
  const found = await askProject({ method: 'GET', path: '/settings' }, { address: '', userAgent: undefined }).catch(() => undefined)
  const read = settings.safeParse(found?.body)
  if (found?.status === 200 && read.success) kept = { settings: read.data, at: performance.now() }
  else failedAt = performance.now()
}
