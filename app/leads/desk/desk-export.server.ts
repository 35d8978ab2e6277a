import { campaignText } from '#app/platform/source.ts'
import { guarded } from '#app/platform/formula-guard.ts'
import type { DeskExportQuery, LeadPipeline } from './desk.ts'
import { readPipeline } from './desk-fact.server.ts'
import { type ExportedLead, findDeskPage } from './desk-list.server.ts'

/** Rows per batch. */
const BATCH = 1_000

/** The columns of the file, by their heads. */
const cells: Record<string, (lead: ExportedLead, known: LeadPipeline) => string | null | undefined> = {
  Reference: ({ reference }) => reference,
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Company: ({ company }) => company,
  Phone: ({ phone }) => phone,
  Country: ({ country }) => country,
  'Service Type': ({ serviceType }) => serviceType,
  Problem: ({ problem }) => problem,
  Stage: ({ stageId }, { stages }) => stages.find(({ id }) => id === stageId)?.name,
  Owner: ({ ownerId }, { owners }) => owners.find(({ id }) => id === ownerId)?.name,
  Value: ({ valueCents }) => (valueCents === null ? '' : (valueCents / 100).toFixed(2)),
  'Next Step': ({ nextStep }) => nextStep,
  Due: ({ nextStepAt }) => nextStepAt,
  Tags: ({ tags }) => tags.join(', '),
  Starred: ({ isStarred }) => (isStarred ? 'yes' : ''),
  'Answered At': ({ answeredAt }) => answeredAt,
  'Created At': ({ createdAt }) => createdAt,
  'Form Page': ({ cameFrom }) => cameFrom?.path,
  Referrer: ({ cameFrom }) => cameFrom?.referrer,
  Campaign: ({ cameFrom }) => cameFrom && campaignText(cameFrom),
}

/** All matching leads in their order, or the chosen ones of them, as a CSV file in pieces. Values are in whole units of money. */
export async function* exportLeads({ ids, ...query }: DeskExportQuery, userId: string): AsyncGenerator<string> {
  const known = await readPipeline()
  yield lineOf(Object.keys(cells))
  for (let cursor: string | undefined; ;) {
    const { leads, nextCursor } = await findDeskPage({ ...query, cursor, limit: BATCH }, userId, ids?.split(','))
    yield leads.map((lead) => lineOf(Object.values(cells).map((cell) => cell(lead, known) ?? ''))).join('')
    if (!nextCursor) return
    cursor = nextCursor
  }
}

function lineOf(texts: string[]): string {
  return `${texts.map((text) => `"${guarded(text).replaceAll('"', '""')}"`).join(',')}\r\n`
}
