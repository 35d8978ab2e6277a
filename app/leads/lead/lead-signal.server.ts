import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { expectFreshReads } from '#app/platform/database/replica.server.ts'
import { onSignal, signal } from '#app/platform/database/signals.server.ts'

/** The signal that dashboards subscribe to. */
export const LEADS = 'leads'

const GATHER_MS = 100
let planned = false

/** Tells open dashboards that leads have changed: soon, and once for a whole burst, so that no visitor's request is delayed. */
export function announceLeads(): void {
  expectFreshReads()
  if (planned) return
  planned = true
  setTimeout(() => {
    planned = false
    signal(LEADS).catch((error: unknown) => log.warn({ err: error }, 'dashboards were not notified of new leads'))
  }, GATHER_MS).unref()
}

onSignal(LEADS, expectFreshReads)
defineLiveTopic({ name: LEADS, permission: 'leads.read' })
