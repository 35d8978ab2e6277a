import { campaignText } from '#app/platform/source.ts'
import { BATCH_ROWS, type ListFile } from '#app/platform/list-file.server.ts'
import type { DeskExportQuery, LeadPipeline } from '#app/leads/lead/desk.ts'
import { readPipeline } from '#app/leads/lead/desk-fact.server.ts'
import { type ExportedLead, findDeskPage } from './desk-list.server.ts'

/** The columns of the file, by their heads. Values are in whole units of money. */
const columnsOf = ({ stages, owners }: LeadPipeline): ListFile<ExportedLead>['columns'] => ({
  Reference: ({ reference }) => reference,
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Company: ({ company }) => company,
  Phone: ({ phone }) => phone,
  Country: ({ country }) => country,
  'Service Type': ({ serviceType }) => serviceType,
  Problem: ({ problem }) => problem,
  Stage: ({ stageId }) => stages.find(({ id }) => id === stageId)?.name,
  Owner: ({ ownerId }) => owners.find(({ id }) => id === ownerId)?.name,
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
})

/** All matching leads in their order, or the chosen ones of them. */
export async function exportLeads(query: DeskExportQuery, userId: string): Promise<ListFile<ExportedLead>> {
  return { columns: columnsOf(await readPipeline()), batches: batchesOf(query, userId) }
}

async function* batchesOf({ ids, ...query }: DeskExportQuery, userId: string): AsyncGenerator<ExportedLead[]> {
  for (let cursor: string | undefined; ;) {
    const { leads, nextCursor } = await findDeskPage({ ...query, cursor, limit: BATCH_ROWS }, userId, ids?.split(','))
    yield leads
    if (!nextCursor) return
    cursor = nextCursor
  }
}
