import { useQueryClient } from '@tanstack/react-query'
import { apiRequest, type Method } from '#app/platform/browser/api.ts'
import type { ProposalMark } from './lead.ts'
import { reload, useAction } from '#app/ui/admin/use-action.ts'

/** API data that shows or counts leads. A change of a lead changes no views and no columns of the list. */
export const leadData = /^\/api\/(contacts|consultations|lead-(?!views)\w+|leads(?!\/columns)|workspace)\b/

/** The events that tell of its changes. */
export const leadEvents = ['leads']

/** Reloads all data about leads. */
export function useRefreshLeads() {
  const client = useQueryClient()
  return async () => reload(client, leadData)
}

export const useConvert = (id: string) =>
  useLeadAction('POST', `/api/contacts/${id}/consultation`, 'Converted to a consultation', 'Could not convert')
export const useRelease = () =>
  useAction({
    async send(enquiries: readonly { id: string }[]) {
      for (const { id } of enquiries) await apiRequest('POST', `/api/contacts/${id}/release`)
    },
    done: (_nothing, { length }) =>
      length === 1 ? 'Released. Its emails are being sent.' : `${length} released. Their emails are being sent.`,
    failed: 'Could not release',
    touches: leadData,
  })
export const useMarkAnswered = (id: string) =>
  useLeadAction('POST', `/api/contacts/${id}/answer`, 'Marked as answered', 'Could not update the enquiry')
export const useMarkWaiting = (id: string) =>
  useLeadAction('DELETE', `/api/contacts/${id}/answer`, 'Marked as unanswered', 'Could not update the enquiry')

export const useSettleProposal = (id: string, proposal: ProposalMark) =>
  useLeadAction(
    'POST',
    `/api/contacts/${id}/proposal`,
    proposal === 'sent' ? 'Marked as proposal sent' : 'Marked as no proposal needed',
    'Could not update the proposal',
    { proposal },
  )
export const useReopenProposal = (id: string) =>
  useLeadAction('DELETE', `/api/contacts/${id}/proposal`, 'Proposal reopened', 'Could not reopen the proposal')

function useLeadAction(method: Method, url: string, done: string, failed: string, body?: object) {
  return useAction({
    send: async () => apiRequest(method, url, body),
    done,
    failed,
    touches: leadData,
  })
}
