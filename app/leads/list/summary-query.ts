import { apiQuery } from '#app/platform/browser/api.ts'
import { leadSummary } from './lead-summary.ts'

/** The figures of the sales dashboard. */
export const summaryQuery = apiQuery('/api/leads/summary', leadSummary)
