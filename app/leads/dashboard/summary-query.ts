import { apiQuery } from '#app/platform/browser/api.ts'
import { leadSummary } from '#app/leads/inbox/lead-summary.ts'

/** The figures of the sales dashboard. */
export const summaryQuery = apiQuery('/api/leads/summary', leadSummary)
