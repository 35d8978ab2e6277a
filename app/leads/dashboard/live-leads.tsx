import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { toast } from '#app/ui/toast.ts'
import type { ListedContact } from '#app/leads/inbox/lead.ts'
import { useRefreshLeads } from './use-lead-actions.tsx'

/** The delay before a refused stream is requested again. A broken stream reconnects automatically. */
const RETRY_MS = 15_000

/** Refreshes the open dashboard when leads change, and announces new enquiries. Returns whether the stream is connected. */
export function useLiveLeads(latest: ListedContact[] | undefined): boolean {
  const [live, setLive] = useState(false)
  const refresh = useRefreshLeads()
  useNews(latest)
  const hear = useEffectEvent(() => void refresh())

  useEffect(() => {
    let stream: EventSource
    let retry: ReturnType<typeof setTimeout>
    let missed = false
    const open = () => {
      stream = new EventSource('/api/events')
      stream.addEventListener('leads', hear)
      stream.addEventListener('open', () => {
        setLive(true)
        // Fetches events that were missed while disconnected.
        if (missed) hear()
        missed = true
      })
      stream.addEventListener('error', () => {
        setLive(false)
        if (stream.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
      })
    }
    open()
    return () => {
      clearTimeout(retry)
      stream.close()
    }
  }, [])
  return live
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
