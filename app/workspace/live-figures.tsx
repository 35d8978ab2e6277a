import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { LiveBadge, useLiveLeads } from '#app/dashboard/live-leads.tsx'
import { useRefreshLeads } from '#app/dashboard/use-lead-actions.tsx'
import { apiQuery } from '#app/platform/api.ts'
import type { StaffHome } from './workspace.ts'

/** Keeps what staff see fresh while it is open, and says whether it does. */
export function LiveFigures() {
  const { data } = useQuery(apiQuery<StaffHome>('/api/workspace'))
  useRefreshIn(data?.overdue.nextInSeconds)
  return <LiveBadge live={useLiveLeads(data?.lastDay.newest)} />
}

/** That the hours of someone are up is no event of the server's: it is asked again when that happens. */
function useRefreshIn(seconds: number | null | undefined) {
  const refresh = useRefreshLeads()
  const ask = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (seconds === null || seconds === undefined) return
    const timer = setTimeout(ask, (seconds + 1) * 1000)
    return () => clearTimeout(timer)
  }, [seconds])
}
