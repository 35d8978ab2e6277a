import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { toast } from '#app/ui/toast.ts'
import type { ListedContact } from '#app/sales/lead.ts'
import { useRefreshLeads } from './use-lead-actions.tsx'

/** Before a stream that the server refused is asked for again. One that broke off comes back by itself. */
const RETRY_MS = 15_000

/** Keeps the dashboard fresh while it is open, and says who has just written. */
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
        // Whatever came while no one listened.
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

/** Whether news come by themselves at this moment. */
export function LiveBadge({ live }: { live: boolean }) {
  return (
    <Badge look={live ? 'leaf' : 'plain'} dot={live}>
      {live ? 'Live' : 'Connecting'}
    </Badge>
  )
}
