import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import { gathered } from '#app/platform/database/gathered.server.ts'
import { expectFreshReads } from '#app/platform/database/replica.server.ts'
import { onSignal, signal } from '#app/platform/database/signals.server.ts'

/** The signal that dashboards subscribe to. */
export const LEADS = 'leads'

const tellDashboards = gathered(async (age) => signal(LEADS, { age }), 'dashboards were not notified of new leads')

/** Tells open dashboards that leads have changed. */
export function announceLeads(): void {
  expectFreshReads()
  tellDashboards()
}

onSignal(LEADS, expectFreshReads)
defineLiveTopic({ name: LEADS, permission: 'leads.read' })
