import { useEffect, useRef } from 'react'
import { useLiveConnection } from '#app/platform/browser/live-events.ts'
import { useLiveData } from '#app/ui/admin/use-live-data.ts'
import { Badge } from '#app/ui/badge.tsx'
import { toast } from '#app/ui/toast.ts'
import type { ListedContact } from '#app/leads/lead/lead.ts'
import { leadData, leadEvents } from '#app/leads/lead/use-lead-actions.tsx'

/** Refreshes the open dashboard when leads change, and announces new enquiries. Returns whether the stream is connected. */
export function useLiveLeads(latest: ListedContact[] | undefined): boolean {
  useNews(latest)
  useLiveData(leadEvents, leadData)
  return useLiveConnection()
}

function useNews(latest: ListedContact[] | undefined) {
  const known = useRef<ListedContact[]>(undefined)
  useEffect(() => {
    const before = known.current
    known.current = latest
    const [newest] = latest ?? []
    if (!before || !newest || newest.id === before[0]?.id || newest.createdAt < (before[0]?.createdAt ?? '')) return
    toast({ title: `New enquiry from ${newest.name}`, description: newest.serviceType ?? newest.company ?? newest.email })
  }, [latest])
}

/** Whether updates arrive automatically. */
export function LiveBadge({ live }: { live: boolean }) {
  return (
    <Badge look={live ? 'leaf' : 'plain'} dot={live}>
      {live ? 'Live' : 'Connecting'}
    </Badge>
  )
}
