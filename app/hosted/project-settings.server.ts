import { z } from 'zod'
import { askProject } from './project.server.ts'

const settings = z.object({
  disable_signup: z.boolean().catch(false),
  mailer_autoconfirm: z.boolean().catch(true),
  external: z.record(z.string(), z.boolean()).catch({}),
})

export type ProjectSettings = z.infer<typeof settings>

const FRESH_MS = 60_000
/** What is safe to assume of a service that does not say: that it does not look whose an address is. */
const UNKNOWN: ProjectSettings = { disable_signup: false, mailer_autoconfirm: true, external: {} }

let kept: { settings: ProjectSettings; at: number } | undefined

/** How the hosted service makes accounts, a minute old at most. */
export async function projectSettings(): Promise<ProjectSettings> {
  if (kept && performance.now() - kept.at < FRESH_MS) return kept.settings
  const found = await askProject({ method: 'GET', path: '/settings' }, { address: '', userAgent: undefined }).catch(() => undefined)
  const read = settings.safeParse(found?.body)
  if (!read.success) return kept?.settings ?? UNKNOWN
  kept = { settings: read.data, at: performance.now() }
  return read.data
}
